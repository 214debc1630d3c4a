// Records a Unity scene in 2D as a Hitstop log, in JSON Lines: put this component on any object, and HitstopLevel.cs and HitstopLive.cs beside it. Unity
// 2022 or newer; no packages. Files, `Keep Seconds`, `Save()`, `Log`, `Value` and `Mark` are as in HitstopRecorder.cs.
//
// The log is flat. It has every Collider2D of the scene after each step of physics, as the shapes that the engine makes of it, every contact, and the one-way
// sides of platform effectors. Colliders of a CompositeCollider2D are recorded as that one. Not tried in Unity by the authors of Hitstop: compiled
// and run by the tests with stubs of its types.

using System;
using System.Collections.Generic;
using UnityEngine;

[DefaultExecutionOrder(-10000)]
public sealed class HitstopRecorder2D : HitstopLevel
{
    /// Most convex shapes of a collider in a log.
    const int MostParts = 256;
    readonly List<ContactPoint2D> points = new List<ContactPoint2D>();
    readonly PhysicsShapeGroup2D shapes = new PhysicsShapeGroup2D();
    readonly List<Vector2> vertices = new List<Vector2>();

    protected override IEnumerable<Component> Colliders()
    {
        foreach (var collider in FindObjectsByType<Collider2D>(FindObjectsSortMode.InstanceID))
        {
            // One that is merged into a composite has no shapes of its own.
            if (collider.enabled && (collider.shapeCount > 0 || collider.composite == null)) yield return collider;
        }
    }

    protected override string HeaderFields() =>
        ",\"flat\":true,\"engine\":\"unity 2d\",\"gravity\":" + List(Physics2D.gravity) + ",\"margin\":" + Number(2 * Physics2D.defaultContactOffset);

    protected override string Point(Vector3 point) => List(new Vector2(point.x, point.y));

    protected override Component ColliderOf(Component of) => Nearest<Collider2D>(of);

    static Rigidbody2D BodyOf(Component collider) => ((Collider2D)collider).attachedRigidbody;

    protected override bool HasBody(Component collider) => Motion(collider) != "fixed";

    protected override string Motion(Component collider)
    {
        var body = BodyOf(collider);
        return body == null || body.bodyType == RigidbodyType2D.Static ? "fixed" : body.bodyType == RigidbodyType2D.Kinematic ? "kinematic" : "dynamic";
    }

    protected override string Fields(Component component)
    {
        var collider = (Collider2D)component;
        var body = BodyOf(collider);
        var owner = body != null ? body.gameObject : collider.gameObject;
        var layer = collider.gameObject.layer;
        var fields = ",\"layer\":" + (1u << layer) + ",\"mask\":" + (uint)Physics2D.GetLayerCollisionMask(layer) + ",\"body\":" +
            Text($"body {owner.GetInstanceID()}") + (collider.isTrigger ? ",\"sensor\":true" : "");
        if (collider.usedByEffector && collider.GetComponent<PlatformEffector2D>() is PlatformEffector2D platform && platform.useOneWay)
        {
            var up = Angle(collider) + platform.rotationalOffset * Math.PI / 180;
            fields += ",\"one_way\":" + List(new Vector2((float)-Math.Sin(up), (float)Math.Cos(up)));
        }
        if (Motion(collider) != "dynamic") return fields;
        return fields + ",\"mass\":" + Number(body.mass) + ",\"ccd\":" + (body.collisionDetectionMode == CollisionDetectionMode2D.Continuous ? "true" : "false");
    }

    protected override string WhyNot(Component collider) =>
        $"the log has only shapes with an extent, and up to {MostParts} convex ones a collider";

    protected override bool IsIgnored(Component a, Component b) => Physics2D.GetIgnoreCollision((Collider2D)a, (Collider2D)b);

    /// Of a rotation about z.
    static double Angle(Component collider)
    {
        var q = collider.transform.rotation;
        return 2 * Math.Atan2(q.z, q.w);
    }

    protected override string Place(Component collider, string position, string rotation)
    {
        var at = collider.transform.position;
        return ",\"" + position + "\":" + List(new Vector2(at.x, at.y)) + ",\"" + rotation + "\":" + Number((float)Angle(collider));
    }

    protected override string Velocity(Component collider)
    {
        if (!HasBody(collider)) return null;
        var body = BodyOf(collider);
        var at = collider.transform.position;
        // Unity's spins are in degrees.
        return ",\"v\":" + List(body.GetPointVelocity(new Vector2(at.x, at.y))) + ",\"w\":" + Number(body.angularVelocity * Math.PI / 180) +
            (body.IsSleeping() ? ",\"asleep\":true" : "");
    }

    /// Every point of a pair, of the body with the lower number where both have it.
    protected override void ReadContacts()
    {
        if (!recordContacts) return;
        foreach (var pair in numbers)
        {
            if (pair.Key == null || pair.Value.Length == 0 || !HasBody(pair.Key)) continue;
            ((Collider2D)pair.Key).GetContacts(points);
            foreach (var point in points)
            {
                // The normal leads from `collider` to `otherCollider`.
                int a = Touched(point.otherCollider, point.point), b = Touched(point.collider, point.point);
                var other = point.collider == pair.Key ? point.otherCollider : point.collider;
                if (!point.enabled || a < 0 || b < 0 || (HasBody(other) && Numbers(other)[0] < pair.Value[0])) continue;
                // Of a contact that continuous detection made in the step the engine keeps none, of one that sleeps that of an earlier step.
                var isSolved = point.normalImpulse > 0 && (IsAwake(point.collider) || IsAwake(point.otherCollider));
                AddContact(a, b, List(point.point), List(point.normal), point.separation, isSolved ? point.normalImpulse : -1);
            }
        }
    }

    bool IsAwake(Collider2D collider) => HasBody(collider) && !BodyOf(collider).IsSleeping();

    /// The object of a collider at a point: of several outlines the nearest; -1 if there is none.
    int Touched(Collider2D collider, Vector2 point)
    {
        var found = Numbers(collider);
        if (found.Length < 2) return found.Length == 0 ? -1 : found[0];
        var (best, least) = (0, double.MaxValue);
        collider.GetShapes(shapes);
        for (var i = 0; i < found.Length; i++)
        {
            shapes.GetShapeVertices(i, vertices);
            for (var k = 0; k + 1 < vertices.Count; k++)
            {
                Vector2 a = World(vertices[k]), b = World(vertices[k + 1]);
                double x = b.x - a.x, y = b.y - a.y;
                var share = Math.Max(0, Math.Min(1, ((point.x - a.x) * x + (point.y - a.y) * y) / (x * x + y * y)));
                double dx = a.x + share * x - point.x, dy = a.y + share * y - point.y;
                if (dx * dx + dy * dy < least) (best, least) = (i, dx * dx + dy * dy);
            }
        }
        return found[best];
    }

    /// Each outline of edges is an object, the convex shapes are one.
    protected override List<string> Shapes(Component component)
    {
        var collider = (Collider2D)component;
        var (outlines, parts) = (new List<string>(), new List<string>());
        var single = "";
        for (int i = 0, count = collider.GetShapes(shapes); i < count; i++)
        {
            var shape = shapes.GetShape(i);
            shapes.GetShapeVertices(i, vertices);
            var text = One(shape.shapeType, collider, shape.radius);
            if (text == null) return new List<string>();
            if (shape.shapeType == PhysicsShapeType2D.Edges)
            {
                outlines.Add(text);
                continue;
            }
            var at = shape.shapeType == PhysicsShapeType2D.Circle ? Local(collider, vertices[0]) : new Vector2(0, 0);
            single = at.x == 0 && at.y == 0 ? text : "";
            parts.Add("{\"shape\":" + text + ",\"position\":" + List(at) + "}");
        }
        if (parts.Count > MostParts) return new List<string>();
        if (parts.Count == 1 && single != "") outlines.Add(single);
        else if (parts.Count > 0) outlines.Add("{\"compound\":[" + string.Join(",", parts) + "]}");
        return outlines;
    }

    /// The shape of the vertices; edges have no radius in a log.
    string One(PhysicsShapeType2D type, Collider2D collider, float radius)
    {
        var all = new List<string>();
        foreach (var vertex in vertices)
        {
            var at = List(Local(collider, vertex));
            if (all.Count == 0 || all[all.Count - 1] != at) all.Add(at);
        }
        var isLoop = all.Count > 3 && all[0] == all[all.Count - 1];
        var rounded = radius > 0 ? ",\"radius\":" + Number(radius) : "";
        switch (type)
        {
            case PhysicsShapeType2D.Circle:
                return radius > 0 ? "{\"circle\":{\"radius\":" + Number(radius) + "}}" : null;
            case PhysicsShapeType2D.Capsule:
                return radius > 0 ? "{\"capsule\":{\"a\":" + all[0] + ",\"b\":" + all[all.Count - 1] + rounded + "}}" : null;
            case PhysicsShapeType2D.Polygon:
                return all.Count > 2 ? "{\"polygon\":{\"points\":[" + string.Join(",", all) + "]" + rounded + "}}" : null;
            default:
                if (isLoop) all.RemoveAt(all.Count - 1);
                return all.Count > 1 ? "{\"chain\":{\"points\":[" + string.Join(",", all) + "]" + (isLoop ? ",\"loop\":true" : "") + "}}" : null;
        }
    }

    /// A vertex of `shapes` in the space of the collider's transform, without its scale.
    Vector2 Local(Collider2D collider, Vector2 vertex)
    {
        Vector2 world = World(vertex);
        double x = world.x - collider.transform.position.x, y = world.y - collider.transform.position.y;
        double c = Math.Cos(Angle(collider)), s = Math.Sin(Angle(collider));
        return new Vector2((float)(c * x + s * y), (float)(c * y - s * x));
    }

    Vector2 World(Vector2 vertex)
    {
        var at = shapes.localToWorldMatrix.MultiplyPoint3x4(new Vector3(vertex.x, vertex.y, 0));
        return new Vector2(at.x, at.y);
    }

    static string List(Vector2 v) => "[" + Number(v.x) + "," + Number(v.y) + "]";
}
