// Records a Unity scene as a Hitstop log, in JSON Lines: put this component on any object, and HitstopLevel.cs and HitstopLive.cs beside it. Unity 2022 or
// newer; no packages. For 2D there is HitstopRecorder2D.cs.
//
// It writes every collider of the scene after each step of physics, every contact point of bodies with `Record Contacts`, and the main camera. Unity's
// axes are left-handed: z of positions and normals is negated, and x and y of rotations. With `Keep Seconds` above 0 it keeps the last
// seconds, and `Save()` writes them. A path like tcp:127.0.0.1:9740 sends to a Hitstop that listens. Any script adds what the game knows to the frame:
// HitstopRecorder.Log("jump", this), HitstopRecorder.Value("grounded", true, this), HitstopRecorder.Mark(new[] { from, to }, "aim", this),
// and after each move of a CharacterController HitstopRecorder.Move(controller, from, motion).
//
// A relative path is in the folder of the project in the Editor, and in Application.persistentDataPath in a build. The Console shows the
// full path. A second recording of the same run has a number behind its name: run 2.jsonl. While the component is disabled nothing is
// recorded; once it is enabled again the log goes on with a gap. Not tried in Unity by the authors of Hitstop: compiled and run by the
// tests with stubs of its types.

using System;
using System.Collections.Generic;
using System.Text;
using UnityEngine;

[DefaultExecutionOrder(-10000)]
public sealed class HitstopRecorder : HitstopLevel
{
    /// Largest number of points of a convex hull in a log.
    const int HullPoints = 1024;
    Camera eye;

    protected override IEnumerable<Component> Colliders()
    {
        foreach (var collider in FindObjectsByType<Collider>(FindObjectsSortMode.InstanceID))
        {
            // A collider without a mesh may get one later.
            if (!collider.enabled || (collider is MeshCollider mesh && mesh.sharedMesh == null)) continue;
            if (recordContacts && collider.attachedRigidbody != null && collider.attachedRigidbody.GetComponent<HitstopContacts>() == null)
            {
                collider.attachedRigidbody.gameObject.AddComponent<HitstopContacts>().recorder = this;
            }
            if (recordContacts && collider is CharacterController && collider.GetComponent<HitstopHits>() == null) collider.gameObject.AddComponent<HitstopHits>();
            yield return collider;
        }
    }

    /// Adds the move of a character to the frame: call it after `CharacterController.Move`, with the position of its transform before, and the motion. Unity
    /// does not tell its sweeps: with `Record Contacts`, each of its hits has one of the whole move.
    public static void Move(CharacterController character, Vector3 from, Vector3 motion)
    {
        var found = character.GetComponent<HitstopHits>();
        var hits = found == null ? new List<ControllerColliderHit>() : found.hits;
        Add("moves", character, it => (it as HitstopRecorder)?.Moved(character, from, motion, hits));
        hits.Clear();
    }

    string Moved(CharacterController character, Vector3 from, Vector3 motion, List<ControllerColliderHit> hits)
    {
        var way = "\"from\":" + Vector(from) + ",\"to\":" + Vector(character.transform.position);
        var sweeps = new StringBuilder();
        foreach (var hit in hits)
        {
            var other = Numbers(hit.collider);
            if (other.Length == 0) continue;
            var met = "{\"id\":" + other[0] + ",\"normal\":" + Vector(hit.normal) + ",\"point\":" + Vector(hit.point) + "}";
            Append(sweeps, "{\"kind\":\"slide\"," + way + ",\"hit\":" + met + "}");
        }
        return way + ",\"wish\":" + Vector(motion) + ",\"grounded\":" + (character.isGrounded ? "true" : "false") + ",\"max_slope\":" + Number(character.slopeLimit) +
            ",\"max_step\":" + Number(character.stepOffset) + ",\"skin\":" + Number(character.skinWidth) + ",\"sweeps\":[" + sweeps + "]";
    }

    protected override string HeaderFields() =>
        ",\"mirrored\":\"z\",\"engine\":\"unity\",\"gravity\":" + Vector(Physics.gravity) + ",\"margin\":" + Number(2 * Physics.defaultContactOffset) + Lens();

    /// Of the main camera.
    static string Lens()
    {
        var camera = Camera.main;
        if (camera == null || camera.orthographic) return "";
        return ",\"lens\":{\"near\":" + Number(camera.nearClipPlane) + ",\"fov\":" + Number(camera.fieldOfView) + ",\"aspect\":" + Number(camera.aspect) + "}";
    }

    /// The main camera; a cut where another one takes over. It looks along +Z in Unity, which is -Z in the log.
    protected override string View()
    {
        var camera = Camera.main;
        if (camera == null) return "";
        var cut = eye != null && eye != camera ? ",\"teleported\":true" : "";
        eye = camera;
        return ",\"camera\":{\"p\":" + Vector(camera.transform.position) + ",\"q\":" + Rotation(camera.transform.rotation) + cut + "}";
    }

    protected override string Point(Vector3 point) => Vector(point);

    protected override Component ColliderOf(Component of) => Nearest<Collider>(of);

    static Rigidbody BodyOf(Component collider) => ((Collider)collider).attachedRigidbody;

    protected override bool HasBody(Component collider) => BodyOf(collider) != null || collider is CharacterController;

    protected override bool CanChange(Component collider) => !(collider is MeshCollider);

    protected override string Motion(Component collider)
    {
        var body = BodyOf(collider);
        return collider is CharacterController ? "kinematic" : body == null ? "fixed" : body.isKinematic ? "kinematic" : "dynamic";
    }

    protected override string Fields(Component collider)
    {
        var body = BodyOf(collider);
        var owner = body != null ? body.gameObject : collider.gameObject;
        var layer = collider.gameObject.layer;
        var mask = 0u;
        for (var other = 0; other < 32; other++)
        {
            if (!Physics.GetIgnoreLayerCollision(layer, other)) mask |= 1u << other;
        }
        return ",\"layer\":" + (1u << layer) + ",\"mask\":" + mask + ",\"body\":" + Text($"body {owner.GetInstanceID()}") +
            (((Collider)collider).isTrigger ? ",\"sensor\":true" : "") + (body == null ? "" : ",\"mass\":" + Number(body.mass) + ",\"ccd\":" +
            (body.collisionDetectionMode == CollisionDetectionMode.Discrete ? "false" : "true"));
    }

    protected override string WhyNot(Component collider) => collider is MeshCollider it && !it.sharedMesh.isReadable
        ? $"turn on Read/Write in the import settings of its mesh, {it.sharedMesh.name}"
        : "the log has no such shape, or it has no extent";

    protected override bool IsIgnored(Component a, Component b) =>
        !Physics.GetIgnoreLayerCollision(a.gameObject.layer, b.gameObject.layer) && Physics.GetIgnoreCollision((Collider)a, (Collider)b);

    protected override string Place(Component collider, string position, string rotation) =>
        ",\"" + position + "\":" + Vector(collider.transform.position) + ",\"" + rotation + "\":" + Rotation(collider.transform.rotation);

    protected override string Velocity(Component collider)
    {
        var body = BodyOf(collider);
        if (body == null) return collider is CharacterController character ? ",\"v\":" + Vector(character.velocity) : null;
        // Of a collider that is not at its body's origin, too.
        var velocity = body.GetPointVelocity(collider.transform.position);
        var spin = body.angularVelocity;
        return ",\"v\":" + Vector(velocity) + ",\"w\":" + List(-spin.x, -spin.y, spin.z) + (body.IsSleeping() ? ",\"asleep\":true" : "");
    }

    /// Called by the bodies: every point of a pair, once.
    internal void AddContacts(Collision collision)
    {
        for (var i = 0; i < collision.contactCount; i++)
        {
            var point = collision.GetContact(i);
            int[] a = Numbers(point.thisCollider), b = Numbers(point.otherCollider);
            // Of two bodies, each reports the pair.
            if (a.Length == 0 || b.Length == 0 || (point.otherCollider.attachedRigidbody != null && a[0] > b[0])) continue;
            // Its impulse has the direction of one of the two.
            AddContact(a[0], b[0], Vector(point.point), Vector(point.normal), point.separation, Math.Abs(Vector3.Dot(point.impulse, point.normal)));
        }
    }

    protected override List<string> Shapes(Component collider)
    {
        var shape = Shape(collider);
        return shape == null ? new List<string>() : new List<string> { shape };
    }

    static string Shape(Component collider)
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

    static string List(float x, float y, float z) => "[" + Number(x) + "," + Number(y) + "," + Number(z) + "]";

    /// A vector in the log's axes.
    static string Vector(Vector3 v) => List(v.x, v.y, -v.z);

    static string Rotation(Quaternion q) =>
        "[" + Number(-q.x) + "," + Number(-q.y) + "," + Number(q.z) + "," + Number(q.w) + "]";
}

/// Hands the contacts of a rigid body to the recorder.
public sealed class HitstopContacts : MonoBehaviour
{
    internal HitstopRecorder recorder;

    void OnCollisionEnter(Collision collision) => recorder.AddContacts(collision);
    void OnCollisionStay(Collision collision) => recorder.AddContacts(collision);
}

/// Keeps what a character has hit since its last move that is recorded, no longer than a step of physics.
public sealed class HitstopHits : MonoBehaviour
{
    internal readonly List<ControllerColliderHit> hits = new List<ControllerColliderHit>();

    void FixedUpdate() => hits.Clear();
    void OnControllerColliderHit(ControllerColliderHit hit) => hits.Add(hit);
}
