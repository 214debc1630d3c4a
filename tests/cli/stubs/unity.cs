// The types of Unity that HitstopRecorder.cs and HitstopRecorder2D.cs use, and a level of each. usage: unity.exe FOLDER
using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    public struct Vector3 : IEquatable<Vector3>
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 zero => new Vector3();
        public static Vector3 right => new Vector3(1, 0, 0);
        public static Vector3 up => new Vector3(0, 1, 0);
        public static Vector3 forward => new Vector3(0, 0, 1);
        public float this[int index] => index == 0 ? x : index == 1 ? y : z;
        public static Vector3 Scale(Vector3 a, Vector3 b) => new Vector3(a.x * b.x, a.y * b.y, a.z * b.z);
        public static float Dot(Vector3 a, Vector3 b) => a.x * b.x + a.y * b.y + a.z * b.z;
        public static Vector3 Cross(Vector3 a, Vector3 b) => new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        public float magnitude => (float)Math.Sqrt(Dot(this, this));
        public static Vector3 operator *(Vector3 a, float b) => new Vector3(a.x * b, a.y * b, a.z * b);
        public static Vector3 operator /(Vector3 a, float b) => new Vector3(a.x / b, a.y / b, a.z / b);
        public static Vector3 operator +(Vector3 a, Vector3 b) => new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);
        public static Vector3 operator -(Vector3 a, Vector3 b) => new Vector3(a.x - b.x, a.y - b.y, a.z - b.z);
        public static bool operator ==(Vector3 a, Vector3 b) => a.Equals(b);
        public static bool operator !=(Vector3 a, Vector3 b) => !a.Equals(b);
        public bool Equals(Vector3 b) => x == b.x && y == b.y && z == b.z;
        public override bool Equals(object b) => b is Vector3 && Equals((Vector3)b);
        public override int GetHashCode() => x.GetHashCode() ^ y.GetHashCode() * 31 ^ z.GetHashCode() * 961;
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public static Quaternion identity => new Quaternion { w = 1 };
    }

    public class Object
    {
        public static readonly List<Component> all = new List<Component>();
        public string name = "";
        public int GetInstanceID() => GetHashCode();
        public static T[] FindObjectsByType<T>(FindObjectsSortMode mode) where T : Component
        {
            var found = new List<T>();
            foreach (var one in all) if (one is T) found.Add((T)one);
            return found.ToArray();
        }
    }

    public enum FindObjectsSortMode { None, InstanceID }

    public struct Scene { public string name => "Yard"; }

    public class GameObject : Object
    {
        public Transform transform = new Transform();
        public int layer;
        public bool isStatic;
        public Scene scene;
        public Rigidbody body;
        public T AddComponent<T>() where T : Component, new()
        {
            var added = new T { gameObject = this, name = name };
            if (added is Rigidbody) body = added as Rigidbody;
            all.Add(added);
            return added;
        }
        public T GetComponent<T>() where T : Component
        {
            foreach (var one in all) if (one is T && one.gameObject == this) return (T)one;
            return null;
        }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public Transform transform => gameObject.transform;
        public T GetComponent<T>() where T : Component => gameObject.GetComponent<T>();
        public T GetComponentInChildren<T>() where T : Component => gameObject.GetComponent<T>();
        public T GetComponentInParent<T>() where T : Component => gameObject.GetComponent<T>();
    }

    public struct Color32 { public byte r, g, b; }

    public class MonoBehaviour : Component { public bool enabled = true; }

    public class Transform
    {
        public Vector3 position, lossyScale = new Vector3(1, 1, 1);
        public Quaternion rotation = Quaternion.identity;
    }

    public class Camera : Component
    {
        public static Camera main;
        public bool orthographic;
        public float nearClipPlane = 0.3f, fieldOfView = 50, aspect = 1.5f;
    }

    public enum CollisionDetectionMode { Discrete, Continuous }

    public class Rigidbody : Component
    {
        public bool isKinematic;
        public float mass = 1;
        public Vector3 velocity, angularVelocity;
        public CollisionDetectionMode collisionDetectionMode;
        public Vector3 GetPointVelocity(Vector3 point) => velocity;
        public bool IsSleeping() => false;
    }

    public class Collider : Component
    {
        public bool enabled = true, isTrigger;
        public Rigidbody attachedRigidbody => gameObject.body;
    }

    public class SphereCollider : Collider { public Vector3 center; public float radius = 0.5f; }
    public class BoxCollider : Collider { public Vector3 center, size = new Vector3(1, 1, 1); }
    public class CapsuleCollider : Collider { public Vector3 center; public int direction = 1; public float height = 2, radius = 0.5f; }
    public class CharacterController : Collider
    {
        public Vector3 center, velocity;
        public float height = 2, radius = 0.5f, slopeLimit = 45, stepOffset = 0.25f, skinWidth = 0.125f;
        public bool isGrounded = true;
    }
    public class ControllerColliderHit { public Collider collider; public Vector3 point, normal; }
    public class Mesh : Object { public bool isReadable = true; public Vector3[] points; public int[] triangles; public Vector3[] vertices => (Vector3[])points.Clone(); }
    public class MeshCollider : Collider { public Mesh sharedMesh; public bool convex; }

    public struct ContactPoint
    {
        public Collider thisCollider, otherCollider;
        public Vector3 point, normal, impulse;
        public float separation;
    }

    public class Collision
    {
        public ContactPoint point;
        public int contactCount => 1;
        public ContactPoint GetContact(int index) => point;
    }

    public static class Physics
    {
        public static Vector3 gravity => new Vector3(0, -9.81f, 0);
        public static float defaultContactOffset => 0.01f;
        public static Collider ignoredA, ignoredB;
        public static bool GetIgnoreLayerCollision(int a, int b) => false;
        public static bool GetIgnoreCollision(Collider a, Collider b) => (a == ignoredA && b == ignoredB) || (a == ignoredB && b == ignoredA);
    }

    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
    }

    /// A shift.
    public struct Matrix4x4
    {
        public Vector3 by;
        public Vector3 MultiplyPoint3x4(Vector3 point) => by + point;
    }

    public enum RigidbodyType2D { Dynamic, Kinematic, Static }
    public enum CollisionDetectionMode2D { Discrete, Continuous }
    public enum PhysicsShapeType2D { Circle, Capsule, Polygon, Edges }

    public class Rigidbody2D : Component
    {
        public RigidbodyType2D bodyType;
        public float mass = 1, angularVelocity;
        public Vector2 velocity;
        public CollisionDetectionMode2D collisionDetectionMode;
        public Vector2 GetPointVelocity(Vector2 point) => velocity;
        public bool IsSleeping() => false;
    }

    public struct PhysicsShape2D
    {
        public PhysicsShapeType2D shapeType;
        public float radius;
    }

    public class PhysicsShapeGroup2D
    {
        public Collider2D of;
        public Matrix4x4 localToWorldMatrix => new Matrix4x4 { by = of.transform.position };
        public PhysicsShape2D GetShape(int index) => of.shapes[index];
        public void GetShapeVertices(int index, List<Vector2> vertices)
        {
            vertices.Clear();
            vertices.AddRange(of.outlines[index]);
        }
    }

    public class Collider2D : Component
    {
        public bool enabled = true, isTrigger, usedByEffector;
        public CompositeCollider2D composite;
        public int shapeCount => shapes.Length;
        public PhysicsShape2D[] shapes;
        public Vector2[][] outlines;
        public List<ContactPoint2D> touching = new List<ContactPoint2D>();
        public Rigidbody2D attachedRigidbody => gameObject.GetComponent<Rigidbody2D>();
        public int GetShapes(PhysicsShapeGroup2D group)
        {
            group.of = this;
            return shapes.Length;
        }
        public void GetContacts(List<ContactPoint2D> points)
        {
            points.Clear();
            points.AddRange(touching);
        }
    }

    public class CompositeCollider2D : Collider2D { }
    public class PlatformEffector2D : Component { public bool useOneWay = true; public float rotationalOffset; }

    public struct ContactPoint2D
    {
        public bool enabled;
        public Collider2D collider, otherCollider;
        public Vector2 point, normal;
        public float separation, normalImpulse;
    }

    public static class Physics2D
    {
        public static Vector2 gravity => new Vector2(0, -9.81f);
        public static float defaultContactOffset => 0.01f;
        public static int GetLayerCollisionMask(int layer) => -1;
        public static bool GetIgnoreCollision(Collider2D a, Collider2D b) => false;
    }

    public static class Time
    {
        public static float fixedDeltaTime => 0.02f;
        public static double fixedTimeAsDouble;
        public static float realtimeSinceStartup => (float)fixedTimeAsDouble;
    }

    public static class Application
    {
        public static string version => "1.0";
        public static bool isEditor => false;
        public static string persistentDataPath;
    }

    public static class Debug
    {
        public static void Log(string text, Object of = null) => Console.WriteLine(text);
        public static void LogWarning(string text, Object of = null) => Console.WriteLine("warning: " + text);
        public static void LogError(string text, Object of = null) => Console.WriteLine("error: " + text);
    }

    public class DefaultExecutionOrder : Attribute { public DefaultExecutionOrder(int order) { } }
    public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
}

namespace Level
{
    using UnityEngine;

    static class Program
    {
        static void Call(object of, string name, params object[] with) =>
            of.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public).Invoke(of, with);

        static T Add<T>(string name, Vector3 position) where T : Component, new()
        {
            var made = new GameObject { name = name };
            made.transform.position = position;
            return made.AddComponent<T>();
        }

        /// Frames of 20 ms in which everything without the mark Static moves along x by 1 cm.
        static void Run(HitstopRecorder recorder, int frames)
        {
            for (var frame = 0; frame < frames; frame++)
            {
                Call(recorder, "FixedUpdate");
                Time.fixedTimeAsDouble += 0.02;
                var moved = new HashSet<GameObject>();
                foreach (var one in UnityEngine.Object.FindObjectsByType<Collider>(FindObjectsSortMode.None))
                {
                    if (!one.gameObject.isStatic && moved.Add(one.gameObject)) one.transform.position += new Vector3(0.01f, 0, 0);
                }
            }
        }

        static Collider2D AddFlat(string name, Vector3 position, RigidbodyType2D type, PhysicsShapeType2D shape, float radius, params Vector2[] outline)
        {
            var made = Add<Collider2D>(name, position);
            made.shapes = new[] { new PhysicsShape2D { shapeType = shape, radius = radius } };
            made.outlines = new[] { outline };
            if (type != RigidbodyType2D.Static) made.gameObject.AddComponent<Rigidbody2D>().bodyType = type;
            return made;
        }

        /// A ball that falls on a ground of edges, under a ledge and beside a lift, on its third frame 0.1 deep.
        static void RunFlat()
        {
            UnityEngine.Object.all.Clear();
            Camera.main = null;
            var ball = AddFlat("ball", new Vector3(0, 0.6f, 0), RigidbodyType2D.Dynamic, PhysicsShapeType2D.Circle, 0.5f, new Vector2(0, 0));
            ball.attachedRigidbody.velocity = new Vector2(0, -5);
            ball.attachedRigidbody.angularVelocity = 180;
            var ground = AddFlat("ground", new Vector3(0, 0, 0), RigidbodyType2D.Static, PhysicsShapeType2D.Edges, 0, new Vector2(-9, 0), new Vector2(9, 0), new Vector2(9, 9), new Vector2(-9, 0));
            // Two outlines: one far below, and that which the ball touches.
            ground.shapes = new[] { ground.shapes[0], ground.shapes[0] };
            ground.outlines = new[] { new[] { new Vector2(-9, -9), new Vector2(9, -9) }, ground.outlines[0] };
            var ledge = AddFlat("ledge", new Vector3(0, 5, 0), RigidbodyType2D.Static, PhysicsShapeType2D.Polygon, 0.01f, new Vector2(-2, 0), new Vector2(2, 0), new Vector2(2, 1));
            ledge.usedByEffector = true;
            ledge.gameObject.AddComponent<PlatformEffector2D>();
            // A quarter turn to the left.
            ledge.transform.rotation = new Quaternion { z = (float)Math.Sqrt(0.5), w = (float)Math.Sqrt(0.5) };
            var lift = AddFlat("lift", new Vector3(3, 0, 0), RigidbodyType2D.Kinematic, PhysicsShapeType2D.Circle, 0.25f, new Vector2(1, 0), new Vector2(-1, 0));
            lift.shapes = new[] { lift.shapes[0], new PhysicsShape2D { shapeType = PhysicsShapeType2D.Capsule, radius = 0.2f } };
            lift.outlines = new[] { new[] { new Vector2(1, 0) }, new[] { new Vector2(0, 0), new Vector2(0, 1) } };
            var merged = AddFlat("merged", new Vector3(0, 0, 0), RigidbodyType2D.Static, PhysicsShapeType2D.Circle, 1, new Vector2(0, 0));
            merged.composite = new CompositeCollider2D();
            merged.shapes = new PhysicsShape2D[0];
            var recorder = new GameObject().AddComponent<HitstopRecorder2D>();
            recorder.path = "flat.jsonl";
            Call(recorder, "OnEnable");
            for (var frame = 0; frame < 3; frame++)
            {
                Call(recorder, "FixedUpdate");
                Time.fixedTimeAsDouble += 0.02;
                ball.transform.position += new Vector3(0, -0.1f, 0);
                var contact = new ContactPoint2D { enabled = frame == 1, collider = ground, otherCollider = ball, normal = new Vector2(0, 1), separation = -0.1f, normalImpulse = 3 };
                ball.touching = new List<ContactPoint2D> { contact };
                if (frame == 1) HitstopRecorder2D.Mark(new[] { new Vector3(1, 2, 3), new Vector3(4, 5, 6) }, of: ball.attachedRigidbody);
            }
            Call(recorder, "OnDestroy");
        }

        static void Main(string[] arguments)
        {
            Application.persistentDataPath = arguments[0];
            Add<BoxCollider>("floor", new Vector3(0, -5, 0)).gameObject.isStatic = true;
            var door = Add<BoxCollider>("door", new Vector3(10, 0, 0));
            var player = Add<CharacterController>("player", new Vector3(0, 0, 10));
            player.velocity = new Vector3(0.5f, 0, 0);
            var ball = Add<SphereCollider>("ball", new Vector3(0, 20, 0));
            ball.gameObject.AddComponent<Rigidbody>().velocity = new Vector3(0.5f, 0, 0);
            Physics.ignoredA = door;
            Physics.ignoredB = ball;
            var points = new List<Vector3>();
            for (var i = 0; i < 2000; i++)
            {
                double y = 1 - (2 * i + 1) / 2000.0, angle = 2.4 * i, radius = Math.Sqrt(1 - y * y);
                points.Add(new Vector3((float)(radius * Math.Cos(angle)), (float)y, (float)(radius * Math.Sin(angle))));
            }
            var rock = Add<MeshCollider>("rock", new Vector3(0, 40, 0));
            rock.sharedMesh = new Mesh { points = points.ToArray() };
            rock.convex = true;
            rock.gameObject.AddComponent<Rigidbody>().velocity = new Vector3(0.5f, 0, 0);
            var corners = new[] { Vector3.zero, Vector3.up, Vector3.right };
            foreach (var side in new[] { 1f, -1f })
            {
                var wall = Add<MeshCollider>("wall", new Vector3(0, 60, 0));
                wall.sharedMesh = new Mesh { points = corners, triangles = new[] { 0, 1, 2 } };
                wall.transform.lossyScale = new Vector3(side, 1, 1);
                wall.gameObject.isStatic = true;
            }
            Add<MeshCollider>("hidden", Vector3.zero).sharedMesh = new Mesh { isReadable = false, name = "statue" };
            Add<MeshCollider>("empty", Vector3.zero);
            var flat = Add<MeshCollider>("flat", Vector3.zero);
            flat.sharedMesh = new Mesh { points = new[] { Vector3.zero, Vector3.up, Vector3.right, Vector3.up + Vector3.right } };
            flat.convex = true;
            Add<SphereCollider>("point", Vector3.zero).radius = 0;

            // To its right: along +X.
            var eyes = new[] { Add<Camera>("first", new Vector3(0, 2, -5)), Add<Camera>("second", new Vector3(0, 3, 7)) };
            foreach (var eye in eyes) eye.transform.rotation = new Quaternion { y = (float)Math.Sqrt(0.5), w = (float)Math.Sqrt(0.5) };
            Camera.main = eyes[0];
            var recorder = new GameObject().AddComponent<HitstopRecorder>();
            Call(recorder, "OnEnable");
            Run(recorder, 5);
            Call(recorder, "OnDisable");
            Camera.main = eyes[1];
            Time.fixedTimeAsDouble += 1;
            Call(recorder, "OnEnable");
            Run(recorder, 5);
            Call(recorder, "OnDisable");
            Call(recorder, "OnDestroy");

            var last = new GameObject().AddComponent<HitstopRecorder>();
            last.keepSeconds = 0.1f;
            Call(last, "OnEnable");
            Run(last, 20);
            last.Save();
            Call(last, "OnDisable");
            Call(last, "OnDestroy");

            var third = new GameObject().AddComponent<HitstopRecorder>();
            Call(third, "OnEnable");
            // Of a ball that has no number yet.
            HitstopRecorder.Log("made \"ball\"", ball);
            Run(third, 1);
            ball.attachedRigidbody.isKinematic = true;
            player.height = 1;
            var collision = new Collision();
            // Of an impulse Unity does not turn the direction as it does of a normal.
            collision.point = new ContactPoint { thisCollider = rock, otherCollider = door, normal = new Vector3(0, 1, 0), impulse = new Vector3(0, -3, 0), separation = -0.1f };
            third.AddContacts(collision);
            HitstopRecorder.Log("kinematic", ball.attachedRigidbody, HitstopLogLevel.Warning);
            HitstopRecorder.Log("alone");
            HitstopRecorder.Value("speed", 0.5f, player);
            HitstopRecorder.Value("grounded", true, player);
            HitstopRecorder.Value("state", "falling");
            HitstopRecorder.Mark(new[] { new Vector3(1, 2, 3), new Vector3(4, 5, 6) }, "aim", player, 0.5f, new Color32 { r = 255, g = 128 });
            Call(player.GetComponent<HitstopHits>(), "OnControllerColliderHit", new ControllerColliderHit { collider = door, point = new Vector3(1, 2, 3), normal = new Vector3(0, 0, 1) });
            player.transform.position = new Vector3(0, 0, 10);
            HitstopRecorder.Move(player, new Vector3(0, 0, 9), new Vector3(0, -1, 2));
            Run(third, 1);
            Call(third, "OnDisable");
            HitstopRecorder.Log("nothing records");
            Call(third, "OnDestroy");

            var wrong = new GameObject().AddComponent<HitstopRecorder>();
            wrong.path = "run.jsonl.zst";
            Call(wrong, "OnEnable");
            RunFlat();
        }
    }
}
