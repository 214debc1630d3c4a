## What the recorders of Godot in 2D and 3D share: add hitstop_recorder.gd or hitstop_recorder_2d.gd to your scene, and keep this file beside it.
extends Node

const Live := preload("hitstop_live.gd")

## Milliseconds after which the lines of a file are written at the latest.
const FLUSH_AGAIN := 1000

## Files that this run of the game has written.
static var _written := {}
## The recorders that are in the tree.
static var _recorders: Array[Node] = []

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
## The end of the names of its classes, and the largest step in which the fraction of a cast is found: the engine halves its path a few times. A coarser
## one is not recorded.
var _dimension := ""
var _cast_step := 0.0
## Of rays and casts: where they were at the frame before.
var _casts := {}
## Of characters: where they were at the frame before.
var _places := {}
var _waiting: Array[Dictionary] = []
## What scripts have added to the frame: the list that it is in, its fields, a reference to its node, and the number of that when it was added.
var _notes: Array[Array] = []
## Of the frames that are kept: the time, the line of new objects or an empty text, and the line.
var _lines: Array[Array] = []
## The header, and the objects that were added before the first frame that is kept.
var _objects := ""


## Adds a line of the game's own log to the frame, from any script: [code]HitstopRecorder.message("jump", self)[/code]. [param node] is what it is about;
## [param level] is debug, info, warning or error. Without a recorder nothing happens.
static func message(text: String, node: Node = null, level := "info") -> void:
	_add_note("log", {"text": text} if level == "info" else {"text": text, "level": level}, node)


## Adds a value of the game to the frame: a number, true or false, or the name of a state.
static func value(called: String, what: Variant, node: Node = null) -> void:
	var is_text := what is String or what is StringName
	_add_note("values", {"name": called, "text": str(what)} if is_text else {"name": called, "value": what}, node)


## Adds a drawing to the frame: a point, a line of two, or a polyline of up to 256, in the world, with a sphere of [param radius] at each. [param color]
## is a [Color].
static func mark(points: Array, called := "", node: Node = null, radius := 0.0, color: Variant = null) -> void:
	var fields := {"points": points}
	if called != "":
		fields["name"] = called
	if radius > 0.0:
		fields["radius"] = radius
	if color is Color:
		fields["color"] = [color.r8, color.g8, color.b8]
	_add_note("marks", fields, node)


static func _add_note(list: String, fields: Dictionary, node: Node) -> void:
	for recorder in _recorders:
		recorder._notes.append([list, fields.duplicate(), weakref(node), recorder._number_of_node(node)])


func _enter_tree() -> void:
	_recorders.append(self)


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
	_recorders.erase(self)
	_notes.clear()
	if _live != null:
		_live.close()
	if _file != null:
		_file.flush()
	# Added again, it goes on with the same log.
	_has_gap = _frame > 0


func _physics_process(delta: float) -> void:
	if not is_instance_valid(root):
		return
	var state := {"frame": _frame, "t": _time}
	_fill(state)
	if _has_gap:
		state["gap"] = true
		_has_gap = false
	var objects := ""
	if _frame == 0:
		objects = JSON.stringify(_header(delta), "", true, true) + "\n"
	elif not _waiting.is_empty():
		objects = JSON.stringify({"spawn": _waiting, "remove": _removed}, "", true, true) + "\n"
	_waiting = []
	_removed = []
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


# What differs in 2D and 3D. Vectors, places and nodes of both have the same members.

func _header(_delta: float) -> Dictionary:
	return {}


## A shape, scaled by the place of its node; null for one that the log does not have.
func _write(_shape: Resource, _place: Variant) -> Variant:
	return null


func _list(_vector: Variant) -> Array:
	return []


## Position and rotation.
func _pose(_place: Variant) -> Dictionary:
	return {}


## Velocity and spin of a rigid body at a point.
func _velocity(_body: Node, _at: Variant) -> Dictionary:
	return {}


func _direct_state(_body: Node) -> Object:
	return null


## Objects that are not of bodies, and warnings for nodes that are left out.
func _add_others(_bodies: Array[Dictionary]) -> void:
	pass


## The collisions of a character's last `move_and_slide`.
func _add_slides(_body: Node, _contacts: Array[Dictionary]) -> void:
	pass


## What is not of bodies in a frame.
func _add_view(_state: Dictionary) -> void:
	pass


func _all(kind: String) -> Array[Node]:
	return root.find_children("*", kind + _dimension, true, false)


func _fill(state: Dictionary) -> void:
	var bodies: Array[Dictionary] = []
	var contacts: Array[Dictionary] = []
	var queries: Array[Dictionary] = []
	var moves: Array[Dictionary] = []
	var known := _count
	for body in _all("CollisionObject"):
		_add_body(body, bodies)
	_add_others(bodies)
	for body in _all("RigidBody"):
		_add_contacts(body, contacts)
	for body in _all("CharacterBody"):
		_add_slides(body, contacts)
		_add_move(body, moves)
	# Those of an object that is new are of the shape before it.
	contacts = contacts.filter(func(it: Dictionary) -> bool: return it["a"] < known and it["b"] < known)
	for ray in _all("RayCast"):
		_add_ray(ray, queries)
	for cast in _all("ShapeCast"):
		_add_sweep(cast, queries)
	state["bodies"] = bodies
	if not contacts.is_empty():
		state["contacts"] = contacts
	if not queries.is_empty():
		state["queries"] = queries
	if not moves.is_empty():
		state["moves"] = moves
	var apart := _apart()
	if not apart.is_empty():
		state["joints"] = apart
	_write_notes(state)
	_add_view(state)


func _write_notes(state: Dictionary) -> void:
	for note: Array in _notes:
		var fields: Dictionary = note[1]
		# One that was made or changed in this frame has its number by now; one that was freed had one.
		var now := _number_of_node(note[2].get_ref() as Node)
		var number: int = now if now >= 0 else note[3]
		if number >= 0:
			fields["id"] = number
		if fields.has("points"):
			fields["points"] = fields["points"].map(_list)
		state.get_or_add(note[0], []).append(fields)
	_notes.clear()


## Pairs that the engine keeps apart now: those of joints, which are collision exceptions too, and those of the game.
func _apart() -> Array:
	var pairs := {}
	for body in _all("PhysicsBody"):
		for other: Node in body.get_collision_exceptions():
			for one in _numbers_of(body):
				for two in _numbers_of(other):
					pairs[[mini(one, two), maxi(one, two)]] = true
	return pairs.keys()


## The objects of a body.
func _numbers_of(body: Node) -> Array[int]:
	var numbers: Array[int] = []
	if body is CollisionObject3D or body is CollisionObject2D:
		for shape_owner: int in body.get_shape_owners():
			for index: int in body.shape_owner_get_shape_count(shape_owner):
				var number: int = _numbers.get(_key(body, shape_owner, index), -1)
				if number >= 0:
					numbers.append(number)
	return numbers


## Names a shape of a body: its owner in the body, and its index there.
func _key(body: Node, shape_owner: int, index: int) -> String:
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
func _add_body(body: Node, bodies: Array[Dictionary]) -> void:
	var is_still := _is_still(body)
	for shape_owner: int in body.get_shape_owners():
		if body.is_shape_owner_disabled(shape_owner):
			continue
		var place = body.global_transform * body.shape_owner_get_transform(shape_owner)
		for index in body.shape_owner_get_shape_count(shape_owner):
			var shape: Resource = body.shape_owner_get_shape(shape_owner, index)
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
				_add(key, shape, body, place, body.collision_layer, body.collision_mask, _one_way(body, shape_owner, place))
			if _numbers[key] >= 0 and (fixed_can_move or not is_still):
				bodies.append(_body(_numbers[key], body, place))


## The direction in which others pass a shape, if there is one.
func _one_way(_body: Node, _shape_owner: int, _place: Variant) -> Dictionary:
	return {}


## A shape whose size is changed is another one.
func _watch(shape: Resource) -> void:
	if _watched.has(shape):
		return
	_watched[shape] = true
	shape.changed.connect(func() -> void:
		for key: String in _states:
			if _states[key].size() > 1 and _states[key][1] == shape:
				_states[key] = [])


func _is_still(node: Node) -> bool:
	var is_body := node is CollisionObject3D or node is CollisionObject2D
	return not is_body or (node is StaticBody3D and not node is AnimatableBody3D) or (node is StaticBody2D and not node is AnimatableBody2D)


func _is_rigid(node: Node) -> bool:
	return node is RigidBody3D or node is RigidBody2D


func _motion(node: Node) -> String:
	if _is_rigid(node):
		if not node.freeze:
			return "dynamic"
		# The same value in 2D.
		return "fixed" if node.freeze_mode == RigidBody3D.FREEZE_MODE_STATIC else "kinematic"
	return "fixed" if _is_still(node) else "kinematic"


func _add(key: String, shape: Resource, node: Node, place: Variant, layer: int, mask: int, more := {}) -> void:
	var line: Variant = _write(shape, place)
	if line == null:
		_warn(shape.get_class(), node)
		_numbers[key] = -1
		return
	var number := _count
	_count += 1
	_numbers[key] = number
	var pose := _pose(place)
	var object := {
		"id": number, "name": _unique(node.name), "layer": layer, "mask": mask, "shape": line, "position": pose["p"], "rotation": pose["q"],
		"body": str(node.get_path()), "motion": _motion(node),
	}
	object.merge(more)
	if node is Area3D or node is Area2D:
		object["sensor"] = true
	elif _is_still(node) or node is AnimatableBody3D or node is AnimatableBody2D:
		# In Godot the mask of the body that moves into another is enough, in a log both must match.
		object["mask"] = 0xFFFFFFFF
	else:
		# Of no layer: what stands still meets it nevertheless.
		object["layer"] = layer if layer != 0 else 1 << 31
	if _is_rigid(node):
		object["mass"] = node.mass
		object["ccd"] = bool(node.continuous_cd)
	_waiting.append(object)


func _body(number: int, body: Node, place: Variant) -> Dictionary:
	var state := {"id": number}
	state.merge(_pose(place))
	if _is_rigid(body):
		state.merge(_velocity(body, place.origin))
		if body.sleeping:
			state["asleep"] = true
	elif body is CharacterBody3D or body is CharacterBody2D:
		state["v"] = _list(body.velocity)
	return state


## Every point of a pair, of the side with the lower number where both monitor.
func _add_contacts(body: Node, contacts: Array[Dictionary]) -> void:
	var state := _direct_state(body)
	if state == null or not body.contact_monitor:
		return
	for i in state.get_contact_count():
		var other := state.get_contact_collider_object(i) as Node
		var mine = state.get_contact_local_position(i)
		var theirs = state.get_contact_collider_position(i)
		var normal = state.get_contact_local_normal(i)
		var a: int = _number_of(body, state.get_contact_local_shape(i), mine)
		var b: int = _number_of(other, state.get_contact_collider_shape(i), theirs - normal)
		var is_twice: bool = _is_rigid(other) and other.contact_monitor and a > b
		# Its impulse is that of the step before in Godot Physics, and an estimate in Jolt.
		if a >= 0 and b >= 0 and not is_twice:
			contacts.append({"a": a, "b": b, "point": _list(theirs), "normal": _list(normal), "depth": (theirs - mine).dot(normal)})


## A character's last `move_and_slide`: its collisions, and where it led from the last of them.
func _add_move(body: Node, moves: Array[Dictionary]) -> void:
	var count: int = body.get_slide_collision_count()
	var number := _number_of_owner(body, null)
	if number < 0 or (count == 0 and body.velocity.is_zero_approx()):
		return
	var up = body.up_direction
	var to = body.global_transform * body.shape_owner_get_transform(_owner_of(body, null)).origin
	var from = to - body.get_position_delta()
	# It has not moved since the frame before: that was an earlier step.
	var before = _places.get(body.get_instance_id())
	_places[body.get_instance_id()] = to
	if before == to and from != to:
		return
	var wish = body.velocity * get_physics_process_delta_time()
	var move := {"id": number, "grounded": body.is_on_floor(), "up": _list(up), "skin": snappedf(body.safe_margin, 1e-6)}
	# The same value in 2D. It climbs no steps.
	var is_grounded: bool = body.motion_mode == CharacterBody3D.MOTION_MODE_GROUNDED
	if is_grounded:
		move.merge({"max_slope": snappedf(rad_to_deg(body.floor_max_angle), 1e-4), "max_step": 0.0, "snap": snappedf(body.floor_snap_length, 1e-6)})
	var sweeps: Array[Dictionary] = []
	var at = from
	var left = wish
	for i in count:
		var slide = body.get_slide_collision(i)
		var asked = slide.get_travel() + slide.get_remainder()
		if i == 0:
			wish = asked
		var normal = slide.get_normal()
		var end = at + slide.get_travel()
		var sweep := {"kind": "slide" if i > 0 else "move", "from": _list(at), "wish": _list(asked), "to": _list(end)}
		var other := _number_of(slide.get_collider() as Node, slide.get_collider_shape_index(), slide.get_position() - normal)
		if other >= 0:
			sweep["hit"] = {"id": other, "normal": _list(normal), "point": _list(slide.get_position())}
		sweeps.append(sweep)
		at = end
		left = slide.get_remainder().slide(normal)
	# What is farther down than it slides is what it was held to the floor by.
	var rest = to - at
	var below: float = minf(rest.dot(up) - minf(left.dot(up), 0.0), 0.0)
	var is_held: bool = is_grounded and body.is_on_floor() and below < -body.safe_margin
	var last = to - up * below if is_held else to
	if last != at:
		sweeps.append({"kind": "slide" if count > 0 else "move", "from": _list(at), "to": _list(last)})
	if is_held:
		sweeps.append({"kind": "snap", "from": _list(last), "to": _list(to)})
	move.merge({"from": _list(from), "wish": _list(wish), "to": _list(to), "sweeps": sweeps})
	moves.append(move)


## The shape of a CollisionShape node, or the first one.
func _number_of_owner(body: Node, node: Object) -> int:
	var shape_owner := _owner_of(body, node)
	return _numbers.get(_key(body, shape_owner, 0), -1) if shape_owner >= 0 else -1


## The first owner of shapes in a body that is a node, if one is given; -1 if there is none.
func _owner_of(body: Node, node: Object) -> int:
	for shape_owner: int in body.get_shape_owners():
		var is_it: bool = node == null or body.shape_owner_get_owner(shape_owner) == node
		if is_it and body.shape_owner_get_shape_count(shape_owner) > 0:
			return shape_owner
	return -1


## The first object of the body that a node is, or is a part of; -1 if there is none.
func _number_of_node(node: Node) -> int:
	var body := node
	while body != null and not body is CollisionObject3D and not body is CollisionObject2D:
		body = body.get_parent()
	return _number_of_owner(body, null) if body != null else -1


## The object of a body by the index of its shape; `at` is a point in it.
func _number_of(body: Node, shape: int, _at: Variant) -> int:
	if not body is CollisionObject3D and not body is CollisionObject2D:
		return -1
	var shape_owner: int = body.shape_find_owner(shape)
	for index in body.shape_owner_get_shape_count(shape_owner):
		if body.shape_owner_get_shape_index(shape_owner, index) == shape:
			return _numbers.get(_key(body, shape_owner, index), -1)
	return -1


## Where a ray or a cast last asked: before this step or, as its parent moved it, after the frame before: of the two places, that on whose path `point`
## lies.
func _place_of(node: Node, point: Variant) -> Variant:
	var places := [_casts.get(node.get_instance_id(), node.global_transform), node.global_transform]
	_casts[node.get_instance_id()] = node.global_transform
	if point == null:
		return places[1]
	var gaps := places.map(func(it: Variant) -> float:
		var along = it * node.target_position - it.origin
		var share := clampf((point - it.origin).dot(along) / along.length_squared(), 0.0, 1.0)
		return (it.origin + share * along).distance_to(point))
	return places[0] if gaps[0] < gaps[1] else places[1]


## A query of a node; the body that it is a part of is its first shape.
func _query(kind: String, node: Node, place: Variant) -> Dictionary:
	var query := {"kind": kind, "from": _list(place.origin), "to": _list(place * node.target_position), "mask": node.collision_mask, "hit": null}
	var caster := _number_of_node(node.get_parent())
	if caster >= 0:
		query["id"] = caster
	# Not a name that Godot makes.
	if not str(node.name).begins_with("@"):
		query["tag"] = str(node.name)
	return query


## Whether a ray or a cast has asked; remembers where it is, if it has not.
func _is_asked(node: Node) -> bool:
	if node.enabled and node.collide_with_bodies and _casts.has(node.get_instance_id()):
		return true
	_casts[node.get_instance_id()] = node.global_transform
	return false


## A ray that hits something that is not recorded is left out.
func _add_ray(ray: Node, queries: Array[Dictionary]) -> void:
	if not _is_asked(ray):
		return
	var point: Variant = ray.get_collision_point() if ray.is_colliding() else null
	var place = _place_of(ray, point)
	var query := _query("ray", ray, place)
	if point != null:
		var normal = ray.get_collision_normal()
		var other := _number_of(ray.get_collider() as Node, ray.get_collider_shape(), point - normal)
		if other < 0:
			return
		var length: float = place.origin.distance_to(place * ray.target_position)
		query["hit"] = {"id": other, "fraction": place.origin.distance_to(point) / length, "normal": _list(normal)}
	queries.append(query)


func _add_sweep(cast: Node, queries: Array[Dictionary]) -> void:
	if not _is_asked(cast) or cast.shape == null or cast.target_position.is_zero_approx():
		return
	var place = _place_of(cast, null)
	var query := _query("sweep", cast, place)
	query["q"] = _pose(place)["q"]
	query["shape"] = _write(cast.shape, place)
	if query["shape"] == null or ["mesh", "height_field", "plane", "chain", "segment"].any(func(it: String) -> bool: return query["shape"].has(it)):
		_warn("a cast of " + cast.shape.get_class(), cast)
		return
	if cast.is_colliding():
		var normal = cast.get_collision_normal(0)
		var other := _number_of(cast.get_collider(0) as Node, cast.get_collider_shape(0), cast.get_collision_point(0) - normal)
		var safe: float = cast.get_closest_collision_safe_fraction()
		var unsafe: float = cast.get_closest_collision_unsafe_fraction()
		if other < 0:
			return
		if (unsafe - safe) * cast.target_position.length() > _cast_step:
			_warn("hits of long casts", cast, ": Godot Physics finds their fraction only in coarse steps")
			return
		query["hit"] = {"id": other, "fraction": (safe + unsafe) / 2.0, "normal": _list(normal)}
	queries.append(query)
