// A level of Box2D 3 with every kind of shape, recorded by docs/record/hitstop_box2d.hpp, and by the engine itself for boxrec2hitstop.cpp.
//
//     box2d LOG RECORDING bug|healthy
#include <cstring>
#include <fstream>

#include "hitstop_box2d.hpp"

#define ENGINE(name) b2##name
using Vector = b2Vec2;
#include "box_run.hpp"

static b2WorldId world;

static b2BodyId body(b2BodyType type, b2Vec2 at, const char *name, float angle = 0) {
    b2BodyDef def = b2DefaultBodyDef();
    def.type = type;
    def.position = {at.x, at.y};
    def.rotation = b2MakeRot(angle);
    def.name = name;
    return b2CreateBody(world, &def);
}

static void box(b2BodyId to, float x, float y, const b2ShapeDef &def = b2DefaultShapeDef()) {
    const b2Polygon polygon = b2MakeBox(x, y);
    b2CreatePolygonShape(to, &def, &polygon);
}

static void circle(b2BodyId to, b2Vec2 centre, float radius) {
    const b2ShapeDef def = b2DefaultShapeDef();
    const b2Circle it = {centre, radius};
    b2CreateCircleShape(to, &def, &it);
}

static void capsule(b2BodyId to, float half, float radius) {
    const b2ShapeDef def = b2DefaultShapeDef();
    const b2Capsule it = {{-half, 0}, {half, 0}, radius};
    b2CreateCapsuleShape(to, &def, &it);
}

int main(int, char **arguments) {
    b2WorldDef settings = b2DefaultWorldDef();
    settings.enableContinuous = std::strcmp(arguments[3], "bug") != 0;
    world = b2CreateWorld(&settings);
    const b2ShapeDef plain = b2DefaultShapeDef();

    const b2Segment line = {{-60, 0}, {40, 0}};
    b2CreateSegmentShape(body(b2_staticBody, {0, 0}, "ground"), &plain, &line);
    box(body(b2_staticBody, {5, 1}, "wall"), 0.05f, 1);
    const b2BodyId ball = body(b2_dynamicBody, {0, 0.4f}, "ball");
    circle(ball, {0, 0}, 0.1f);
    b2Body_SetLinearVelocity(ball, {60, 0});

    // One of each shape, a stack, a body of two shapes, and one that rides a lift.
    capsule(body(b2_dynamicBody, {-16, 1}, "pill"), 0.3f, 0.2f);
    const b2Polygon rounded = b2MakeRoundedBox(0.4f, 0.3f, 0.1f);
    b2CreatePolygonShape(body(b2_dynamicBody, {-14, 1}, "rounded", 0.3f), &plain, &rounded);
    for (int i = 0; i < 6; ++i) box(body(b2_dynamicBody, {-10, 0.5f + 1.05f * static_cast<float>(i)}, "crate"), 0.5f, 0.5f);
    const b2BodyId two = body(b2_dynamicBody, {-18, 2}, "two", 1);
    circle(two, {0.3f, 0.1f}, 0.25f);
    circle(two, {-0.3f, 0}, 0.3f);
    const b2BodyId lift = body(b2_kinematicBody, {20, 0.3f}, "lift");
    box(lift, 1, 0.2f);
    b2Body_SetLinearVelocity(lift, {0, 0.5f});
    box(body(b2_dynamicBody, {20, 0.9f}, "rider"), 0.3f, 0.3f);

    // A chain, whose right side is up, with bodies of each kind that roll over it.
    std::vector<b2Vec2> hills;
    for (int i = 0; i < 30; ++i) hills.push_back({-0.7f * static_cast<float>(i), 1 + 0.5f * std::sin(0.6f * static_cast<float>(i))});
    b2ChainDef chain = b2DefaultChainDef();
    chain.points = hills.data();
    chain.count = static_cast<int>(hills.size());
    b2CreateChain(body(b2_staticBody, {-30, 0}, "hills"), &chain);
    for (int i = 0; i < 6; ++i) {
        const b2BodyId roller = body(b2_dynamicBody, {-33 - 2.5f * static_cast<float>(i), 4}, "roller", 0.4f * static_cast<float>(i));
        if (i % 3 == 0) circle(roller, {-0.3f, 0}, 0.3f);
        if (i % 3 == 1) b2CreatePolygonShape(roller, &plain, &rounded);
        if (i % 3 == 2) capsule(roller, 0.3f, 0.2f);
        b2Body_SetLinearVelocity(roller, {3, 0});
    }

    // Pairs that never collide: joined, or of one negative group; and a sensor.
    const b2BodyId arms[] = {body(b2_dynamicBody, {10, 3}, "arm"), body(b2_dynamicBody, {10.5f, 3}, "arm")};
    for (b2BodyId arm : arms) capsule(arm, 0.3f, 0.15f);
    b2RevoluteJointDef elbow = b2DefaultRevoluteJointDef();
    elbow.base.bodyIdA = arms[0];
    elbow.base.bodyIdB = arms[1];
    elbow.base.localFrameA.p = {0.25f, 0};
    elbow.base.localFrameB.p = {-0.25f, 0};
    b2CreateRevoluteJoint(world, &elbow);
    b2ShapeDef grouped = plain;
    grouped.filter.groupIndex = -1;
    for (float x : {15.0f, 15.2f}) box(body(b2_dynamicBody, {x, 0.5f}, "ghost"), 0.3f, 0.3f, grouped);
    b2ShapeDef sensor = plain;
    sensor.isSensor = true;
    box(body(b2_staticBody, {-16, 0.5f}, "gate"), 0.3f, 0.3f, sensor);

    std::ofstream file(arguments[1]);
    hitstop::Box2DRecorder log(file, world, hitstop::flat::Header());
    const bool is_saved = run(world, log, arguments[2], [](int k) -> Ray {
        return {{-52 + 0.3f * static_cast<float>(k), 6}, {0.3f, -7}};
    });
    return file.good() && is_saved ? 0 : 1;
}
