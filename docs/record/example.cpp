// Records a ball that a program of its own moves, with hitstop.hpp alone. Try it:
//
//     c++ -std=c++11 example.cpp -o example && ./example run.jsonl last.jsonl && hitstop check run.jsonl
//
// The second file holds the last second only.
#include "hitstop.hpp"

#include <fstream>

int main(int count, char **arguments) {
    if (count != 3) return 2;
    hitstop::Header header;
    header.name = "Ball and wall";
    header.engine = "my \"engine\"";
    header.gravity = {0, 0, 0};
    std::ofstream file(arguments[1]);
    hitstop::Recorder whole(file, header), last(header, 1.0);
    uint32_t ball = 0, late = 0;
    for (hitstop::Recorder *log : {&whole, &last}) {
        ball = log->add({"ball", hitstop::sphere(0.1)});
        hitstop::Object wall("wall", hitstop::box({0.5, 2, 2}), hitstop::Motion::Fixed);
        wall.position = {3, 0, 0};
        log->add(wall);
    }
    double x = -2, speed = 2;
    for (int frame = 0; frame < 240; ++frame) {
        bool touches = x + 0.1 >= 2.5;
        if (touches) speed = -speed;
        for (hitstop::Recorder *log : {&whole, &last}) {
            if (frame == 30) {
                late = log->add({"late", hitstop::compound({{hitstop::sphere(0.2), {0, 0.2, 0}, {0, 0, 0, 1}},
                                                            {hitstop::box({0.1, 0.2, 0.1}), {0, -0.2, 0}, {0, 0, 0, 1}}})});
            }
            log->begin_frame(frame / 60.0);
            log->body(ball, {x, 0, 0}, {0, 0, 0, 1}, {speed, 0, 0}, {0, 0, 0});
            if (frame >= 30) log->body(late, {0, 5, 0}, {0, 0, 0, 1}, {0, 0, 0}, {0, 0, 0}, true);
            if (touches) log->contact(ball, 1, {2.5, 0, 0}, {-1, 0, 0}, x + 0.1 - 2.5);
            log->camera({0, 1, 8}, {0, 0, 0, 1});
            log->end_frame();
        }
        x += speed / 60.0;
    }
    std::ofstream part(arguments[2]);
    last.save(part);
    return file.good() && part.good() ? 0 : 1;
}
