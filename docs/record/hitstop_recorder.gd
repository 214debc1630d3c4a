## Records a Godot scene as a Hitstop log, in JSON Lines: add this node anywhere in the scene, or as an autoload. Godot 4.3 or newer; keep
## hitstop_shapes.gd and hitstop_live.gd beside this file. Run in Godot 4.6, with Godot Physics and with Jolt.
##
## It writes every collision shape below [member root] after each step of physics, the contacts of rigid bodies that monitor them
## (`contact_monitor` and `max_contacts_reported`), the slide collisions of characters, what RayCast3D and ShapeCast3D nodes hit, and the
## camera of the viewport. A body that is frozen or let go, or whose shape is changed, goes on as another object. CSG shapes and the cells
## of grid maps are written once they appear; later changes of them are not. With [member keep_seconds] above 0 it keeps the last seconds,
## and [method save] writes them. The output shows the full path of the file; a second recording of the same run has a number behind its
## name: `run 2.jsonl`.
##
## A [member path] like `tcp:127.0.0.1:9740` sends to a Hitstop that listens: the game never waits for it. If it is too slow, the oldest
## frames are dropped, and [member dropped] counts them.
class_name HitstopRecorder
extends Node

const Shapes := preload("hitstop_shapes.gd")
const Live := preload("hitstop_live.gd")

## Milliseconds after which the lines of a file are written at the latest.
const FLUSH_AGAIN := 1000
## Largest step, in metres, in which the fraction of a cast is found: Godot Physics halves its path a few times. A coarser one is not recorded.
const CAST_STEP := 0.01

## Files that this run of the game has written.
static var _written := {}

@export var path := "user://run.jsonl"
## Keeps this many seconds in memory instead of writing all; 0 writes all.
@export var keep_seconds := 0.0
## Below it everything is recorded; the whole tree if it is empty.
@export var root: Node
## Writes static bodies in every frame, as scripts can move and free them. Turn it off where they stay: the log is smaller.
@export var fixed_can_move := true

## Number of frames that were dropped because the viewer was too slow.
var dropped: int:
	get:
		return _live.dropped if _live != null else 0

var _file: FileAccess
var _flushed := 0
var _live: Live
var _frame := 0
var _has_gap := false
var _time := 0.0
## Numbers of the shapes, by their keys; -1 for one that is not recorded.
var _numbers := {}
var _count := 0
## Of shapes of bodies, by their keys: the motion and the shape that they were recorded with.
var _states := {}
## Shapes whose changes are watched.
var _watched := {}
## Fixed objects that end where others take their place.
var _removed: Array[int] = []
## The kinds of shapes of which a warning was given.
var _warned := {}
var _names := {}
var _camera: Camera3D
## Of rays and casts: where they were at the frame before.
var _casts := {}
var _waiting: Array[Dictionary] = []
## Of the frames that are kept: the time, the line of new objects or an empty text, and the line.
var _lines: Array[Array] = []
## The header, and the objects that were added before the first frame that is kept.
var _objects := ""


func _ready() -> void:
	# Before all others: the state is that after the step before.
	process_physics_priority = -1000
	if root == null:
		root = get_tree().root
	if keep_seconds <= 0.0 and path.begins_with("tcp:"):
		_live = Live.new(path.trim_prefix("tcp:"))
	elif keep_seconds <= 0.0:
		_file = _create()


## Creates the file, under a name that this run has not used; null with an error.
func _create() -> FileAccess:
	if not path.ends_with(".jsonl"):
		push_error("Hitstop cannot write %s: the path must end in .jsonl; `hitstop convert` makes .jsonl.gz, .jsonl.zst and .parquet of it" % path)
		return null
	var at := path
	var count := 1
	while _written.has(at):
		count += 1
		at = "%s %d.jsonl" % [path.trim_suffix(".jsonl"), count]
	var file := FileAccess.open(at, FileAccess.WRITE)
	if file == null:
		push_error("Hitstop cannot write %s: %s" % [at, error_string(FileAccess.get_open_error())])
		return null
	_written[at] = true
	print("Hitstop records to ", ProjectSettings.globalize_path(at))
	return file


func _exit_tree() -> void:
	if _live != null:
		_live.close()
	if _file != null:
		_file.flush()
	# Added again, it goes on with the same log.
	_has_gap = _frame > 0


func _physics_process(delta: float) -> void:
	if not is_instance_valid(root):
		return
	var bodies: Array[Dictionary] = []
	var contacts: Array[Dictionary] = []
	var known := _count
	for node: Node in root.find_children("*", "CollisionObject3D", true, false):
		_add_body(node as CollisionObject3D, bodies)
	for node: Node in root.find_children("*", "CSGShape3D", true, false):
		_add_csg(node as CSGShape3D, bodies)
	for node: Node in root.find_children("*", "GridMap", true, false):
		_add_grid(node as GridMap)
	for node: Node in root.find_children("*", "SoftBody3D", true, false):
		_warn("SoftBody3D", node)
	for node: Node in root.find_children("*", "RigidBody3D", true, false):
		_add_contacts(node as RigidBody3D, contacts)
	for node: Node in root.find_children("*", "CharacterBody3D", true, false):
		_add_slides(node as CharacterBody3D, contacts)
	# Those of an object that is new are of the shape before it.
	contacts = contacts.filter(func(it: Dictionary) -> bool: return it["a"] < known and it["b"] < known)
	var queries: Array[Dictionary] = []
	for node: Node in root.find_children("*", "RayCast3D", true, false):
		_add_ray(node as RayCast3D, queries)
	for node: Node in root.find_children("*", "ShapeCast3D", true, false):
		_add_sweep(node as ShapeCast3D, queries)
	var objects := ""
	if _frame == 0:
		objects = JSON.stringify(_header(delta), "", true, true) + "\n"
	elif not _waiting.is_empty():
		objects = JSON.stringify({"spawn": _waiting, "remove": _removed}, "", true, true) + "\n"
	_waiting = []
	_removed = []
	var state := {"frame": _frame, "t": _time, "bodies": bodies}
	if _has_gap:
		state["gap"] = true
		_has_gap = false
	if not contacts.is_empty():
		state["contacts"] = contacts
	if not queries.is_empty():
		state["queries"] = queries
	var camera := get_viewport().get_camera_3d()
	if camera != null:
		state["camera"] = _place_of_camera(camera)
	var line := JSON.stringify(state, "", true, true) + "\n"
	_frame += 1
	if _live != null:
		_live.push(objects, false)
		_live.push(line, true)
		_live.send()
	elif _file != null:
		_file.store_string(objects + line)
		if Time.get_ticks_msec() - _flushed > FLUSH_AGAIN:
			_file.flush()
			_flushed = Time.get_ticks_msec()
	elif keep_seconds > 0.0:
		_lines.append([_time, objects, line])
		while _lines[0][0] < _time - keep_seconds - 1e-6:
			_objects += _lines.pop_front()[1]
	_time += delta


## Writes the seconds that are kept to a new file, and goes on keeping them.
func save() -> void:
	var file := _create()
	if file == null:
		return
	file.store_string(_objects)
	for line: Array in _lines:
		file.store_string(line[1] + line[2])
	file.close()


func _header(delta: float) -> Dictionary:
	var down: Vector3 = ProjectSettings.get_setting("physics/3d/default_gravity_vector")
	var strength: float = ProjectSettings.get_setting("physics/3d/default_gravity")
	var engine: String = ProjectSettings.get_setting("physics/3d/physics_engine")
	var named := root
	if root == get_tree().root and get_tree().current_scene != null:
		named = get_tree().current_scene
	var header := {
		"hitstop": 1, "name": named.name, "scalar": "f32", "dt": delta, "gravity": Shapes.list(down * strength),
		"build": ProjectSettings.get_setting("application/config/version", ""),
		"engine": "godot jolt" if engine.contains("Jolt") else "godot", "objects": _waiting,
	}
	var camera := get_viewport().get_camera_3d()
	if camera != null and camera.projection == Camera3D.PROJECTION_PERSPECTIVE:
		var size := get_viewport().get_visible_rect().size
		var fov := camera.fov
		if camera.keep_aspect == Camera3D.KEEP_WIDTH:
			fov = rad_to_deg(2.0 * atan(tan(deg_to_rad(fov) / 2.0) * size.y / size.x))
		header["lens"] = {"near": camera.near, "fov": fov, "aspect": size.x / size.y}
	return header


## Teleported where another camera takes over.
func _place_of_camera(camera: Camera3D) -> Dictionary:
	var place := camera.global_transform.orthonormalized()
	var state := {"p": Shapes.list(place.origin), "q": Shapes.rotation(place.basis)}
	if _camera != null and _camera != camera:
		state["teleported"] = true
	_camera = camera
	return state


## Names a shape of a body: its owner in the body, and its index there.
func _key(body: CollisionObject3D, shape_owner: int, index: int) -> String:
	return "%d/%d/%d" % [body.get_instance_id(), shape_owner, index]


## The node's name, with a number if it is taken.
func _unique(name_of_node: String) -> String:
	var free := name_of_node
	var count := 1
	while _names.has(free):
		count += 1
		free = "%s %d" % [name_of_node, count]
	_names[free] = true
	return free


## One warning for each kind of node that is not recorded.
func _warn(kind: String, node: Node, why := ": the log has no such shape, or it has no extent") -> void:
	if not _warned.has(kind):
		_warned[kind] = true
		push_warning("Hitstop does not record %s, such as %s%s" % [kind, node.get_path(), why])


## Adds the shapes of a body that are new, and the states of those that are recorded.
func _add_body(body: CollisionObject3D, bodies: Array[Dictionary]) -> void:
	var is_still := body is StaticBody3D and not body is AnimatableBody3D
	for shape_owner: int in body.get_shape_owners():
		if body.is_shape_owner_disabled(shape_owner):
			continue
		var place := body.global_transform * body.shape_owner_get_transform(shape_owner)
		for index in body.shape_owner_get_shape_count(shape_owner):
			var shape := body.shape_owner_get_shape(shape_owner, index)
			if shape == null:
				continue
			var key := _key(body, shape_owner, index)
			# One that moves in another way or has another shape than before goes on as another object.
			var now := [_motion(body), shape]
			if _states.get(key, []) != now:
				if is_still and not fixed_can_move and _numbers.get(key, -1) >= 0:
					_removed.append(_numbers[key])
				_states[key] = now
				_watch(shape)
				_add(key, shape, body, place, body.collision_layer, body.collision_mask)
			if _numbers[key] >= 0 and (fixed_can_move or not is_still):
				bodies.append(_body(_numbers[key], body, place.orthonormalized()))


## A CSG shape is its mesh; one that is not built yet waits.
func _add_csg(csg: CSGShape3D, bodies: Array[Dictionary]) -> void:
	if not csg.use_collision or not csg.is_root_shape():
		return
	var key := str(csg.get_instance_id())
	if not _numbers.has(key):
		var meshes := csg.get_meshes()
		if meshes.size() < 2 or (meshes[1] as Mesh).get_faces().is_empty():
			return
		var shape := ConcavePolygonShape3D.new()
		shape.set_faces((meshes[1] as Mesh).get_faces())
		_add(key, shape, csg, csg.global_transform, csg.collision_layer, csg.collision_mask)
	if fixed_can_move:
		bodies.append(_place(_numbers[key], csg.global_transform.orthonormalized()))


## The shapes of all cells, once.
func _add_grid(grid: GridMap) -> void:
	var key := str(grid.get_instance_id())
	if _numbers.has(key) or grid.mesh_library == null:
		return
	_numbers[key] = -1
	for cell: Vector3i in grid.get_used_cells():
		var turned := grid.get_cell_item_basis(cell).scaled(Vector3.ONE * grid.cell_scale)
		var place := grid.global_transform * Transform3D(turned, grid.map_to_local(cell))
		# A shape, its place, and so on.
		var shapes := grid.mesh_library.get_item_shapes(grid.get_cell_item(cell))
		for i in range(0, shapes.size() - 1, 2):
			var at: Transform3D = place * (shapes[i + 1] as Transform3D)
			_add("%s/%s/%d" % [key, cell, i], shapes[i], grid, at, grid.collision_layer, grid.collision_mask)


## A shape whose size is changed is another one.
func _watch(shape: Shape3D) -> void:
	if _watched.has(shape):
		return
	_watched[shape] = true
	shape.changed.connect(func() -> void:
		for key: String in _states:
			if _states[key].size() > 1 and _states[key][1] == shape:
				_states[key] = [])


func _motion(node: Node3D) -> String:
	if node is RigidBody3D:
		var rigid := node as RigidBody3D
		if not rigid.freeze:
			return "dynamic"
		return "fixed" if rigid.freeze_mode == RigidBody3D.FREEZE_MODE_STATIC else "kinematic"
	var is_still := not node is CollisionObject3D or (node is StaticBody3D and not node is AnimatableBody3D)
	return "fixed" if is_still else "kinematic"


func _add(key: String, shape: Shape3D, node: Node3D, placed: Transform3D, layer: int, mask: int) -> void:
	var line: Variant = Shapes.write(shape, placed.basis.get_scale())
	if line == null:
		_warn(shape.get_class(), node)
		_numbers[key] = -1
		return
	var number := _count
	_count += 1
	_numbers[key] = number
	var place := placed.orthonormalized()
	var object := {
		"id": number, "name": _unique(node.name), "layer": layer, "mask": mask, "shape": line, "position": Shapes.list(place.origin),
		"rotation": Shapes.rotation(place.basis), "body": str(node.get_path()), "motion": _motion(node),
	}
	if node is Area3D:
		object["sensor"] = true
	elif not node is CollisionObject3D or node is StaticBody3D:
		# In Godot the mask of the body that moves into another is enough, in a log both must match.
		object["mask"] = 0xFFFFFFFF
	else:
		# Of no layer: what stands still meets it nevertheless.
		object["layer"] = layer if layer != 0 else 1 << 31
	if node is RigidBody3D:
		var rigid := node as RigidBody3D
		object["mass"] = rigid.mass
		object["ccd"] = rigid.continuous_cd
	_waiting.append(object)


func _place(number: int, place: Transform3D) -> Dictionary:
	return {"id": number, "p": Shapes.list(place.origin), "q": Shapes.rotation(place.basis)}


func _body(number: int, body: CollisionObject3D, place: Transform3D) -> Dictionary:
	var state := _place(number, place)
	if body is RigidBody3D:
		var rigid := body as RigidBody3D
		var arm := place.origin - rigid.to_global(rigid.center_of_mass)
		state["v"] = Shapes.list(rigid.linear_velocity + rigid.angular_velocity.cross(arm))
		state["w"] = Shapes.list(rigid.angular_velocity)
		if rigid.sleeping:
			state["asleep"] = true
	elif body is CharacterBody3D:
		state["v"] = Shapes.list((body as CharacterBody3D).velocity)
	return state


## Every point of a pair, of the side with the lower number where both monitor.
func _add_contacts(body: RigidBody3D, contacts: Array[Dictionary]) -> void:
	var state := PhysicsServer3D.body_get_direct_state(body.get_rid())
	if state == null or not body.contact_monitor:
		return
	for i in state.get_contact_count():
		var other := state.get_contact_collider_object(i) as Node
		var a: int = _number_of(body, state.get_contact_local_shape(i))
		var b: int = _number_of(other, state.get_contact_collider_shape(i))
		var is_twice := other is RigidBody3D and (other as RigidBody3D).contact_monitor and a > b
		if a < 0 or b < 0 or is_twice:
			continue
		var mine := state.get_contact_local_position(i)
		var theirs := state.get_contact_collider_position(i)
		var normal := state.get_contact_local_normal(i)
		contacts.append({
			"a": a, "b": b, "point": Shapes.list(theirs), "normal": Shapes.list(normal), "depth": (theirs - mine).dot(normal),
		})


## The collisions of a character's last `move_and_slide`.
func _add_slides(body: CharacterBody3D, contacts: Array[Dictionary]) -> void:
	for i in body.get_slide_collision_count():
		var slide := body.get_slide_collision(i)
		for k in slide.get_collision_count():
			var a := _number_of_owner(body, slide.get_local_shape(k))
			var b := _number_of(slide.get_collider(k) as Node, slide.get_collider_shape_index(k))
			if a < 0 or b < 0:
				continue
			contacts.append({
				"a": a, "b": b, "point": Shapes.list(slide.get_position(k)), "normal": Shapes.list(slide.get_normal(k)),
				"depth": slide.get_depth(),
			})


## The shape of a CollisionShape3D node, or the first one.
func _number_of_owner(body: CollisionObject3D, node: Object) -> int:
	for shape_owner: int in body.get_shape_owners():
		var is_it := node == null or body.shape_owner_get_owner(shape_owner) == node
		if is_it and body.shape_owner_get_shape_count(shape_owner) > 0:
			return _numbers.get(_key(body, shape_owner, 0), -1)
	return -1


## The body that a ray or a cast is a part of, as its first shape.
func _caster(node: Node) -> int:
	var body := node.get_parent()
	while body != null and not body is CollisionObject3D:
		body = body.get_parent()
	return _number_of_owner(body as CollisionObject3D, null) if body != null else -1


## A query of a node from its origin to `target`, which it last made before this step or, as its parent moved it, after the frame before: of the two
## places, that on whose path `point` lies.
func _query(kind: String, node: Node3D, target: Vector3, mask: int, point: Variant) -> Dictionary:
	var places: Array[Transform3D] = [_casts.get(node.get_instance_id(), node.global_transform), node.global_transform]
	_casts[node.get_instance_id()] = node.global_transform
	var place := places[1]
	if point != null:
		var gaps := places.map(func(it: Transform3D) -> float:
			return Geometry3D.get_closest_point_to_segment(point, it.origin, it * target).distance_to(point))
		place = places[0] if gaps[0] < gaps[1] else places[1]
	var query := {"kind": kind, "from": Shapes.list(place.origin), "to": Shapes.list(place * target), "mask": mask, "hit": null}
	var caster := _caster(node)
	if caster >= 0:
		query["id"] = caster
	if kind == "sweep":
		query["q"] = Shapes.rotation(place.basis.orthonormalized())
	return query


## A ray that hits something that is not recorded is left out.
func _add_ray(ray: RayCast3D, queries: Array[Dictionary]) -> void:
	if not ray.enabled or not ray.collide_with_bodies or not _casts.has(ray.get_instance_id()):
		# Not asked yet.
		_casts[ray.get_instance_id()] = ray.global_transform
		return
	var point: Variant = ray.get_collision_point() if ray.is_colliding() else null
	var query := _query("ray", ray, ray.target_position, ray.collision_mask, point)
	if point != null:
		var other := _number_of(ray.get_collider() as Node, ray.get_collider_shape())
		if other < 0:
			return
		var from := Vector3(query["from"][0], query["from"][1], query["from"][2])
		var to := Vector3(query["to"][0], query["to"][1], query["to"][2])
		query["hit"] = {"id": other, "fraction": from.distance_to(point) / from.distance_to(to), "normal": Shapes.list(ray.get_collision_normal())}
	queries.append(query)


func _add_sweep(cast: ShapeCast3D, queries: Array[Dictionary]) -> void:
	if not cast.enabled or not cast.collide_with_bodies or cast.shape == null or cast.target_position.is_zero_approx() or not _casts.has(cast.get_instance_id()):
		_casts[cast.get_instance_id()] = cast.global_transform
		return
	var query := _query("sweep", cast, cast.target_position, cast.collision_mask, null)
	query["shape"] = Shapes.write(cast.shape, cast.global_transform.basis.get_scale())
	if query["shape"] == null or query["shape"].has("mesh") or query["shape"].has("height_field") or query["shape"].has("plane"):
		_warn("a cast of " + cast.shape.get_class(), cast)
		return
	if cast.is_colliding():
		var other := _number_of(cast.get_collider(0) as Node, cast.get_collider_shape(0))
		var safe := cast.get_closest_collision_safe_fraction()
		var unsafe := cast.get_closest_collision_unsafe_fraction()
		if other < 0:
			return
		if (unsafe - safe) * cast.target_position.length() > CAST_STEP:
			_warn("hits of long casts", cast, ": Godot Physics finds their fraction only in steps of a centimetre and more")
			return
		query["hit"] = {"id": other, "fraction": (safe + unsafe) / 2.0, "normal": Shapes.list(cast.get_collision_normal(0))}
	queries.append(query)


func _number_of(node: Node, shape: int) -> int:
	if node is CSGShape3D:
		return _numbers.get(str(node.get_instance_id()), -1)
	var body := node as CollisionObject3D
	if body == null:
		return -1
	var shape_owner := body.shape_find_owner(shape)
	for index in body.shape_owner_get_shape_count(shape_owner):
		if body.shape_owner_get_shape_index(shape_owner, index) == shape:
			return _numbers.get(_key(body, shape_owner, index), -1)
	return -1
