// A crate on a chain of Box2D 3, whose points run the wrong way: a chain collides from its right only.
//
//     c++ -std=c++17 -I docs/record -I box2d/include flat_chain.cpp libbox2d.a -o flat_chain && ./flat_chain flat_box2d_chain.jsonl bug
//
// With `fixed` instead of `bug` they run the other way.
#include <algorithm>
#include <cstring>
#include <fstream>

#include "hitstop_box2d.hpp"

int main(int, char **arguments) {
    b2WorldDef settings = b2DefaultWorldDef();
    const b2WorldId world = b2CreateWorld(&settings);
    b2BodyDef body = b2DefaultBodyDef();
    body.name = "hills";
    // From left to right: the right of the chain is below it.
    b2Vec2 points[] = {{-5, 1}, {-4, 0.5f}, {-2, 0}, {0, 0}, {2, 0.25f}, {4, 1}, {5, 2}};
    if (std::strcmp(arguments[2], "fixed") == 0) std::reverse(std::begin(points), std::end(points));
    b2ChainDef chain = b2DefaultChainDef();
    chain.points = points;
    chain.count = 7;
    b2CreateChain(b2CreateBody(world, &body), &chain);
    body.type = b2_dynamicBody;
    body.name = "crate";
    body.position = {-0.9f, 1.2f};
    const b2ShapeDef shape = b2DefaultShapeDef();
    const b2Polygon box = b2MakeBox(0.3f, 0.3f);
    b2CreatePolygonShape(b2CreateBody(world, &body), &shape, &box);

    std::ofstream file(arguments[1]);
    hitstop::flat::Header header;
    header.name = "Crate on a chain";
    hitstop::Box2DRecorder log(file, world, header);
    log.frame(0);
    for (int step = 1; step <= 45; ++step) {
        b2World_Step(world, 1.0f / 60, 4);
        log.frame(step / 60.0);
    }
    return file.good() ? 0 : 1;
}
