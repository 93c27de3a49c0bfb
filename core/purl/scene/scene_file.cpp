#include "purl/scene/scene_file.h"

#include "purl/base/error.h"
#include "purl/scene/cloth_entry.h"
#include "purl/scene/json_object.h"

#include <cstring>

namespace purl {

using nlohmann::json;

namespace {

std::string beside(const std::string& scene, const std::string& path) {
    const std::size_t slash = scene.rfind('/');
    if (path.empty() || path[0] == '/' || slash == std::string::npos) return path;
    return scene.substr(0, slash + 1) + path;
}

void path(JsonObject& o, const char* key, std::string& out) {
    if (o.text(key, out)) out = beside(o.file(), out);
}

void optional(JsonObject& o, const char* key, Dimension d, std::optional<double>& out) {
    double v;
    if (o.number(key, d, v)) out = v;
}

void least(JsonObject& o, const char* key, double value, double bound, const char* text) {
    if (o.has(key) && !(value > bound))
        throw Error(o.where(key), "is " + numberText(value) + ", expected " + text);
}

// A text, or a list of texts.
std::vector<std::string> texts(const json& v, const std::string& where) {
    std::vector<std::string> out;
    for (const json& item : v.is_array() ? v : json::array({v})) {
        if (!item.is_string())
            throw Error(where, "is " + found(v) + ", expected a text or a list of texts");
        out.push_back(item.get<std::string>());
    }
    return out;
}

void readYarns(JsonObject o, YarnEntry& y) {
    path(o, "file", y.file);
    o.number("scale", Dimension::None, y.scale);
    if (!(y.scale > 0) || !std::isfinite(y.scale))
        throw Error(o.where("scale"), "is " + numberText(y.scale) + ", expected a number > 0");
    optional(o, "radius", Dimension::Length, y.radius);
    if (y.radius) checkRadius(*y.radius, o.where("radius"));
    std::string material;
    if (o.text("material", material)) y.material = material;
    o.number("tex", Dimension::Tex, y.tex);
    least(o, "tex", y.tex, 0, "a yarn count > 0 tex");
    o.integer("ply", y.ply, 1, 100);
    optional(o, "density", Dimension::LinearDensity, y.density);
    optional(o, "bend_stiffness", Dimension::Bending, y.bendStiffness);
    optional(o, "twist_stiffness", Dimension::Bending, y.twistStiffness);
    optional(o, "contact_stiffness", Dimension::Stiffness, y.contactStiffness);
    optional(o, "rest_curvature", Dimension::None, y.restCurvature);
    optional(o, "plastic_radius", Dimension::None, y.plasticRadius);
    optional(o, "plastic_max", Dimension::None, y.plasticMax);
    optional(o, "stretch_stiffness", Dimension::None, y.stretchStiffness);
    o.finish();
}

PatternEntry readPattern(JsonObject o) {
    PatternEntry p;
    PatternSettings& s = p.settings;
    o.text("name", s.name);
    o.integer("wales", s.wales, 1, 100000);
    o.integer("courses", s.courses, 1, 100000);
    if (o.number("radius", Dimension::Length, s.radius)) checkRadius(s.radius, o.where("radius"));
    o.number("wale_spacing", Dimension::Length, s.waleSpacing);
    o.number("course_spacing", Dimension::Length, s.courseSpacing);
    o.flag("tube", s.tube);
    o.flag("continuous", s.continuous);
    o.flag("selvedge", s.bindSelvedges);
    o.flag("bind_off", s.bindOff);
    o.flag("lie", p.lie);
    o.vector("centre", Dimension::Length, p.centre);
    o.finish();
    return p;
}

std::vector<PoseKey> readKeys(const json& list, const std::string& file, const std::string& at) {
    if (!list.is_array())
        throw Error(file + ": " + at, "is " + found(list) + ", expected a list [...]");
    std::vector<PoseKey> keys;
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonObject o(list[i], file, at + "/" + std::to_string(i));
        PoseKey k;
        if (!o.integer("frame", k.frame, -1000000, 1000000))
            throw Error(o.place(), "has no 'frame', expected a frame number");
        o.vector("translate", Dimension::Length, k.pose.translation);
        Vec3 axis = Vec3::UnitY();
        double angle = 0;
        o.vector("axis", Dimension::None, axis);
        o.number("angle", Dimension::Angle, angle);
        if (!(axis.norm() > 0)) throw Error(o.where("axis"), "is zero, expected a direction");
        k.pose.rotation =
            Eigen::AngleAxisd(angle * 3.14159265358979323846 / 180, axis.normalized());
        o.finish();
        if (!keys.empty() && k.frame <= keys.back().frame)
            throw Error(o.where("frame"), "is " + std::to_string(k.frame) +
                                              ", expected more than the key before has (" +
                                              std::to_string(keys.back().frame) + ")");
        keys.push_back(k);
    }
    return keys;
}

ColliderEntry readCollider(const json& v, const std::string& file, const std::string& at) {
    if (v.is_string()) {
        ColliderEntry c = parseCollider(v.get<std::string>(), file + ": " + at);
        if (c.kind == ColliderEntry::Kind::File) c.file = c.where = beside(file, c.file);
        return c;
    }
    JsonObject o(v, file, at);
    ColliderEntry c;
    c.where = o.place();
    std::string shape;
    int kinds = 0;
    if (o.text("shape", shape)) {
        c = parseCollider(shape, o.where("shape"));
        ++kinds;
    }
    if (o.has("file")) {
        c.kind = ColliderEntry::Kind::File;
        path(o, "file", c.file);
        c.where = c.file;
        ++kinds;
    }
    if (kinds != 1)
        throw Error(o.place(),
                    "is " + found(v) +
                        R"(, expected either "shape": "sphere:x,y,z,r" or "file": "a.vdb")");
    o.text("surface", c.surface);
    o.text("velocity", c.velocity);
    o.number("voxel", Dimension::Length, c.voxel);
    optional(o, "friction", Dimension::None, c.friction);
    optional(o, "thickness", Dimension::Length, c.thickness);
    optional(o, "max_push_out", Dimension::Speed, c.maxPushOut);
    if (const json* keys = o.value("keys")) c.keys = readKeys(*keys, file, o.pathOf("keys"));
    o.finish();
    return c;
}

GoalEntry readGoal(JsonObject o) {
    GoalEntry g;
    if (!o.text("group", g.group))
        throw Error(o.place(), "has no 'group', expected a group's name");
    o.number("stiffness", Dimension::Stiffness, g.stiffness);
    least(o, "stiffness", g.stiffness, 0, "a stiffness > 0 N/m");
    o.finish();
    return g;
}

void readForces(JsonObject o, ForceSettings& f) {
    o.vector("gravity", Dimension::Acceleration, f.gravity);
    o.vector("wind", Dimension::Speed, f.wind);
    o.number("air_density", Dimension::Density, f.airDensity);
    o.number("drag_normal", Dimension::None, f.dragNormal);
    o.number("drag_tangent", Dimension::None, f.dragTangent);
    if (o.number("velocity_damping", Dimension::Rate, f.velocityDamping) &&
        !(f.velocityDamping >= 0))
        throw Error(o.where("velocity_damping"),
                    "is " + numberText(f.velocityDamping) + ", expected >= 0 1/s");
    o.flag("drag", f.drag);
    o.number("velocity_damping", Dimension::Rate, f.velocityDamping);
    o.finish();
}

void readDamping(JsonObject o, DampingSettings& d) {
    o.number("proportional", Dimension::Rate, d.proportional);
    o.number("constant", Dimension::Acceleration, d.constant);
    o.number("block_size", Dimension::Length, d.blockSize);
    o.flag("enabled", d.enabled);
    o.finish();
}

void readContact(JsonObject o, SceneFile& s) {
    o.text("method", s.contact);
    o.integer("quadrature", s.settings.contact.quadrature, 2, 11);
    o.number("skin", Dimension::None, s.settings.contact.skin);
    o.number("accuracy", Dimension::None, s.settings.contact.tau);
    o.number("friction", Dimension::None, s.settings.contact.friction);
    o.number("stiffen_below", Dimension::None, s.settings.contact.stiffenBelow);
    o.number("stiffen_factor", Dimension::None, s.settings.contact.stiffenFactor);
    o.finish();
}

void readStep(JsonObject o, StepSettings& s) {
    std::string method;
    if (o.text("method", method)) s.kind = steppingOf(method, o.where("method"));
    o.number("liveliness", Dimension::None, s.liveliness);
    o.number("max_step", Dimension::Time, s.maxStep);
    o.number("tolerance", Dimension::None, s.tolerance);
    o.integer("iterations", s.maxIterations, 1, 100000);
    o.finish();
}

void readLength(JsonObject o, LengthSettings& l) {
    o.flag("inextensible", l.inextensible);
    o.number("tolerance", Dimension::None, l.tolerance);
    o.integer("iterations", l.maxIterations, 1, 1000);
    o.finish();
}

void readCollision(JsonObject o, CollisionSettings& c) {
    o.number("friction", Dimension::None, c.friction);
    o.number("thickness", Dimension::Length, c.thickness);
    o.number("max_push_out", Dimension::Speed, c.maxPushOut);
    o.finish();
}

void readTime(JsonObject o, SceneFile& s) {
    o.text("frames", s.frames);
    o.number("fps", Dimension::None, s.settings.time.fps);
    least(o, "fps", s.settings.time.fps, 0, "a number of frames a second > 0");
    o.integer("substeps", s.settings.time.substeps, 0, 1000000);
    o.number("time_scale", Dimension::None, s.settings.time.timeScale);
    o.finish();
}

} // namespace

Stepping steppingOf(const std::string& name, const std::string& where) {
    if (name == "explicit") return Stepping::Explicit;
    if (name == "implicit") return Stepping::Implicit;
    throw Error(where, "is '" + name + "', expected explicit or implicit");
}

SceneFile parseScene(const std::string& text, const std::string& file) {
    const json root = parseJson(text, file);
    JsonObject o(root, file, "");
    SceneFile s;
    std::string about;
    o.text("about", about); // for people
    if (o.has("yarns")) readYarns(o.object("yarns"), s.yarns);
    if (o.has("cloth")) {
        JsonObject cloth = o.object("cloth");
        path(cloth, "file", s.cloth.file);
        readClothEntry(std::move(cloth), s.cloth);
    }
    if (o.has("fabric")) {
        JsonObject fabric = o.object("fabric");
        path(fabric, "file", s.fabric.file);
        path(fabric, "nodes", s.fabric.nodes);
        readFabricEntry(std::move(fabric), s.fabric);
        const std::string& d = s.fabric.draft;
        for (const char* tail : {".wif", ".txt", ".png", ".json"})
            if (d.size() > 4 && d.compare(d.size() - std::min(d.size(), std::strlen(tail)),
                                          std::string::npos, tail) == 0)
                s.fabric.draft = beside(file, d);
    }
    if (o.has("pattern")) s.pattern = readPattern(o.object("pattern"));
    if (const json* list = o.value("colliders")) {
        if (!list->is_array())
            throw Error(o.where("colliders"), "is " + found(*list) + ", expected a list [...]");
        for (std::size_t i = 0; i < list->size(); ++i)
            s.colliders.push_back(
                readCollider((*list)[i], file, o.pathOf("colliders") + "/" + std::to_string(i)));
    }
    if (const json* pins = o.value("pins")) s.pins = texts(*pins, o.where("pins"));
    if (const json* goals = o.value("goals")) {
        if (!goals->is_array())
            throw Error(o.where("goals"), "is " + found(*goals) + ", expected a list [...]");
        for (std::size_t i = 0; i < goals->size(); ++i)
            s.goals.push_back(
                readGoal({(*goals)[i], file, o.pathOf("goals") + "/" + std::to_string(i)}));
    }
    path(o, "targets", s.targets);
    if (o.has("forces")) readForces(o.object("forces"), s.settings.forces);
    if (o.has("damping")) readDamping(o.object("damping"), s.settings.damping);
    if (o.has("contact")) readContact(o.object("contact"), s);
    if (o.has("integrator")) readStep(o.object("integrator"), s.settings.step);
    if (o.has("length")) readLength(o.object("length"), s.settings.length);
    if (o.has("collision")) readCollision(o.object("collision"), s.settings.collision);
    if (o.has("time")) readTime(o.object("time"), s);
    path(o, "out", s.out);
    path(o, "stats", s.stats);
    o.integer("threads", s.threads, 0, 4096);
    o.finish();
    return s;
}

} // namespace purl
