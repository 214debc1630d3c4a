// Makes the calls of docs/record/conformance/level.json with hitstop.hpp.
#include "hitstop.hpp"

#include <fstream>
#include <sstream>

#include "json.h"

using namespace hitstop;

static Vec3 vec(const Json &it) { return {it[size_t(0)].number, it[1].number, it[2].number}; }
static Quat quat(const Json &it) { return {it[size_t(0)].number, it[1].number, it[2].number, it[3].number}; }

static std::vector<Vec3> points(const Json &all) {
    std::vector<Vec3> points;
    for (const Json &it : all.items) points.push_back(vec(it));
    return points;
}

static double number(const Json &it, const char *name) { return it.has(name) ? it[name].number : 0; }
static uint32_t whole(const Json &it) { return static_cast<uint32_t>(it.number); }

static std::string shape(const Json &text) {
    const std::string &kind = text.fields.begin()->first;
    const Json &it = text.fields.begin()->second;
    const bool front = it.has("facing");
    if (kind == "sphere") return sphere(it["radius"].number);
    if (kind == "box") return box(vec(it["half_extents"]), number(it, "radius"));
    if (kind == "segment") return segment(vec(it["a"]), vec(it["b"]));
    if (kind == "capsule") return capsule(vec(it["a"]), vec(it["b"]), it["radius"].number);
    if (kind == "cylinder") return cylinder(it["half_height"].number, it["radius"].number);
    if (kind == "cone") return cone(it["half_height"].number, it["radius"].number);
    if (kind == "convex_hull") return convex_hull(points(it["points"]), number(it, "radius"));
    if (kind == "triangle") return triangle(vec(it["a"]), vec(it["b"]), vec(it["c"]), front);
    if (kind == "plane") return plane(vec(it["normal"]), it["offset"].number);
    if (kind == "compound") {
        std::vector<Part> parts;
        for (const Json &part : it.items) parts.push_back({shape(part["shape"]), vec(part["position"]), quat(part["rotation"])});
        return compound(parts);
    }
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
    return mesh(points(it["vertices"]), indices, front);
}

static Header header(const Json &it) {
    Header header;
    header.name = it["name"].text;
    header.dt = it["dt"].number;
    header.up = it["up"].text[0];
    header.length = it["length"].number;
    header.gravity = vec(it["gravity"]);
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

static Object object(const Json &it) {
    const std::string motion = it["motion"].text;
    Object object(it["name"].text, shape(it["shape"]),
                  motion == "fixed" ? Motion::Fixed : motion == "kinematic" ? Motion::Kinematic : Motion::Dynamic);
    object.position = vec(it["position"]);
    object.rotation = quat(it["rotation"]);
    if (it.has("mass")) object.mass = it["mass"].number;
    if (it.has("ccd")) object.ccd = it["ccd"].truth;
    if (it.has("layer")) object.layer = whole(it["layer"]);
    if (it.has("mask")) object.mask = whole(it["mask"]);
    if (it.has("body")) object.body = it["body"].text;
    if (it.has("scale")) object.scale = vec(it["scale"]);
    if (it.has("one_way")) object.one_way = vec(it["one_way"]);
    object.sensor = it.has("sensor");
    object.character = it.has("character");
    if (it.has("color"))
        for (const Json &part : it["color"].items) object.color.push_back(part.number);
    if (it.has("tags"))
        for (const Json &tag : it["tags"].items) object.tags.push_back(tag.text);
    return object;
}

static Query query(const Json &it) {
    Query query(vec(it["from"]), vec(it["to"]), number(it, "radius"));
    if (it.has("shape")) query.shape = shape(it["shape"]);
    if (it.has("q")) query.rotation = quat(it["q"]);
    if (it.has("id")) query.id = whole(it["id"]);
    if (it.has("mask")) query.mask = static_cast<int64_t>(it["mask"].number);
    const Json &hit = it["hit"];
    if (hit.is_null) return query;
    query.hit = whole(hit["id"]);
    query.fraction = hit["fraction"].number;
    if (hit.has("normal")) query.normal = vec(hit["normal"]);
    return query;
}

static void frame(Recorder &log, const Json &it) {
    log.begin_frame(it["t"].number);
    if (it.has("substeps")) log.substeps(whole(it["substeps"]));
    if (it.has("gap")) log.gap();
    for (const Json &body : it["bodies"].items)
        log.body(whole(body["id"]), vec(body["p"]), quat(body["q"]), vec(body["v"]), vec(body["w"]), body.has("asleep"), body.has("teleported"));
    if (it.has("contacts")) {
        log.lists_contacts();
        for (const Json &contact : it["contacts"].items)
            log.contact(whole(contact["a"]), whole(contact["b"]), vec(contact["point"]), vec(contact["normal"]), contact["depth"].number);
    }
    if (it.has("pushes"))
        for (const Json &push : it["pushes"].items) log.push(whole(push["id"]), vec(push["push"]));
    if (it.has("queries"))
        for (const Json &one : it["queries"].items) log.query(query(one));
    if (it.has("joints"))
        for (const Json &pair : it["joints"].items) log.joint(whole(pair[size_t(0)]), whole(pair[1]));
    if (it.has("camera")) {
        const Json &camera = it["camera"];
        Vec3 push = camera.has("push") ? vec(camera["push"]) : Vec3{0, 0, 0};
        log.camera(vec(camera["p"]), quat(camera["q"]), camera.has("teleported"), push);
    }
    log.end_frame();
}

int main(int, char **arguments) {
    std::stringstream text;
    text << std::ifstream(arguments[1]).rdbuf();
    const Json level = JsonReader(text.str()).value();
    std::ofstream file(arguments[2]);
    Recorder log(file, header(level["header"]));
    for (const Json &step : level["steps"].items) {
        if (step.has("add"))
            for (const Json &it : step["add"].items) log.add(object(it));
        if (step.has("ignore"))
            for (const Json &pair : step["ignore"].items) log.ignore(whole(pair[size_t(0)]), whole(pair[1]));
        if (step.has("remove"))
            for (const Json &id : step["remove"].items) log.remove(whole(id));
        frame(log, step["frame"]);
    }
    return file.good() ? 0 : 1;
}
