// Makes the calls of docs/record/conformance/level.json with hitstop.hpp, those of flat_level.json with hitstop_flat.hpp.
#include "hitstop_flat.hpp"

#include <fstream>
#include <sstream>

#include "json.h"

using namespace hitstop;

template <class Value> Value read(const Json &it);
template <> double read(const Json &it) { return it.number; }
template <> Vec2 read(const Json &it) { return {it[size_t(0)].number, it[1].number}; }
template <> Vec3 read(const Json &it) { return {it[size_t(0)].number, it[1].number, it[2].number}; }
template <> Quat read(const Json &it) { return {it[size_t(0)].number, it[1].number, it[2].number, it[3].number}; }

static Vec3 vec(const Json &it) { return read<Vec3>(it); }

template <class Vec> static std::vector<Vec> points(const Json &all) {
    std::vector<Vec> points;
    for (const Json &it : all.items) points.push_back(read<Vec>(it));
    return points;
}

static double number(const Json &it, const char *name) { return it.has(name) ? it[name].number : 0; }
static uint32_t whole(const Json &it) { return static_cast<uint32_t>(it.number); }

template <class Of> static std::string shape(const Json &text);

template <class Of> static std::vector<BasicPart<Of>> parts(const Json &all) {
    std::vector<BasicPart<Of>> parts;
    for (const Json &it : all.items) parts.push_back({shape<Of>(it["shape"]), read<typename Of::Vec>(it["position"]), read<typename Of::Turn>(it["rotation"])});
    return parts;
}

template <> std::string shape<Plane>(const Json &text) {
    const std::string &kind = text.fields.begin()->first;
    const Json &it = text.fields.begin()->second;
    if (kind == "circle") return flat::circle(it["radius"].number);
    if (kind == "box") return flat::box(read<Vec2>(it["half_extents"]), number(it, "radius"));
    if (kind == "segment") return flat::segment(read<Vec2>(it["a"]), read<Vec2>(it["b"]));
    if (kind == "capsule") return flat::capsule(read<Vec2>(it["a"]), read<Vec2>(it["b"]), it["radius"].number);
    if (kind == "polygon") return flat::polygon(points<Vec2>(it["points"]), number(it, "radius"));
    if (kind == "plane") return flat::plane(read<Vec2>(it["normal"]), it["offset"].number);
    if (kind == "compound") return flat::compound(parts<Plane>(it));
    return flat::chain(points<Vec2>(it["points"]), it.has("loop"), it.has("facing") ? it["facing"].text : "both");
}

template <> std::string shape<Space>(const Json &text) {
    const std::string &kind = text.fields.begin()->first;
    const Json &it = text.fields.begin()->second;
    const bool front = it.has("facing");
    if (kind == "sphere") return sphere(it["radius"].number);
    if (kind == "box") return box(vec(it["half_extents"]), number(it, "radius"));
    if (kind == "segment") return segment(vec(it["a"]), vec(it["b"]));
    if (kind == "capsule") return capsule(vec(it["a"]), vec(it["b"]), it["radius"].number);
    if (kind == "cylinder") return cylinder(it["half_height"].number, it["radius"].number);
    if (kind == "cone") return cone(it["half_height"].number, it["radius"].number);
    if (kind == "convex_hull") return convex_hull(points<Vec3>(it["points"]), number(it, "radius"));
    if (kind == "triangle") return triangle(vec(it["a"]), vec(it["b"]), vec(it["c"]), front);
    if (kind == "plane") return plane(vec(it["normal"]), it["offset"].number);
    if (kind == "compound") return compound(parts<Space>(it));
    if (kind == "height_field") {
        std::vector<double> heights;
        for (const Json &row : it["heights"].items)
            for (const Json &height : row.items) heights.push_back(height.number);
        const Json &cell = it["cell"];
        return height_field(heights, it["heights"][size_t(0)].size(), cell[size_t(0)].number, cell[1].number, it.has("diagonal"));
    }
    std::vector<uint32_t> indices;
    for (const Json &triangle : it["triangles"].items)
        for (const Json &index : triangle.items) indices.push_back(whole(index));
    return mesh(points<Vec3>(it["vertices"]), indices, front);
}

template <class Of> static BasicHeader<Of> header(const Json &it) {
    BasicHeader<Of> header;
    header.name = it["name"].text;
    header.dt = it["dt"].number;
    header.up = it["up"].text;
    if (it.has("unit")) header.unit = it["unit"].text;
    header.length = it["length"].number;
    header.gravity = read<typename Of::Vec>(it["gravity"]);
    header.engine = it["engine"].text;
    header.build = it["build"].text;
    header.ccd_threshold = it["ccd_threshold"].number;
    header.margin = it["margin"].number;
    header.near_plane = it["lens"]["near"].number;
    header.field_of_view = it["lens"]["fov"].number;
    header.aspect = it["lens"]["aspect"].number;
    for (const Json &pair : it["joints"].items) header.joints.emplace_back(whole(pair[size_t(0)]), whole(pair[1]));
    return header;
}

template <class Of> static BasicObject<Of> object(const Json &it) {
    typedef typename Of::Vec Vec;
    const std::string motion = it["motion"].text;
    BasicObject<Of> object(it["name"].text, shape<Of>(it["shape"]),
                           motion == "fixed" ? Motion::Fixed : motion == "kinematic" ? Motion::Kinematic : Motion::Dynamic);
    object.position = read<Vec>(it["position"]);
    object.rotation = read<typename Of::Turn>(it["rotation"]);
    if (it.has("mass")) object.mass = it["mass"].number;
    if (it.has("ccd")) object.ccd = it["ccd"].truth;
    if (it.has("layer")) object.layer = whole(it["layer"]);
    if (it.has("mask")) object.mask = whole(it["mask"]);
    if (it.has("body")) object.body = it["body"].text;
    if (it.has("scale")) object.scale = read<Vec>(it["scale"]);
    if (it.has("one_way")) object.one_way = read<Vec>(it["one_way"]);
    object.sensor = it.has("sensor");
    object.character = it.has("character");
    if (it.has("color"))
        for (const Json &part : it["color"].items) object.color.push_back(part.number);
    if (it.has("tags"))
        for (const Json &tag : it["tags"].items) object.tags.push_back(tag.text);
    return object;
}

template <class Of> static BasicQuery<Of> query(const Json &it) {
    typedef typename Of::Vec Vec;
    BasicQuery<Of> query(read<Vec>(it["from"]), read<Vec>(it["to"]), number(it, "radius"));
    if (it.has("shape")) query.shape = shape<Of>(it["shape"]);
    if (it.has("q")) query.rotation = read<typename Of::Turn>(it["q"]);
    if (it.has("id")) query.id = whole(it["id"]);
    if (it.has("mask")) query.mask = static_cast<int64_t>(it["mask"].number);
    if (it.has("tag")) query.tag = it["tag"].text;
    const Json &hit = it["hit"];
    if (hit.is_null) return query;
    query.hit = whole(hit["id"]);
    query.fraction = hit["fraction"].number;
    if (hit.has("normal")) query.normal = read<Vec>(hit["normal"]);
    return query;
}

static uint32_t about(const Json &it) { return it.has("id") ? whole(it["id"]) : Query::NONE; }

static std::string text(const Json &it, const char *name) { return it.has(name) ? it[name].text : ""; }

/// The program's own log, values and drawings of a frame.
template <class Of> static void notes(BasicRecorder<Of> &log, const Json &it) {
    const std::map<std::string, Level> levels = {{"debug", Level::Debug}, {"", Level::Info}, {"warning", Level::Warning}, {"error", Level::Error}};
    if (it.has("log"))
        for (const Json &line : it["log"].items) log.message(line.fields.empty() ? line.text : line["text"].text, about(line), levels.at(text(line, "level")));
    if (it.has("values")) {
        for (const Json &one : it["values"].items) {
            const std::string name = one["name"].text;
            if (one.has("text")) log.value(name, one["text"].text, about(one));
            else if (one["value"].is_truth) log.value(name, one["value"].truth, about(one));
            else log.value(name, one["value"].number, about(one));
        }
    }
    if (it.has("marks")) {
        for (const Json &mark : it["marks"].items) {
            std::vector<double> color;
            if (mark.has("color"))
                for (const Json &part : mark["color"].items) color.push_back(part.number);
            log.mark(points<typename Of::Vec>(mark["points"]), text(mark, "name"), about(mark), number(mark, "radius"), color);
        }
    }
}

/// The moves of characters in a frame.
template <class Of> static void moves(BasicRecorder<Of> &log, const Json &all) {
    typedef typename Of::Vec Vec;
    const auto limit = [](const Json &it, const char *name) { return it.has(name) ? it[name].number : -1; };
    for (const Json &it : all.items) {
        BasicMove<Of> made(read<Vec>(it["from"]), read<Vec>(it["wish"]), read<Vec>(it["to"]));
        if (it.has("grounded")) made.grounded = it["grounded"].truth;
        if (it.has("up")) made.up = read<Vec>(it["up"]);
        made.max_slope = limit(it, "max_slope");
        made.max_step = limit(it, "max_step");
        made.snap = limit(it, "snap");
        made.skin = limit(it, "skin");
        if (it.has("sweeps")) {
            for (const Json &one : it["sweeps"].items) {
                BasicSweep<Of> sweep(one["kind"].text, read<Vec>(one["from"]), read<Vec>(one["to"]));
                sweep.has_wish = one.has("wish");
                if (sweep.has_wish) sweep.wish = read<Vec>(one["wish"]);
                if (one.has("hit")) {
                    const Json &hit = one["hit"];
                    sweep.hit = whole(hit["id"]);
                    if (hit.has("normal")) sweep.normal = read<Vec>(hit["normal"]);
                    if (hit.has("point")) sweep.point = read<Vec>(hit["point"]);
                }
                made.sweeps.push_back(sweep);
            }
        }
        log.move(whole(it["id"]), made);
    }
}

template <class Of> static void frame(BasicRecorder<Of> &log, const Json &it) {
    typedef typename Of::Vec Vec;
    typedef typename Of::Turn Turn;
    log.begin_frame(it["t"].number);
    if (it.has("substeps")) log.substeps(whole(it["substeps"]));
    if (it.has("gap")) log.gap();
    for (const Json &body : it["bodies"].items)
        log.body(whole(body["id"]), read<Vec>(body["p"]), read<Turn>(body["q"]), read<Vec>(body["v"]), read<typename Of::Spin>(body["w"]), body.has("asleep"),
                 body.has("teleported"));
    if (it.has("contacts")) {
        log.lists_contacts();
        for (const Json &contact : it["contacts"].items)
            log.contact(whole(contact["a"]), whole(contact["b"]), read<Vec>(contact["point"]), read<Vec>(contact["normal"]), contact["depth"].number,
                        contact.has("impulse") ? contact["impulse"].number : -1);
    }
    if (it.has("pushes"))
        for (const Json &push : it["pushes"].items) log.push(whole(push["id"]), read<Vec>(push["push"]));
    if (it.has("queries"))
        for (const Json &one : it["queries"].items) log.query(query<Of>(one));
    if (it.has("joints"))
        for (const Json &pair : it["joints"].items) log.joint(whole(pair[size_t(0)]), whole(pair[1]));
    if (it.has("camera")) {
        const Json &camera = it["camera"];
        const Vec push = camera.has("push") ? read<Vec>(camera["push"]) : Vec{};
        log.camera(read<Vec>(camera["p"]), read<Turn>(camera["q"]), camera.has("teleported"), push);
    }
    notes(log, it);
    if (it.has("moves")) moves(log, it["moves"]);
    log.end_frame();
}

template <class Of> static void record(const Json &level, std::ostream &file) {
    BasicRecorder<Of> log(file, header<Of>(level["header"]));
    for (const Json &step : level["steps"].items) {
        if (step.has("add"))
            for (const Json &it : step["add"].items) log.add(object<Of>(it));
        if (step.has("ignore"))
            for (const Json &pair : step["ignore"].items) log.ignore(whole(pair[size_t(0)]), whole(pair[1]));
        if (step.has("remove"))
            for (const Json &id : step["remove"].items) log.remove(whole(id));
        frame(log, step["frame"]);
    }
}

int main(int, char **arguments) {
    std::stringstream text;
    text << std::ifstream(arguments[1]).rdbuf();
    const Json level = JsonReader(text.str()).value();
    std::ofstream file(arguments[2]);
    level["header"].has("flat") ? record<Plane>(level, file) : record<Space>(level, file);
    return file.good() ? 0 : 1;
}
