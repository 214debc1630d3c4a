// Records a Unity scene as a Hitstop log, in JSON Lines: put this component on any object. Unity 2022 or newer; no packages.
//
// It writes every collider of the scene after each step of physics, and every contact point of bodies with `Record Contacts`. Unity's
// axes are left-handed: z of positions and normals is negated, and x and y of rotations. With `Keep Seconds` above 0 it keeps the last
// seconds, and `Save()` writes them. With HitstopLive.cs beside it, a path like tcp:127.0.0.1:9740 sends to a Hitstop that listens. Not tried in Unity by the authors of Hitstop: its syntax was checked.

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

    struct Line
    {
        public float Time;
        public string Objects, Frame;
    }

    readonly Dictionary<Collider, int> numbers = new();
    readonly Queue<Line> lines = new();
    readonly StringBuilder kept = new();
    readonly List<string> waiting = new();
    readonly StringBuilder contacts = new();
    StreamWriter log;
    HitstopLive live;
    int frame;

    void OnEnable()
    {
        if (keepSeconds > 0) return;
        if (path.StartsWith("tcp:")) live = new HitstopLive(path.Substring(4));
        else log = new StreamWriter(path);
    }

    void OnDisable()
    {
        log?.Dispose();
        log = null;
        live?.Dispose();
        live = null;
    }

    /// Runs before the step: the state and the contacts are those after the step before.
    void FixedUpdate()
    {
        var bodies = new StringBuilder();
        foreach (var collider in FindObjectsByType<Collider>(FindObjectsSortMode.InstanceID))
        {
            if (!collider.enabled) continue;
            if (!numbers.TryGetValue(collider, out var number))
            {
                number = Add(collider);
            }
            var body = collider.attachedRigidbody;
            if (number < 0 || body == null) continue;
            Append(bodies, Body(number, collider.transform, body));
        }
        var objects = "";
        if (frame == 0)
        {
            objects = "{\"hitstop\":1,\"name\":" + Text(gameObject.scene.name) + ",\"scalar\":\"f32\",\"engine\":\"unity\",\"build\":" + Text(Application.version) + ",\"dt\":" +
                Number(Time.fixedDeltaTime) + ",\"gravity\":" + Vector(Physics.gravity) + ",\"margin\":" +
                Number(2 * Physics.defaultContactOffset) + ",\"objects\":[" + string.Join(",", waiting) + "]}\n";
        }
        else if (waiting.Count > 0)
        {
            objects = "{\"spawn\":[" + string.Join(",", waiting) + "]}\n";
        }
        waiting.Clear();
        var touching = contacts.Length > 0 ? ",\"contacts\":[" + contacts + "]" : "";
        contacts.Clear();
        var text = "{\"frame\":" + frame++ + ",\"t\":" + Number(Time.fixedTime) + ",\"bodies\":[" + bodies + "]" + touching + "}\n";
        if (live != null)
        {
            live.Write(objects, text);
            return;
        }
        if (log != null)
        {
            log.Write(objects);
            log.Write(text);
            return;
        }
        lines.Enqueue(new Line { Time = Time.fixedTime, Objects = objects, Frame = text });
        while (lines.Peek().Time < Time.fixedTime - keepSeconds - 1e-4f) kept.Append(lines.Dequeue().Objects);
    }

    /// Writes the seconds that are kept, and goes on keeping them.
    public void Save()
    {
        using var file = new StreamWriter(path);
        file.Write(kept);
        foreach (var line in lines)
        {
            file.Write(line.Objects);
            file.Write(line.Frame);
        }
    }

    int Add(Collider collider)
    {
        var shape = Shape(collider);
        if (shape == null)
        {
            Debug.LogWarning($"Hitstop does not record {collider}: its kind of shape is not known", collider);
            return numbers[collider] = -1;
        }
        var number = numbers.Count;
        numbers[collider] = number;
        var body = collider.attachedRigidbody;
        var owner = body != null ? body.gameObject : collider.gameObject;
        var layer = collider.gameObject.layer;
        var mask = 0u;
        for (var other = 0; other < 32; other++)
        {
            if (!Physics.GetIgnoreLayerCollision(layer, other)) mask |= 1u << other;
        }
        var motion = body == null ? "fixed" : body.isKinematic ? "kinematic" : "dynamic";
        var place = collider.transform;
        waiting.Add("{\"id\":" + number + ",\"name\":" + Text($"{collider.name} {number}") + ",\"shape\":" + shape + ",\"motion\":\"" +
            motion + "\",\"position\":" + Vector(place.position) + ",\"rotation\":" + Rotation(place.rotation) + ",\"layer\":" +
            (1u << layer) + ",\"mask\":" + mask + ",\"body\":" + Text($"body {owner.GetInstanceID()}") +
            (collider.isTrigger ? ",\"sensor\":true" : "") + (body == null ? "" : ",\"mass\":" + Number(body.mass) + ",\"ccd\":" +
            (body.collisionDetectionMode == CollisionDetectionMode.Discrete ? "false" : "true")) + "}");
        if (recordContacts && body != null && body.GetComponent<HitstopContacts>() == null)
        {
            body.gameObject.AddComponent<HitstopContacts>().recorder = this;
        }
        return number;
    }

    string Body(int number, Transform place, Rigidbody body)
    {
        // Of a collider that is not at its body's origin, too.
        var velocity = body.GetPointVelocity(place.position);
        var spin = body.angularVelocity;
        return "{\"id\":" + number + ",\"p\":" + Vector(place.position) + ",\"q\":" + Rotation(place.rotation) + ",\"v\":" +
            Vector(velocity) + ",\"w\":" + List(-spin.x, -spin.y, spin.z) +
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
        switch (collider)
        {
            case SphereCollider it:
                return At(it.center, scale, "{\"sphere\":{\"radius\":" + Number(it.radius * Math.Max(size.x, Math.Max(size.y, size.z))) + "}}");
            case BoxCollider it:
                var half = Vector3.Scale(it.size, size) / 2;
                return At(it.center, scale, "{\"box\":{\"half_extents\":" + List(half.x, half.y, half.z) + "}}");
            case CapsuleCollider it:
                var along = it.direction == 0 ? Vector3.right : it.direction == 1 ? Vector3.up : Vector3.forward;
                var length = it.height * size[it.direction];
                var radius = it.radius * Math.Max(size[(it.direction + 1) % 3], size[(it.direction + 2) % 3]);
                return Capsule(it.center, scale, along, length, radius);
            case CharacterController it:
                return Capsule(it.center, scale, Vector3.up, it.height * size.y, it.radius * Math.Max(size.x, size.z));
            case MeshCollider it when it.sharedMesh != null && it.sharedMesh.isReadable:
                return Mesh(it, scale);
            default:
                return null;
        }
    }

    static string Capsule(Vector3 center, Vector3 scale, Vector3 along, float length, float radius)
    {
        var end = along * Math.Max(0, length / 2 - radius);
        if (end == Vector3.zero) return At(center, scale, "{\"sphere\":{\"radius\":" + Number(radius) + "}}");
        var middle = Vector3.Scale(center, scale);
        return "{\"capsule\":{\"a\":" + Vector(middle - end) + ",\"b\":" + Vector(middle + end) + ",\"radius\":" + Number(radius) + "}}";
    }

    static string Mesh(MeshCollider collider, Vector3 scale)
    {
        var points = new List<string>();
        foreach (var vertex in collider.sharedMesh.vertices) points.Add(Vector(Vector3.Scale(vertex, scale)));
        if (collider.convex) return "{\"convex_hull\":{\"points\":[" + string.Join(",", points) + "]}}";
        var corners = collider.sharedMesh.triangles;
        var triangles = new List<string>();
        for (var i = 0; i + 2 < corners.Length; i += 3) triangles.Add("[" + corners[i] + "," + corners[i + 1] + "," + corners[i + 2] + "]");
        // Unity's faces run clockwise; with z negated they run counter-clockwise.
        return "{\"mesh\":{\"vertices\":[" + string.Join(",", points) + "],\"triangles\":[" + string.Join(",", triangles) + "],\"facing\":\"front\"}}";
    }

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
