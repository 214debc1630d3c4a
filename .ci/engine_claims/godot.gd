# Runs the levels of levels.txt at once, in 2D each in a space of its own, in 3D side by side, and prints where the bodies end. See levels.py.
extends Node

const IS_FLAT := false
const DT := 1.0 / 60
const DEPTH := 2.0
# Between two levels in 3D.
const APART := 20.0
# Pixels of a metre in 2D.
const SCALE := 100.0
const FIELDS := 11

var levels := []
var tick := 0
var space: RID


func _ready() -> void:
	for line in FileAccess.get_file_as_string("res://levels.txt").split("\n", false):
		var numbers := Array(line.split(" ", false)).map(func(word: String) -> float: return float(word))
		if IS_FLAT or levels.is_empty():
			space = PhysicsServer2D.space_create() if IS_FLAT else PhysicsServer3D.space_create()
			set_up(numbers[3])
		var bodies := []
		for at in range(4, numbers.size(), FIELDS):
			bodies.append(add(numbers.slice(at, at + FIELDS)))
		levels.append({"steps": int(numbers[0]), "bodies": bodies})


func set_up(gravity: float) -> void:
	if IS_FLAT:
		PhysicsServer2D.space_set_active(space, true)
		PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY, gravity * SCALE)
		PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_GRAVITY_VECTOR, Vector2(0, 1))
		PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_LINEAR_DAMP, 0.0)
		PhysicsServer2D.area_set_param(space, PhysicsServer2D.AREA_PARAM_ANGULAR_DAMP, 0.0)
		return
	PhysicsServer3D.space_set_active(space, true)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY, gravity)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_GRAVITY_VECTOR, Vector3(0, 1, 0))
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_LINEAR_DAMP, 0.0)
	PhysicsServer3D.area_set_param(space, PhysicsServer3D.AREA_PARAM_ANGULAR_DAMP, 0.0)


# A body of v: motion, shape, sizes, place, angle, velocity, spin, continuous detection, mass.
func add(v: Array) -> Dictionary:
	var id := PhysicsServer2D.body_create() if IS_FLAT else PhysicsServer3D.body_create()
	var body := {"id": id, "place": Vector2(v[4], v[5]), "angle": v[6], "z": APART * levels.size(), "driven": v[7] if v[0] == 1 else 0.0}
	if IS_FLAT:
		PhysicsServer2D.body_set_space(id, space)
		PhysicsServer2D.body_set_mode(id, [PhysicsServer2D.BODY_MODE_STATIC, PhysicsServer2D.BODY_MODE_KINEMATIC, PhysicsServer2D.BODY_MODE_RIGID][v[0]])
		var shape := PhysicsServer2D.circle_shape_create() if v[1] == 0 else PhysicsServer2D.rectangle_shape_create()
		PhysicsServer2D.shape_set_data(shape, v[2] * SCALE if v[1] == 0 else Vector2(v[2], v[3]) * SCALE)
		PhysicsServer2D.body_add_shape(id, shape)
		PhysicsServer2D.body_set_param(id, PhysicsServer2D.BODY_PARAM_MASS, v[10])
	else:
		PhysicsServer3D.body_set_space(id, space)
		PhysicsServer3D.body_set_mode(id, [PhysicsServer3D.BODY_MODE_STATIC, PhysicsServer3D.BODY_MODE_KINEMATIC, PhysicsServer3D.BODY_MODE_RIGID][v[0]])
		var shape := PhysicsServer3D.sphere_shape_create() if v[1] == 0 else PhysicsServer3D.box_shape_create()
		PhysicsServer3D.shape_set_data(shape, v[2] if v[1] == 0 else Vector3(v[2], v[3], DEPTH))
		PhysicsServer3D.body_add_shape(id, shape)
		PhysicsServer3D.body_set_param(id, PhysicsServer3D.BODY_PARAM_MASS, v[10])
	move(body)
	if v[0] != 2:
		return body
	if IS_FLAT:
		PhysicsServer2D.body_set_state(id, PhysicsServer2D.BODY_STATE_LINEAR_VELOCITY, Vector2(v[7], 0) * SCALE)
		PhysicsServer2D.body_set_state(id, PhysicsServer2D.BODY_STATE_ANGULAR_VELOCITY, v[8])
		PhysicsServer2D.body_set_state(id, PhysicsServer2D.BODY_STATE_CAN_SLEEP, false)
		PhysicsServer2D.body_set_continuous_collision_detection_mode(id, int(v[9]))
	else:
		PhysicsServer3D.body_set_state(id, PhysicsServer3D.BODY_STATE_LINEAR_VELOCITY, Vector3(v[7], 0, 0))
		PhysicsServer3D.body_set_state(id, PhysicsServer3D.BODY_STATE_ANGULAR_VELOCITY, Vector3(0, 0, v[8]))
		PhysicsServer3D.body_set_state(id, PhysicsServer3D.BODY_STATE_CAN_SLEEP, false)
		PhysicsServer3D.body_set_enable_continuous_collision_detection(id, v[9] != 0)
	return body


func move(body: Dictionary) -> void:
	var place: Vector2 = body.place
	if IS_FLAT:
		PhysicsServer2D.body_set_state(body.id, PhysicsServer2D.BODY_STATE_TRANSFORM, Transform2D(body.angle, place * SCALE))
	else:
		var basis := Basis(Vector3.BACK, body.angle)
		PhysicsServer3D.body_set_state(body.id, PhysicsServer3D.BODY_STATE_TRANSFORM, Transform3D(basis, Vector3(place.x, place.y, body.z)))


func state(body: Dictionary) -> String:
	if IS_FLAT:
		var flat: Transform2D = PhysicsServer2D.body_get_state(body.id, PhysicsServer2D.BODY_STATE_TRANSFORM)
		return "%.9f %.9f %.9f" % [flat.origin.x / SCALE, flat.origin.y / SCALE, flat.get_rotation()]
	var at: Transform3D = PhysicsServer3D.body_get_state(body.id, PhysicsServer3D.BODY_STATE_TRANSFORM)
	return "%.9f %.9f %.9f" % [at.origin.x, at.origin.y, atan2(at.basis.x.y, at.basis.x.x)]


# Before each step.
func _physics_process(_delta: float) -> void:
	var running := false
	for number in levels.size():
		var level: Dictionary = levels[number]
		if tick == level.steps:
			print("answer %d %s" % [number, " ".join(level.bodies.map(state))])
		running = running or tick < level.steps
		for body in level.bodies:
			if body.driven != 0.0:
				body.place.x += body.driven * DT
				move(body)
	if not running:
		print("end")
		set_physics_process(false)
	tick += 1
