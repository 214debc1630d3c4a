## Records a Godot scene as a Hitstop log, in JSON Lines: add this node anywhere in the scene, or as an autoload. Godot 4.3 or newer.
##
## It writes every collision shape below [member root] after each step of physics, and the contacts of rigid bodies that monitor them
## (`contact_monitor` and `max_contacts_reported`). CSG shapes and the cells of grid maps are written once they appear; later changes of
## them are not. With [member keep_seconds] above 0 it keeps the last seconds, and [method save] writes them. The output shows the full
## path of the file; a second recording of the same run has a number behind its name: `run 2.jsonl`.
##
## A [member path] like `tcp:127.0.0.1:9740` sends to a Hitstop that listens: the game never waits for it. If it is too slow, the oldest
## frames are dropped, and [member dropped] counts them. Not tried in Godot by the authors of Hitstop: its syntax was checked.
class_name HitstopRecorder
extends Node

## Bytes of lines that may wait for a viewer, and the time between two attempts to connect.
const LIVE_LIMIT := 16 << 20
const LIVE_AGAIN := 1000
## Longest time that a frame of the game spends on sending, in microseconds.
const LIVE_SPEND := 2000
## Milliseconds after which the lines of a file are written at the latest.
const FLUSH_AGAIN := 1000
## Largest number of points of a convex hull in a log.
const HULL_POINTS := 1024

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
var dropped := 0

var _file: FileAccess
var _flushed := 0
var _live: StreamPeerTCP
var _live_again := 0
var _is_connected := false
var _answer := ""
## What the viewer has not taken yet: texts of lines, each with whether it is a frame. The rest of the line that is being sent.
var _queue: Array[Array] = []
var _queue_size := 0
var _sending := PackedByteArray()
var _frame := 0
var _has_gap := false
var _time := 0.0
## Numbers of the shapes, by their keys; -1 for one that is not recorded.
var _numbers := {}
## The kinds of shapes of which a warning was given.
var _warned := {}
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
		_live = StreamPeerTCP.new()
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
		var end := Time.get_ticks_msec() + 2000
		while not (_queue.is_empty() and _sending.is_empty()) and Time.get_ticks_msec() < end and _send():
			OS.delay_msec(5)
		_live.disconnect_from_host()
		if dropped > 0:
			push_warning("Hitstop: %d frames were dropped, as the viewer was too slow; to keep all of them, record to a file" % dropped)
	if _file != null:
		_file.flush()
	# Added again, it goes on with the same log.
	_has_gap = _frame > 0


func _physics_process(delta: float) -> void:
	if not is_instance_valid(root):
		return
	var bodies: Array[Dictionary] = []
	var contacts: Array[Dictionary] = []
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
	var objects := ""
	if _frame == 0:
		objects = JSON.stringify(_header(delta), "", true, true) + "\n"
	elif not _waiting.is_empty():
		objects = JSON.stringify({"spawn": _waiting}, "", true, true) + "\n"
	_waiting = []
	var state := {"frame": _frame, "t": _time, "bodies": bodies}
	if _has_gap:
		state["gap"] = true
		_has_gap = false
	if not contacts.is_empty():
		state["contacts"] = contacts
	var line := JSON.stringify(state, "", true, true) + "\n"
	_frame += 1
	if _live != null:
		_push(objects, false)
		_push(line, true)
		_send()
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


## Adds a line for the viewer; drops the oldest frames beyond the limit. Objects stay.
func _push(line: String, is_frame: bool) -> void:
	if line.is_empty():
		return
	_queue.append([line, is_frame])
	_queue_size += line.length()
	var oldest := 0
	while _queue_size > LIVE_LIMIT and oldest + 1 < _queue.size():
		if _queue[oldest][1]:
			_queue_size -= (_queue.pop_at(oldest)[0] as String).length()
			if not _is_connected:
				continue
			if dropped == 0:
				push_warning("Hitstop: the viewer is too slow, so frames are dropped; to keep all of them, record to a file")
			dropped += 1
		else:
			oldest += 1


## Reads the error line of a viewer, after which it closes the connection, and reports it once.
func _read_answer() -> void:
	var line := _live.get_utf8_string(_live.get_available_bytes())
	var value: Variant = JSON.parse_string(line)
	var answer: String = str((value as Dictionary).get("error", "")) if value is Dictionary else ""
	if not answer.is_empty() and answer != _answer:
		_answer = answer
		push_error("Hitstop: the viewer answers: %s" % answer)
	_live.disconnect_from_host()
	_live_again = Time.get_ticks_msec() + LIVE_AGAIN


## Sends what the viewer takes at once; false while there is none.
func _send() -> bool:
	_live.poll()
	if _live.get_status() == StreamPeerTCP.STATUS_CONNECTED and _live.get_available_bytes() > 0:
		_read_answer()
	if _live.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		_is_connected = false
		if _live.get_status() != StreamPeerTCP.STATUS_CONNECTING and Time.get_ticks_msec() >= _live_again:
			_live_again = Time.get_ticks_msec() + LIVE_AGAIN
			_live.disconnect_from_host()
			var address := path.trim_prefix("tcp:")
			var colon := address.rfind(":")
			_live.connect_to_host(address.left(colon), address.substr(colon + 1).to_int())
		return false
	if not _is_connected:
		_is_connected = true
		# A new viewer gets the objects first.
		_sending = _objects.to_utf8_buffer()
	var end := Time.get_ticks_usec() + LIVE_SPEND
	while Time.get_ticks_usec() < end:
		if _sending.is_empty():
			if _queue.is_empty():
				return true
			var line: Array = _queue.pop_front()
			_queue_size -= (line[0] as String).length()
			if not line[1]:
				_objects += line[0]
			_sending = (line[0] as String).to_utf8_buffer()
		var sent: Array = _live.put_partial_data(_sending)
		if sent[0] != OK or sent[1] == 0:
			return true
		_sending = _sending.slice(sent[1])
	return true


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
	return {
		"hitstop": 1, "name": named.name, "scalar": "f32", "dt": delta, "gravity": _list(down * strength),
		"build": ProjectSettings.get_setting("application/config/version", ""),
		"engine": "jolt" if engine.contains("Jolt") else "godot", "objects": _waiting,
	}


## Names a shape of a body: its owner in the body, and its index there.
func _key(body: CollisionObject3D, shape_owner: int, index: int) -> String:
	return "%d/%d/%d" % [body.get_instance_id(), shape_owner, index]


## One warning for each kind of shape that is not recorded.
func _warn(kind: String, node: Node) -> void:
	if not _warned.has(kind):
		_warned[kind] = true
		push_warning("Hitstop does not record %s, such as %s: the log has no such shape, or it has no extent" % [kind, node.get_path()])


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
			if not _numbers.has(key):
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


func _add(key: String, shape: Shape3D, node: Node3D, placed: Transform3D, layer: int, mask: int) -> void:
	var line: Variant = _shape(shape, placed.basis.get_scale())
	if line == null:
		_warn(shape.get_class(), node)
		_numbers[key] = -1
		return
	var number := _numbers.size()
	_numbers[key] = number
	var place := placed.orthonormalized()
	var object := {
		"id": number, "name": "%s %d" % [node.name, number], "shape": line, "position": _list(place.origin),
		"rotation": _rotation(place.basis), "body": str(node.get_path()), "motion": "kinematic",
		"layer": layer, "mask": mask,
	}
	if node is Area3D:
		object["sensor"] = true
	elif not node is CollisionObject3D or (node is StaticBody3D and not node is AnimatableBody3D):
		object["motion"] = "fixed"
	elif node is RigidBody3D:
		var rigid := node as RigidBody3D
		object["motion"] = "fixed" if rigid.freeze and rigid.freeze_mode == RigidBody3D.FREEZE_MODE_STATIC else "dynamic"
		object["mass"] = rigid.mass
		object["ccd"] = rigid.continuous_cd
	_waiting.append(object)


func _place(number: int, place: Transform3D) -> Dictionary:
	return {"id": number, "p": _list(place.origin), "q": _rotation(place.basis)}


func _body(number: int, body: CollisionObject3D, place: Transform3D) -> Dictionary:
	var state := _place(number, place)
	if body is RigidBody3D:
		var rigid := body as RigidBody3D
		var arm := place.origin - rigid.to_global(rigid.center_of_mass)
		state["v"] = _list(rigid.linear_velocity + rigid.angular_velocity.cross(arm))
		state["w"] = _list(rigid.angular_velocity)
		if rigid.sleeping:
			state["asleep"] = true
	elif body is CharacterBody3D:
		state["v"] = _list((body as CharacterBody3D).velocity)
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
			"a": a, "b": b, "point": _list(theirs), "normal": _list(normal), "depth": (theirs - mine).dot(normal),
		})


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


## The shape, scaled; null for one that the log does not have. All axes of a mirrored scale are negative.
func _shape(shape: Shape3D, scale: Vector3) -> Variant:
	var size := scale.abs()
	if shape is SphereShape3D:
		return {"sphere": {"radius": (shape as SphereShape3D).radius * size.x}}
	if shape is BoxShape3D:
		return {"box": {"half_extents": _list((shape as BoxShape3D).size * size / 2.0)}}
	if shape is CapsuleShape3D:
		var capsule := shape as CapsuleShape3D
		var half := capsule.height / 2.0 - capsule.radius
		return {"capsule": {"half_height": half * size.y, "radius": capsule.radius * size.x}}
	if shape is CylinderShape3D:
		var cylinder := shape as CylinderShape3D
		return {"cylinder": {"half_height": cylinder.height / 2.0 * size.y, "radius": cylinder.radius * size.x}}
	if shape is ConvexPolygonShape3D:
		var points := (shape as ConvexPolygonShape3D).points
		if _is_flat(points):
			return null
		if points.size() > HULL_POINTS:
			points = _extremes(points)
		return {"convex_hull": {"points": _points(points, scale)}}
	if shape is HeightMapShape3D:
		return _height_field(shape as HeightMapShape3D, scale)
	if shape is ConcavePolygonShape3D:
		var concave := shape as ConcavePolygonShape3D
		if concave.get_faces().is_empty():
			return null
		return _mesh(concave.get_faces(), scale, "both" if concave.backface_collision else "front")
	if shape is WorldBoundaryShape3D:
		var plane := (shape as WorldBoundaryShape3D).plane
		return {"plane": {"normal": _list(plane.normal), "offset": plane.d}}
	return null


## Whether all points lie in a plane.
func _is_flat(points: PackedVector3Array) -> bool:
	if points.size() < 4:
		return true
	var along := Vector3.ZERO
	var normal := Vector3.ZERO
	var height := 0.0
	for point in points:
		if (point - points[0]).length() > along.length():
			along = point - points[0]
	for point in points:
		var across := along.cross(point - points[0])
		if across.length() > normal.length():
			normal = across
	for point in points:
		height = maxf(height, absf(normal.dot(point - points[0])))
	return height <= 1e-5 * normal.length() * along.length()


## Three corners a triangle, clockwise from its front in Godot and counter-clockwise in the log.
func _mesh(faces: PackedVector3Array, scale: Vector3, facing: String) -> Dictionary:
	var known := {}
	var vertices: Array = []
	var corners: Array[int] = []
	for corner: Vector3 in faces:
		if not known.has(corner):
			known[corner] = vertices.size()
			vertices.append(_list(corner * scale))
		corners.append(known[corner])
	var triangles: Array = []
	# A mirrored mesh keeps its front.
	var second := 2 if scale.x > 0.0 else 1
	for i in range(0, corners.size() - 2, 3):
		triangles.append([corners[i], corners[i + second], corners[i + 3 - second]])
	return {"mesh": {"vertices": vertices, "triangles": triangles, "facing": facing}}


## Rows along z; null if it has holes. Godot splits a cell from its corner of greatest x to that of greatest z.
func _height_field(map: HeightMapShape3D, scale: Vector3) -> Variant:
	var heights := map.map_data
	var rows: Array = []
	for z in map.map_depth:
		var row: Array = []
		for x in map.map_width:
			var height := heights[z * map.map_width + x]
			if not is_finite(height):
				return null
			row.append(height * scale.y)
		rows.append(row)
	if scale.x < 0.0:
		# Turned by half a turn around y, as both axes are mirrored.
		rows.reverse()
		for row: Array in rows:
			row.reverse()
	return {"height_field": {"heights": rows, "cell": [absf(scale.x), absf(scale.z)], "diagonal": "anti"}}


## The points that are farthest out along 1,000 directions, evenly spread.
func _extremes(points: PackedVector3Array) -> PackedVector3Array:
	const DIRECTIONS := 1000
	var found := {}
	for i in DIRECTIONS:
		var y := 1.0 - (2 * i + 1.0) / DIRECTIONS
		var radius := sqrt(1.0 - y * y)
		var angle := i * PI * (3.0 - sqrt(5.0))
		var along := Vector3(radius * cos(angle), y, radius * sin(angle))
		var best := points[0]
		for point in points:
			if point.dot(along) > best.dot(along):
				best = point
		found[best] = true
	return PackedVector3Array(found.keys())


func _points(points: PackedVector3Array, scale: Vector3) -> Array:
	var list: Array = []
	for point: Vector3 in points:
		list.append(_list(point * scale))
	return list


func _list(v: Vector3) -> Array:
	return [v.x, v.y, v.z]


func _rotation(basis: Basis) -> Array:
	var q := basis.get_rotation_quaternion()
	return [q.x, q.y, q.z, q.w]
