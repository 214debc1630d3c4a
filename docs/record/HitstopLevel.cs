// What the recorders of Unity in 2D and 3D share: keep this file beside HitstopRecorder.cs or HitstopRecorder2D.cs, which you put on an object.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using UnityEngine;

/// Of a line of the game's own log.
public enum HitstopLogLevel { Debug, Info, Warning, Error }

public abstract class HitstopLevel : MonoBehaviour
{
    public string path = "run.jsonl";
    [Tooltip("Keeps this many seconds in memory instead of writing all; 0 writes all.")]
    public float keepSeconds = 0;
    [Tooltip("Adds a component to every rigid body that collects its contacts.")]
    public bool recordContacts = true;
    [Tooltip("Writes colliders without a Rigidbody in every frame, as scripts can move them, unless their object is marked Static. " +
        "Turn it off where none of them moves: the log is smaller.")]
    public bool fixedCanMove = true;

    /// Longest time that lines of a file wait in memory.
    const float FlushSeconds = 1;
    /// State of a collider that is written once.
    const string Still = "still";
    /// Files that this run of the game has written.
    static readonly HashSet<string> written = new HashSet<string>();

    /// The recorders that are enabled.
    static readonly List<HitstopLevel> recorders = new List<HitstopLevel>();

    struct Line
    {
        public double Time;
        public string Objects, Frame;
    }

    /// What a script adds to a frame: an item of a list, and the object that it is about.
    struct Note
    {
        public string List, Fields;
        public Component Of;
        /// When it was added; negative if it was not recorded yet.
        public int Number;
    }

    /// Of colliders, one for each shape; none for one that is not recorded.
    protected readonly Dictionary<Component, int[]> numbers = new Dictionary<Component, int[]>();
    static readonly int[] none = new int[0];
    /// The motion with which colliders were recorded, and the shape but for meshes.
    readonly Dictionary<Component, string> states = new Dictionary<Component, string>();
    readonly Queue<Line> lines = new Queue<Line>();
    readonly StringBuilder kept = new StringBuilder();
    readonly List<string> waiting = new List<string>();
    readonly StringBuilder ignored = new StringBuilder();
    readonly StringBuilder removed = new StringBuilder();
    protected readonly StringBuilder contacts = new StringBuilder();
    readonly List<Note> notes = new List<Note>();
    StreamWriter log;
    HitstopLive live;
    float flushed;
    bool hasGap;
    int frame;
    /// Of objects.
    int count;

    /// The colliders that are recorded now.
    protected abstract IEnumerable<Component> Colliders();
    /// In the space of the collider's transform, scaled; none for one that the log does not have.
    protected abstract List<string> Shapes(Component collider);
    protected abstract string WhyNot(Component collider);
    /// "dynamic", "kinematic" or "fixed".
    protected abstract string Motion(Component collider);
    protected abstract bool HasBody(Component collider);
    /// Whether the shape is compared with that of the frame before.
    protected virtual bool CanChange(Component collider) => true;
    /// Position and rotation, as fields of the given names.
    protected abstract string Place(Component collider, string position, string rotation);
    /// Of what moves by itself; null for others.
    protected abstract string Velocity(Component collider);
    /// Other fields of an object.
    protected abstract string Fields(Component collider);
    protected abstract string HeaderFields();
    /// Whether the game keeps two colliders apart that their layers let meet.
    protected abstract bool IsIgnored(Component a, Component b);
    /// Adds the contacts of the last step, where bodies do not report them.
    protected virtual void ReadContacts() { }
    /// What is not of bodies in a frame.
    protected virtual string View() => "";
    protected abstract string Point(Vector3 point);
    /// The collider of a component: its own, or the nearest below or above it.
    protected abstract Component ColliderOf(Component of);

    /// Adds a line of the game's own log to the frame, from any script. `of`: what it is about, such as `this`. Without a recorder nothing happens.
    public static void Log(string text, Component of = null, HitstopLogLevel level = HitstopLogLevel.Info) =>
        Add("log", of, it => "\"text\":" + Text(text) + (level == HitstopLogLevel.Info ? "" : ",\"level\":\"" + level.ToString().ToLowerInvariant() + "\""));

    /// Adds a value of the game to the frame: a number, true or false, or the name of a state.
    public static void Value(string name, double value, Component of = null) => Add("values", of, it => "\"name\":" + Text(name) + ",\"value\":" + Number(value));
    public static void Value(string name, bool value, Component of = null) => Add("values", of, it => "\"name\":" + Text(name) + ",\"value\":" + (value ? "true" : "false"));
    public static void Value(string name, string state, Component of = null) => Add("values", of, it => "\"name\":" + Text(name) + ",\"text\":" + Text(state));

    /// Adds a drawing to the frame: a point, a line of two, or a polyline of up to 256, in the world, with a sphere of `radius` at each.
    public static void Mark(IEnumerable<Vector3> points, string name = "", Component of = null, float radius = 0, Color32? color = null) => Add("marks", of, it =>
    {
        var places = new StringBuilder();
        foreach (var point in points) Append(places, it.Point(point));
        return "\"points\":[" + places + "]" + (name == "" ? "" : ",\"name\":" + Text(name)) + (radius > 0 ? ",\"radius\":" + Number(radius) : "") +
            (color is Color32 c ? ",\"color\":[" + c.r + "," + c.g + "," + c.b + "]" : "");
    });

    /// Adds to each recorder what `fields` gives for it, unless that is null.
    protected static void Add(string list, Component of, Func<HitstopLevel, string> fields)
    {
        foreach (var it in recorders)
        {
            var made = fields(it);
            if (made != null) it.notes.Add(new Note { List = list, Fields = made, Of = of, Number = it.NumberOf(of) });
        }
    }

    /// The object of a component; -1 if there is none.
    int NumberOf(Component of)
    {
        var collider = of == null ? null : ColliderOf(of);
        var found = collider == null ? none : Numbers(collider);
        return found.Length == 0 ? -1 : found[0];
    }

    /// The collider of a kind that `ColliderOf` gives.
    protected static Component Nearest<T>(Component of) where T : Component
    {
        if (of is T) return of;
        var below = of.GetComponentInChildren<T>();
        return below != null ? below : of.GetComponentInParent<T>();
    }

    /// What scripts have added, as fields of a frame.
    string Notes()
    {
        var text = "";
        foreach (var list in new[] { "log", "values", "marks", "moves" })
        {
            var items = new StringBuilder();
            foreach (var note in notes)
            {
                if (note.List != list) continue;
                // One that was made or changed in this frame has its number by now; one that was destroyed had one.
                var now = NumberOf(note.Of);
                var number = now < 0 ? note.Number : now;
                // Of a character that is not recorded.
                if (list == "moves" && number < 0) continue;
                Append(items, "{" + note.Fields + (number < 0 ? "" : ",\"id\":" + number) + "}");
            }
            if (items.Length > 0) text += ",\"" + list + "\":[" + items + "]";
        }
        notes.Clear();
        return text;
    }

    protected void OnEnable()
    {
        // Enabled again, it goes on with the same log.
        hasGap = frame > 0;
        recorders.Add(this);
        if (keepSeconds > 0 || log != null || live != null) return;
        if (path.StartsWith("tcp:"))
        {
            live = new HitstopLive(path.Substring(4), text => Debug.LogError("Hitstop: " + text));
            return;
        }
        log = Create();
        if (log == null) enabled = false;
    }

    protected void OnDisable()
    {
        recorders.Remove(this);
        log?.Flush();
        contacts.Clear();
        notes.Clear();
    }

    protected void OnDestroy()
    {
        log?.Dispose();
        log = null;
        live?.Dispose();
        live = null;
    }

    /// Creates the file, under a name that this run has not used; null with an error in the Console.
    StreamWriter Create()
    {
        try
        {
            if (!path.EndsWith(".jsonl"))
            {
                throw new ArgumentException("the path must end in .jsonl; `hitstop convert` makes .jsonl.gz, .jsonl.zst and .parquet of it");
            }
            var full = Path.GetFullPath(Path.Combine(Application.isEditor ? "." : Application.persistentDataPath, path));
            var name = full;
            for (var count = 2; !written.Add(name); count++) name = full.Insert(full.Length - ".jsonl".Length, " " + count);
            var file = new StreamWriter(name);
            Debug.Log("Hitstop records to " + name, this);
            return file;
        }
        catch (Exception error) when (error is ArgumentException || error is IOException || error is UnauthorizedAccessException)
        {
            Debug.LogError($"Hitstop cannot write {path}: {error.Message}", this);
            return null;
        }
    }

    /// Runs before the step: the state and the contacts are those after the step before.
    protected void FixedUpdate()
    {
        var bodies = new StringBuilder();
        var first = count;
        ReadContacts();
        foreach (var collider in Colliders())
        {
            var state = State(collider);
            var found = Numbers(collider);
            if (!states.TryGetValue(collider, out var before) || before != state)
            {
                // One that is not in every frame does not end by itself.
                if (before == Still) foreach (var number in found) Append(removed, number.ToString());
                states[collider] = state;
                found = Add(collider);
            }
            if (found.Length == 0) continue;
            var velocity = Velocity(collider);
            if (velocity == null && (!fixedCanMove || collider.gameObject.isStatic)) continue;
            foreach (var number in found) Append(bodies, "{\"id\":" + number + Place(collider, "p", "q") + velocity + "}");
        }
        if (count > first) AddIgnored(first);
        var objects = "";
        var ignore = ignored.Length > 0 ? ",\"ignore\":[" + ignored + "]" : "";
        if (frame == 0)
        {
            objects = "{\"hitstop\":1,\"name\":" + Text(gameObject.scene.name) + ",\"scalar\":\"f32\",\"build\":" + Text(Application.version) + ",\"dt\":" +
                Number(Time.fixedDeltaTime) + HeaderFields() + ignore + ",\"objects\":[" + string.Join(",", waiting) + "]}\n";
        }
        else if (waiting.Count > 0)
        {
            objects = "{\"spawn\":[" + string.Join(",", waiting) + "]" + ignore + ",\"remove\":[" + removed + "]}\n";
        }
        waiting.Clear();
        removed.Clear();
        ignored.Clear();
        var touching = contacts.Length > 0 ? ",\"contacts\":[" + contacts + "]" : "";
        contacts.Clear();
        var now = Time.fixedTimeAsDouble;
        var text = "{\"frame\":" + frame++ + ",\"t\":" + Number(now) + (hasGap ? ",\"gap\":true" : "") + ",\"bodies\":[" + bodies + "]" + touching + Notes() + View() + "}\n";
        hasGap = false;
        if (live != null)
        {
            live.Write(objects, text);
            return;
        }
        if (log != null)
        {
            log.Write(objects);
            log.Write(text);
            if (Time.realtimeSinceStartup - flushed > FlushSeconds)
            {
                log.Flush();
                flushed = Time.realtimeSinceStartup;
            }
            return;
        }
        lines.Enqueue(new Line { Time = now, Objects = objects, Frame = text });
        while (lines.Peek().Time < now - keepSeconds - 1e-4) kept.Append(lines.Dequeue().Objects);
    }

    /// Writes the seconds that are kept to a new file, and goes on keeping them.
    public void Save()
    {
        using (var file = Create())
        {
            if (file == null) return;
            file.Write(kept);
            foreach (var line in lines)
            {
                file.Write(line.Objects);
                file.Write(line.Frame);
            }
        }
    }

    protected int[] Numbers(Component collider) => numbers.TryGetValue(collider, out var found) ? found : none;

    int[] Add(Component collider)
    {
        var shapes = Shapes(collider);
        if (shapes.Count == 0) Debug.LogWarning($"Hitstop does not record {collider}: {WhyNot(collider)}", collider);
        var found = new int[shapes.Count];
        for (var i = 0; i < found.Length; i++)
        {
            found[i] = count++;
            waiting.Add("{\"id\":" + found[i] + ",\"name\":" + Text($"{collider.name} {found[i]}") + ",\"shape\":" + shapes[i] + ",\"motion\":\"" + Motion(collider) +
                "\"" + Place(collider, "position", "rotation") + Fields(collider) + "}");
        }
        return numbers[collider] = found;
    }

    /// A collider that moves in another way or has another size than before goes on as another object.
    string State(Component collider)
    {
        var motion = Motion(collider);
        if (motion == "fixed" && (!fixedCanMove || collider.gameObject.isStatic)) return Still;
        return CanChange(collider) ? motion + string.Join(",", Shapes(collider)) : motion;
    }

    /// Adds the pairs of colliders that the game keeps apart, of those from the number `first` on.
    void AddIgnored(int first)
    {
        var all = new List<KeyValuePair<Component, int>>();
        foreach (var pair in numbers)
        {
            if (pair.Key != null) foreach (var number in pair.Value) all.Add(new KeyValuePair<Component, int>(pair.Key, number));
        }
        foreach (var a in all)
        {
            if (a.Value < first) continue;
            foreach (var b in all)
            {
                var isFixed = !HasBody(a.Key) && !HasBody(b.Key);
                if (!isFixed && a.Key != b.Key && b.Value < a.Value && IsIgnored(a.Key, b.Key)) Append(ignored, "[" + b.Value + "," + a.Value + "]");
            }
        }
    }

    /// A point of a pair; the normal leads from b to a, a negative impulse is not known.
    protected void AddContact(int a, int b, string point, string normal, float separation, float impulse) =>
        Append(contacts, "{\"a\":" + a + ",\"b\":" + b + ",\"point\":" + point + ",\"normal\":" + normal + ",\"depth\":" + Number(-separation) +
            (impulse >= 0 ? ",\"impulse\":" + Number(impulse) : "") + "}");

    protected static void Append(StringBuilder list, string item)
    {
        if (list.Length > 0) list.Append(',');
        list.Append(item);
    }

    protected static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);
    protected static string Number(float value) => value.ToString("R", CultureInfo.InvariantCulture);

    protected static string Text(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (var c in text)
        {
            if (c == '"' || c == '\\') quoted.Append('\\').Append(c);
            else if (c < ' ') quoted.Append("\\u").Append(((int)c).ToString("x4"));
            else quoted.Append(c);
        }
        return quoted.Append('"').ToString();
    }
}
