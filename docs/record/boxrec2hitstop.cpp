// Turns a recording of Box3D (b3World_StartRecording) or Box2D (b2World_StartRecording) into a log, by the engine's own player: no change to the game.
//
//     c++ -std=c++17 -I box3d/include boxrec2hitstop.cpp libbox3d.a -o b3rec2hitstop && ./b3rec2hitstop run.b3rec run.jsonl
//     c++ -std=c++17 -I box2d/include -DHITSTOP_BOX2D boxrec2hitstop.cpp libbox2d.a -o b2rec2hitstop && ./b2rec2hitstop run.b2rec run.jsonl
//
// Only the engine's version that wrote a recording can play it. A third argument, "moving", writes static bodies in every frame: see
// `fixed_can_move`. Start the recording once the level is made, so that its first line is the state before the first step. The player of Box2D shows
// what the program changes between two steps (a body that it places) at the first of them. Run with Box3D 30c67b5 and Box2D 617d32a.
#ifdef HITSTOP_BOX2D
#include "hitstop_box2d.hpp"
#define ENGINE(name) b2##name
#define CREATE_PLAYER b2RecPlayer_Create
typedef hitstop::Box2DRecorder WorldRecorder;
#else
#include "hitstop_box3d.hpp"
#define ENGINE(name) b3##name
#define CREATE_PLAYER b3CreatePlayer
typedef hitstop::Box3DRecorder WorldRecorder;
#endif

#include <fstream>

typedef ENGINE(RecPlayer) Player;

static int fail(const std::string &what) {
    std::cerr << "error: " << what << std::endl;
    return 1;
}

static void add_bodies(WorldRecorder &log, const Player *player) {
    for (int i = 0; i < ENGINE(RecPlayer_GetBodyCount)(player); ++i) {
        const auto body = ENGINE(RecPlayer_GetBodyId)(player, i);
        if (ENGINE(Body_IsValid)(body)) log.add(body);
    }
}

/// The rays of the frame; returns how many other casts there were, of which the player does not give the shape, or which hits the game took.
static int add_queries(WorldRecorder &log, const Player *player) {
    int others = 0;
    const std::set<int> casts = {ENGINE(_recQueryCastRay), ENGINE(_recQueryCastShape), ENGINE(_recQueryCastMover)};
    for (int i = 0; i < ENGINE(RecPlayer_GetFrameQueryCount)(player); ++i) {
        const auto info = ENGINE(RecPlayer_GetFrameQuery)(player, i);
        others += casts.count(info.type) > 0;
        if (info.type != ENGINE(_recQueryCastRayClosest)) continue;
        const auto from = hitstop::vec(info.origin);
        WorldRecorder::Query query(from, from + hitstop::vec(info.translation));
        query.mask = static_cast<uint32_t>(info.filter.maskBits);
        if (info.hitCount > 0) {
            const auto hit = ENGINE(RecPlayer_GetFrameQueryHit)(player, i, 0);
            if (!ENGINE(Shape_IsValid)(hit.shape)) continue;
            query.hit = log.number(hit.shape);
            query.fraction = hit.fraction;
            query.normal = hitstop::vec(hit.normal);
        }
        log.log().query(query);
    }
    return others;
}

#ifndef HITSTOP_BOX2D
typedef std::vector<std::pair<b3ShapeId, const b3CompoundData *>> Compounds;

/// Baked compounds are given only to what draws them.
static void *keep_compound(const b3DebugShape *shape, void *context) {
    if (shape->type == b3_compoundShape) static_cast<Compounds *>(context)->emplace_back(shape->shapeId, shape->compound);
    return context;
}

static void find_compounds(WorldRecorder &log, Player *player, Compounds &compounds) {
    b3DebugDraw draw = b3DefaultDebugDraw();
    draw.drawShapes = true;
    draw.DrawShapeFcn = [](void *, b3WorldTransform, b3HexColor, void *) {};
    const float huge = B3_HUGE;
    draw.drawingBounds = {{-huge, -huge, -huge}, {huge, huge, huge}};
    b3World_Draw(b3RecPlayer_GetWorldId(player), &draw, B3_DEFAULT_MASK_BITS);
    for (const auto &it : compounds) log.compound(it.first, it.second);
    compounds.clear();
}
#endif

int main(int count, char **arguments) {
    if (count < 3) return fail("usage: boxrec2hitstop RECORDING LOG.jsonl [moving]");
    ENGINE(Recording) *recording = ENGINE(LoadRecordingFromFile)(arguments[1]);
    if (!recording) return fail(std::string(arguments[1]) + " cannot be read as a recording of the engine");
    Player *player = CREATE_PLAYER(ENGINE(Recording_GetData)(recording), ENGINE(Recording_GetSize)(recording), 1);
    if (!player) return fail(std::string(arguments[1]) + " is of another version of the engine, or damaged: build this program with the version that wrote it");
    std::ofstream file(arguments[2]);
    WorldRecorder::Header header;
    header.name = std::string(arguments[1]).substr(std::string(arguments[1]).find_last_of("/\\") + 1);
    header.dt = ENGINE(RecPlayer_GetInfo)(player).timeStep;
#ifndef HITSTOP_BOX2D
    Compounds compounds;
    b3RecPlayer_SetDebugShapeCallbacks(player, keep_compound, [](void *, void *) {}, &compounds);
    // A recording that begins in an empty world: to where its first bodies are made.
    if (b3RecPlayer_GetBodyCount(player) == 0) b3RecPlayer_SubStepFrame(player);
#endif
    WorldRecorder log(file, ENGINE(RecPlayer_GetWorldId)(player), header);
    log.fixed_can_move = count > 3;
    int left_out = 0;
    for (bool is_first = true, goes_on = true; goes_on; is_first = false) {
        if (!is_first) left_out += add_queries(log, player);
#ifndef HITSTOP_BOX2D
        find_compounds(log, player, compounds);
#endif
        add_bodies(log, player);
        log.frame(ENGINE(RecPlayer_GetFrame)(player) * header.dt);
        goes_on = ENGINE(RecPlayer_StepFrame)(player);
    }
    if (left_out > 0) std::cerr << "hitstop: " << left_out << " casts are not in the log: the player gives all only of those of the closest hit of a ray" << std::endl;
    if (ENGINE(RecPlayer_HasDiverged)(player))
        return fail("the replay diverged at step " + std::to_string(ENGINE(RecPlayer_GetDivergeFrame)(player)) +
                    ": from there on the log is not what the game did; build the engine as the game does");
    return file.good() ? 0 : fail(std::string(arguments[2]) + " cannot be written");
}
