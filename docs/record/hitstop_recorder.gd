## Records a Godot scene as a Hitstop log, in JSON Lines: add this node anywhere in the scene. Godot 4.3 or newer.
##
## It writes every collision shape below [member root] after each step of physics, and the contacts of rigid bodies that monitor them
## (`contact_monitor` and `max_contacts_reported`). With [member keep_seconds] above 0 it keeps the last seconds, and [method save]
## writes them. A [member path] like `tcp:127.0.0.1:9740` sends to a Hitstop that listens: the game never waits for it, and the oldest
## frames are dropped if it is too slow. Not tried in Godot by the authors of Hitstop: its syntax was checked.
class_name HitstopRecorder
extends Node

## Bytes of lines that may wait for a viewer, and the time between two attempts to connect.
const LIVE_LIMIT := 16 << 20
const LIVE_AGAIN := 1000

@export var path := "user://run.jsonl"
## Keeps this many seconds in memory instead of writing all; 0 writes all.
@export var keep_seconds := 0.0
## Below it everything is recorded; the current scene if it is empty.
@export var root: Node

var _log: FileAccess
var _live: StreamPeerTCP
var _live_again := 0
var _is_connected := false
## What the viewer has not taken yet: texts of lines, each with whether it is a frame. The rest of the line that is being sent.
var _queue: Array[Array] = []
var _queue_size := 0
var _sending := PackedByteArray()
var _frame := 0
var _time := 0.0
## Numbers of the shapes, by node; -1 for one that is not recorded.
var _numbers := {}
var _waiting: Array[Dictionary] = []
## Of the frames that are kept: the time, the line of new objects or an empty text, and the line.
var _lines: Array[Array] = []
## The header, and the objects that were added before the first frame that is kept.
var _objects := ""


func _ready() -> void:
	# Before all others: the state is that after the step before.
	process_physics_priority = -1000
	if root == null:
		root = get_tree().current_scene
	if keep_seconds <= 0.0 and path.begins_with("tcp:"):
		_live = StreamPeerTCP.new()
	elif keep_seconds <= 0.0:
		_log = FileAccess.open(path, FileAccess.WRITE)
		if _log == null:
			push_error("Hitstop cannot write %s: %s" % [path, error_string(FileAccess.get_open_error())])


func _exit_tree() -> void:
	if _live != null:
		var end := Time.get_ticks_msec() + 2000
		while not (_queue.is_empty() and _sending.is_empty()) and Time.get_ticks_msec() < end and _send():
			OS.delay_msec(5)
		_live.disconnect_from_host()
		_live = null
	if _log != null:
		_log.close()
		_log = null


func _physics_process(delta: float) -> void:
	var bodies: Array[Dictionary] = []
	var contacts: Array[Dictionary] = []
	for node: Node in root.find_children("*", "CollisionShape3D", true, false):
		var shape := node as CollisionShape3D
		var owner_body := shape.get_parent() as CollisionObject3D
		if owner_body == null or shape.disabled or shape.shape == null:
			continue
		if not _numbers.has(shape):
			_add(shape, owner_body)
		var is_still := owner_body is StaticBody3D and not owner_body is AnimatableBody3D
		if _numbers[shape] >= 0 and not is_still:
			bodies.append(_body(shape, owner_body))
	for node: Node in root.find_children("*", "RigidBody3D", true, false):
		_add_contacts(node as RigidBody3D, contacts)
	var objects := ""
	if _frame == 0:
		objects = JSON.stringify(_header(delta), "", true, true) + "\n"
	elif not _waiting.is_empty():
		objects = JSON.stringify({"spawn": _waiting}, "", true, true) + "\n"
	_waiting = []
	var state := {"frame": _frame, "t": _time, "bodies": bodies}
	if not contacts.is_empty():
		state["contacts"] = contacts
	var line := JSON.stringify(state, "", true, true) + "\n"
	_frame += 1
	if _live != null:
		_push(objects, false)
		_push(line, true)
		_send()
	elif _log != null:
		_log.store_string(objects + line)
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
		else:
			oldest += 1


## Sends what the viewer takes at once; false while there is none.
func _send() -> bool:
	_live.poll()
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
	while true:
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


## Writes the seconds that are kept, and goes on keeping them.
func save() -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		push_error("Hitstop cannot write %s: %s" % [path, error_string(FileAccess.get_open_error())])
		return
	file.store_string(_objects)
	for line: Array in _lines:
		file.store_string(line[1] + line[2])
	file.close()


func _header(delta: float) -> Dictionary:
	var down: Vector3 = ProjectSettings.get_setting("physics/3d/default_gravity_vector")
	var strength: float = ProjectSettings.get_setting("physics/3d/default_gravity")
	var engine: String = ProjectSettings.get_setting("physics/3d/physics_engine")
	return {
		"hitstop": 1, "name": root.name, "scalar": "f32", "dt": delta, "gravity": _list(down * strength),
		"build": ProjectSettings.get_setting("application/config/version", ""),
		"engine": "jolt" if engine.contains("Jolt") else "godot", "objects": _waiting,
	}


func _add(node: CollisionShape3D, body: CollisionObject3D) -> void:
	var shape: Variant = _shape(node)
	if shape == null:
		push_warning("Hitstop does not record %s: its kind of shape is not known" % node.get_path())
		_numbers[node] = -1
		return
	var number := _numbers.size()
	_numbers[node] = number
	var place := node.global_transform.orthonormalized()
	var object := {
		"id": number, "name": "%s %d" % [body.name, number], "shape": shape, "position": _list(place.origin),
		"rotation": _rotation(place.basis), "body": str(body.get_path()), "motion": "kinematic",
		"layer": body.collision_layer, "mask": body.collision_mask,
	}
	if body is Area3D:
		object["sensor"] = true
	elif body is StaticBody3D and not body is AnimatableBody3D:
		object["motion"] = "fixed"
	elif body is RigidBody3D:
		var rigid := body as RigidBody3D
		object["motion"] = "fixed" if rigid.freeze and rigid.freeze_mode == RigidBody3D.FREEZE_MODE_STATIC else "dynamic"
		object["mass"] = rigid.mass
		object["ccd"] = rigid.continuous_cd
	_waiting.append(object)


func _body(node: CollisionShape3D, body: CollisionObject3D) -> Dictionary:
	var place := node.global_transform.orthonormalized()
	var state := {"id": _numbers[node], "p": _list(place.origin), "q": _rotation(place.basis)}
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
		var other := state.get_contact_collider_object(i) as CollisionObject3D
		if other == null:
			continue
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


func _number_of(body: CollisionObject3D, shape: int) -> int:
	var node := body.shape_owner_get_owner(body.shape_find_owner(shape))
	return _numbers.get(node, -1)


## The shape in the space of its node, scaled; null for one that the log does not have.
func _shape(node: CollisionShape3D) -> Variant:
	var scale := node.global_transform.basis.get_scale()
	var shape := node.shape
	if shape is SphereShape3D:
		return {"sphere": {"radius": (shape as SphereShape3D).radius * scale.x}}
	if shape is BoxShape3D:
		return {"box": {"half_extents": _list((shape as BoxShape3D).size * scale / 2.0)}}
	if shape is CapsuleShape3D:
		var capsule := shape as CapsuleShape3D
		var half := capsule.height / 2.0 - capsule.radius
		return {"capsule": {"half_height": half * scale.y, "radius": capsule.radius * scale.x}}
	if shape is CylinderShape3D:
		var cylinder := shape as CylinderShape3D
		return {"cylinder": {"half_height": cylinder.height / 2.0 * scale.y, "radius": cylinder.radius * scale.x}}
	if shape is ConvexPolygonShape3D:
		return {"convex_hull": {"points": _points((shape as ConvexPolygonShape3D).points, scale)}}
	if shape is ConcavePolygonShape3D:
		var concave := shape as ConcavePolygonShape3D
		return _mesh(concave.get_faces(), scale, "both" if concave.backface_collision else "front")
	if shape is WorldBoundaryShape3D:
		var plane := (shape as WorldBoundaryShape3D).plane
		return {"plane": {"normal": _list(plane.normal), "offset": plane.d}}
	return null


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
	for i in range(0, corners.size() - 2, 3):
		triangles.append([corners[i], corners[i + 2], corners[i + 1]])
	return {"mesh": {"vertices": vertices, "triangles": triangles, "facing": facing}}


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
