// What box2d.cpp and box3d.cpp share: a level is run, and recorded by the header of docs/record and by the engine itself. Where it is included,
// ENGINE(name) is the name in the engine, and Vector its type of a vector.
#pragma once

struct Ray {
    Vector from, along;
};

/// Records 180 steps, with 300 rays after the 60th, which look for errors of the shapes in the log. Returns whether the engine's recording was saved.
template <typename Recorder> bool run(ENGINE(WorldId) world, Recorder &log, const char *path, Ray (*ray_of)(int)) {
    log.frame(0);
    ENGINE(Recording) *recording = ENGINE(CreateRecording)(0);
    ENGINE(World_StartRecording)(world, recording);
    for (int i = 1; i <= 180; ++i) {
        ENGINE(World_Step)(world, 1.0f / 60, 4);
        for (int k = 0; k < 300 && i == 60; ++k) {
            const Ray ray = ray_of(k);
            const ENGINE(RayResult) result = ENGINE(World_CastRayClosest)(world, ray.from, ray.along, ENGINE(DefaultQueryFilter)());
            typename Recorder::Query query(hitstop::vec(ray.from), hitstop::vec(ENGINE(Add)(ray.from, ray.along)));
            if (result.hit) {
                query.hit = log.number(result.shapeId);
                query.fraction = result.fraction;
                query.normal = hitstop::vec(result.normal);
            }
            log.log().query(query);
        }
        log.frame(i / 60.0);
    }
    ENGINE(World_StopRecording)(world);
    return ENGINE(SaveRecordingToFile)(recording, path);
}
