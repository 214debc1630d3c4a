// Records a Unity scene as a Hitstop log, in JSON Lines: put this component on any object. Unity 2022 or newer; no packages.
//
// It writes every collider of the scene after each step of physics, every contact point of bodies with `Record Contacts`, and the main camera. Unity's
// axes are left-handed: z of positions and normals is negated, and x and y of rotations. With `Keep Seconds` above 0 it keeps the last
// seconds, and `Save()` writes them. With HitstopLive.cs beside it, a path like tcp:127.0.0.1:9740 sends to a Hitstop that listens.
//
// A relative path is in the folder of the project in the Editor, and in Application.persistentDataPath in a build. The Console shows the
// full path. A second recording of the same run has a number behind its name: run 2.jsonl. While the component is disabled nothing is
// recorded; once it is enabled again the log goes on with a gap. Not tried in Unity by the authors of Hitstop: compiled and run by the
// tests with stubs of its types.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using UnityEngine;

[DefaultExecutionOrder(-10000)]
public sealed class HitstopRecorder : MonoBehaviour
{
    public string path = "run.jsonl";
    [Tooltip("Keeps this many seconds in memory instead of writing all; 0 writes all.")]
    public float keepSeconds = 0;
    [Tooltip("Adds a component to every rigid body that collects its contacts.")]
    public bool recordContacts = true;
    [Tooltip("Writes colliders without a Rigidbody in every frame, as scripts can move them, unless their object is marked Static. " +
        "Turn it off where none of them moves: the log is smaller.")]
    public bool fixedCanMove = true;

    /// Largest number of points of a convex hull in a log.
    const int HullPoints = 1024;
    /// Longest time that lines of a file wait in memory.
    const float FlushSeconds = 1;
    /// State of a collider that is written once.
    const string Still = "still";
    /// Files that this run of the game has written.
    static readonly HashSet<string> written = new HashSet<string>();

    struct Line
    {
        public double Time;
        public string Objects, Frame;
    }

    readonly Dictionary<Collider, int> numbers = new Dictionary<Collider, int>();
    /// The motion with which colliders were recorded, and the shape but for meshes.
    readonly Dictionary<Collider, string> states = new Dictionary<Collider, string>();
    readonly Queue<Line> lines = new Queue<Line>();
    readonly StringBuilder kept = new StringBuilder();
    readonly List<string> waiting = new List<string>();
    readonly StringBuilder ignored = new StringBuilder();
    readonly StringBuilder removed = new StringBuilder();
    readonly StringBuilder contacts = new StringBuilder();
    StreamWriter log;
    HitstopLive live;
    float flushed;
    Camera eye;
    bool hasGap;
    int frame;
    /// Of objects.
    int count;

    void OnEnable()
    {
        // Enabled again, it goes on with the same log.
        hasGap = frame > 0;
        if (keepSeconds > 0 || log != null || live != null) return;
        if (path.StartsWith("tcp:"))
        {
            live = new HitstopLive(path.Substring(4), text => Debug.LogError("Hitstop: " + text));
            return;
        }
        log = Create();
        if (log == null) enabled = false;
    }

    void OnDisable()
    {
        log?.Flush();
        contacts.Clear();
    }

    void OnDestroy()
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
    void FixedUpdate()
    {
        var bodies = new StringBuilder();
        var first = count;
        foreach (var collider in FindObjectsByType<Collider>(FindObjectsSortMode.InstanceID))
        {
            // A collider without a mesh may get one later.
            if (!collider.enabled || (collider is MeshCollider mesh && mesh.sharedMesh == null)) continue;
            var state = State(collider);
            var number = numbers.TryGetValue(collider, out var known) ? known : -1;
            if (!states.TryGetValue(collider, out var before) || before != state)
            {
                // One that is not in every frame does not end by itself.
                if (number >= 0 && before == Still) Append(removed, number.ToString());
                states[collider] = state;
                number = Add(collider);
            }
            if (number < 0) continue;
            var body = collider.attachedRigidbody;
            if (body != null) Append(bodies, Body(number, collider.transform, body));
            else if (collider is CharacterController character) Append(bodies, Body(number, collider.transform, character));
            else if (fixedCanMove && !collider.gameObject.isStatic) Append(bodies, Place(number, collider.transform) + "}");
        }
        if (count > first) AddIgnored(first);
        var objects = "";
        var ignore = ignored.Length > 0 ? ",\"ignore\":[" + ignored + "]" : "";
        if (frame == 0)
        {
            objects = "{\"hitstop\":1,\"name\":" + Text(gameObject.scene.name) + ",\"scalar\":\"f32\",\"mirrored\":\"z\",\"engine\":\"unity\",\"build\":" + Text(Application.version) + ",\"dt\":" +
                Number(Time.fixedDeltaTime) + ",\"gravity\":" + Vector(Physics.gravity) + ",\"margin\":" +
                Number(2 * Physics.defaultContactOffset) + Lens() + ignore + ",\"objects\":[" + string.Join(",", waiting) + "]}\n";
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
        var text = "{\"frame\":" + frame++ + ",\"t\":" + Number(now) + (hasGap ? ",\"gap\":true" : "") + ",\"bodies\":[" + bodies + "]" + touching + Eye() + "}\n";
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

    /// Of the main camera.
    static string Lens()
    {
        var camera = Camera.main;
        if (camera == null || camera.orthographic) return "";
        return ",\"lens\":{\"near\":" + Number(camera.nearClipPlane) + ",\"fov\":" + Number(camera.fieldOfView) + ",\"aspect\":" + Number(camera.aspect) + "}";
    }

    /// The main camera; a cut where another one takes over. It looks along +Z in Unity, which is -Z in the log.
    string Eye()
    {
        var camera = Camera.main;
        if (camera == null) return "";
        var cut = eye != null && eye != camera ? ",\"teleported\":true" : "";
        eye = camera;
        return ",\"camera\":{\"p\":" + Vector(camera.transform.position) + ",\"q\":" + Rotation(camera.transform.rotation) + cut + "}";
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

    int Add(Collider collider)
    {
        var shape = Shape(collider);
        if (shape == null)
        {
            var why = collider is MeshCollider it && !it.sharedMesh.isReadable ? $"turn on Read/Write in the import settings of its mesh, {it.sharedMesh.name}" : "the log has no such shape, or it has no extent";
            Debug.LogWarning($"Hitstop does not record {collider}: {why}", collider);
            return numbers[collider] = -1;
        }
        var number = count++;
        numbers[collider] = number;
        var body = collider.attachedRigidbody;
        var owner = body != null ? body.gameObject : collider.gameObject;
        var layer = collider.gameObject.layer;
        var mask = 0u;
        for (var other = 0; other < 32; other++)
        {
            if (!Physics.GetIgnoreLayerCollision(layer, other)) mask |= 1u << other;
        }
        var place = collider.transform;
        waiting.Add("{\"id\":" + number + ",\"name\":" + Text($"{collider.name} {number}") + ",\"shape\":" + shape + ",\"motion\":\"" +
            Motion(collider) + "\",\"position\":" + Vector(place.position) + ",\"rotation\":" + Rotation(place.rotation) + ",\"layer\":" +
            (1u << layer) + ",\"mask\":" + mask + ",\"body\":" + Text($"body {owner.GetInstanceID()}") +
            (collider.isTrigger ? ",\"sensor\":true" : "") + (body == null ? "" : ",\"mass\":" + Number(body.mass) + ",\"ccd\":" +
            (body.collisionDetectionMode == CollisionDetectionMode.Discrete ? "false" : "true")) + "}");
        if (recordContacts && body != null && body.GetComponent<HitstopContacts>() == null)
        {
            body.gameObject.AddComponent<HitstopContacts>().recorder = this;
        }
        return number;
    }

    static string Motion(Collider collider)
    {
        var body = collider.attachedRigidbody;
        return collider is CharacterController ? "kinematic" : body == null ? "fixed" : body.isKinematic ? "kinematic" : "dynamic";
    }

    /// A collider that moves in another way or has another size than before goes on as another object.
    string State(Collider collider)
    {
        var motion = Motion(collider);
        if (motion == "fixed" && (!fixedCanMove || collider.gameObject.isStatic)) return Still;
        return collider is MeshCollider ? motion : motion + Shape(collider);
    }

    /// Adds the pairs of colliders that `Physics.IgnoreCollision` keeps apart, of those from the number `first` on.
    void AddIgnored(int first)
    {
        var all = new List<Collider>();
        foreach (var pair in numbers)
        {
            if (pair.Key != null && pair.Value >= 0) all.Add(pair.Key);
        }
        foreach (var a in all)
        {
            if (numbers[a] < first) continue;
            foreach (var b in all)
            {
                var isFixed = a.attachedRigidbody == null && b.attachedRigidbody == null && !(a is CharacterController) && !(b is CharacterController);
                // Layers are in the masks.
                if (isFixed || numbers[b] >= numbers[a] || Physics.GetIgnoreLayerCollision(a.gameObject.layer, b.gameObject.layer)) continue;
                if (Physics.GetIgnoreCollision(a, b)) Append(ignored, "[" + numbers[b] + "," + numbers[a] + "]");
            }
        }
    }

    static string Place(int number, Transform place) =>
        "{\"id\":" + number + ",\"p\":" + Vector(place.position) + ",\"q\":" + Rotation(place.rotation);

    static string Body(int number, Transform place, CharacterController character) =>
        Place(number, place) + ",\"v\":" + Vector(character.velocity) + "}";

    static string Body(int number, Transform place, Rigidbody body)
    {
        // Of a collider that is not at its body's origin, too.
        var velocity = body.GetPointVelocity(place.position);
        var spin = body.angularVelocity;
        return Place(number, place) + ",\"v\":" + Vector(velocity) + ",\"w\":" + List(-spin.x, -spin.y, spin.z) +
            (body.IsSleeping() ? ",\"asleep\":true" : "") + "}";
    }

    /// Called by the bodies: every point of a pair, once.
    internal void AddContacts(Collision collision)
    {
        for (var i = 0; i < collision.contactCount; i++)
        {
            var point = collision.GetContact(i);
            if (!numbers.TryGetValue(point.thisCollider, out var a) || !numbers.TryGetValue(point.otherCollider, out var b)) continue;
            // Of two bodies, each reports the pair.
            if (a < 0 || b < 0 || (point.otherCollider.attachedRigidbody != null && a > b)) continue;
            Append(contacts, "{\"a\":" + a + ",\"b\":" + b + ",\"point\":" + Vector(point.point) + ",\"normal\":" +
                Vector(point.normal) + ",\"depth\":" + Number(-point.separation) + "}");
        }
    }

    /// The shape in the space of its transform, scaled; null for one that the log does not have.
    static string Shape(Collider collider)
    {
        var scale = collider.transform.lossyScale;
        var size = new Vector3(Math.Abs(scale.x), Math.Abs(scale.y), Math.Abs(scale.z));
        if (collider is SphereCollider sphere)
        {
            var radius = sphere.radius * Math.Max(size.x, Math.Max(size.y, size.z));
            return radius > 0 ? At(sphere.center, scale, "{\"sphere\":{\"radius\":" + Number(radius) + "}}") : null;
        }
        if (collider is BoxCollider box)
        {
            var half = Vector3.Scale(box.size, size) / 2;
            return At(box.center, scale, "{\"box\":{\"half_extents\":" + List(half.x, half.y, half.z) + "}}");
        }
        if (collider is CapsuleCollider capsule)
        {
            var along = capsule.direction == 0 ? Vector3.right : capsule.direction == 1 ? Vector3.up : Vector3.forward;
            var radius = capsule.radius * Math.Max(size[(capsule.direction + 1) % 3], size[(capsule.direction + 2) % 3]);
            return Capsule(capsule.center, scale, along, capsule.height * size[capsule.direction], radius);
        }
        if (collider is CharacterController character)
        {
            return Capsule(character.center, scale, Vector3.up, character.height * size.y, character.radius * Math.Max(size.x, size.z));
        }
        return collider is MeshCollider mesh && mesh.sharedMesh.isReadable ? Mesh(mesh, scale) : null;
    }

    static string Capsule(Vector3 center, Vector3 scale, Vector3 along, float length, float radius)
    {
        if (!(radius > 0)) return null;
        var end = along * Math.Max(0, length / 2 - radius);
        if (end == Vector3.zero) return At(center, scale, "{\"sphere\":{\"radius\":" + Number(radius) + "}}");
        var middle = Vector3.Scale(center, scale);
        return "{\"capsule\":{\"a\":" + Vector(middle - end) + ",\"b\":" + Vector(middle + end) + ",\"radius\":" + Number(radius) + "}}";
    }

    static string Mesh(MeshCollider collider, Vector3 scale)
    {
        var vertices = collider.sharedMesh.vertices;
        if (collider.convex && vertices.Length > HullPoints) vertices = Extremes(vertices);
        for (var i = 0; i < vertices.Length; i++) vertices[i] = Vector3.Scale(vertices[i], scale);
        var points = new List<string>();
        foreach (var vertex in vertices) points.Add(Vector(vertex));
        if (collider.convex && IsFlat(vertices)) return null;
        if (collider.convex) return "{\"convex_hull\":{\"points\":[" + string.Join(",", points) + "]}}";
        var corners = collider.sharedMesh.triangles;
        if (corners.Length == 0) return null;
        var triangles = new List<string>();
        // Unity's faces run clockwise; with z negated they run counter-clockwise. A mirrored mesh keeps its front.
        var second = scale.x * scale.y * scale.z < 0 ? 2 : 1;
        for (var i = 0; i + 2 < corners.Length; i += 3) triangles.Add("[" + corners[i] + "," + corners[i + second] + "," + corners[i + 3 - second] + "]");
        return "{\"mesh\":{\"vertices\":[" + string.Join(",", points) + "],\"triangles\":[" + string.Join(",", triangles) + "],\"facing\":\"front\"}}";
    }

    /// The vertices that are farthest out along 1,000 directions, evenly spread: Unity's own hull has at most 255 faces.
    static Vector3[] Extremes(Vector3[] vertices)
    {
        const int directions = 1000;
        var found = new HashSet<Vector3>();
        for (var i = 0; i < directions; i++)
        {
            var y = 1 - (2 * i + 1.0) / directions;
            var radius = Math.Sqrt(1 - y * y);
            var angle = i * Math.PI * (3 - Math.Sqrt(5));
            var along = new Vector3((float)(radius * Math.Cos(angle)), (float)y, (float)(radius * Math.Sin(angle)));
            var best = vertices[0];
            foreach (var vertex in vertices)
            {
                if (Vector3.Dot(vertex, along) > Vector3.Dot(best, along)) best = vertex;
            }
            found.Add(best);
        }
        return new List<Vector3>(found).ToArray();
    }

    /// Whether all points lie in a plane.
    static bool IsFlat(Vector3[] points)
    {
        if (points.Length < 4) return true;
        Vector3 along = Vector3.zero, normal = Vector3.zero;
        var height = 0f;
        foreach (var point in points) along = Longer(along, point - points[0]);
        foreach (var point in points) normal = Longer(normal, Vector3.Cross(along, point - points[0]));
        foreach (var point in points) height = Math.Max(height, Math.Abs(Vector3.Dot(normal, point - points[0])));
        return height <= 1e-5f * normal.magnitude * along.magnitude;
    }

    static Vector3 Longer(Vector3 a, Vector3 b) => a.magnitude < b.magnitude ? b : a;

    /// A convex shape that is not at the origin, as a compound of one.
    static string At(Vector3 center, Vector3 scale, string shape)
    {
        if (center == Vector3.zero) return shape;
        return "{\"compound\":[{\"shape\":" + shape + ",\"position\":" + Vector(Vector3.Scale(center, scale)) + "}]}";
    }

    static void Append(StringBuilder list, string item)
    {
        if (list.Length > 0) list.Append(',');
        list.Append(item);
    }

    static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);
    static string Number(float value) => value.ToString("R", CultureInfo.InvariantCulture);
    static string List(float x, float y, float z) => "[" + Number(x) + "," + Number(y) + "," + Number(z) + "]";

    /// A vector in the log's axes.
    static string Vector(Vector3 v) => List(v.x, v.y, -v.z);

    static string Rotation(Quaternion q) =>
        "[" + Number(-q.x) + "," + Number(-q.y) + "," + Number(q.z) + "," + Number(q.w) + "]";

    static string Text(string text)
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

/// Hands the contacts of a rigid body to the recorder.
public sealed class HitstopContacts : MonoBehaviour
{
    internal HitstopRecorder recorder;

    void OnCollisionEnter(Collision collision) => recorder.AddContacts(collision);
    void OnCollisionStay(Collision collision) => recorder.AddContacts(collision);
}
