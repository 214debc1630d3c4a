## A level with each kind of shape, a character, rays, casts and two cameras, recorded by docs/record/hitstop_recorder.gd. After 150 steps it posts
## the log to the server that it came from.
extends Node3D

## run.py sets it.
const IS_BUG := false

var frames := 0
var player: CharacterBody3D
var stone: RigidBody3D
var recorder: HitstopRecorder
var cameras: Array[Camera3D] = []


func _ready() -> void:
	_fixed(Vector3(0, -0.5, 0), _box(80, 1, 80), "Floor")
	_fixed(Vector3(5, 1, 0), _box(0.1, 2, 6), "Wall")
	var ball := _rigid(Vector3(0.5, 0.5, 0), _sphere(0.1), "Ball")
	ball.linear_velocity = Vector3(60 if IS_BUG else 5, 0, 0)
	for i in 4:
		_rigid(Vector3(-10, 0.5 + 1.02 * i, 0), _box(1, 1, 1), "Crate")
	_rigid(Vector3(-13, 1, 0), _capsule(0.3, 1.4), "Pill").rotation = Vector3(0.3, 0, 1)
	_rigid(Vector3(-15, 2, 0), CylinderShape3D.new(), "Drum")
	var two := _rigid(Vector3(-17, 2, 0), _sphere(0.3), "Two")
	_shape(two, _box(0.4, 0.4, 0.4), Vector3(0.5, 0, 0))
	# Frozen at first.
	stone = _rigid(Vector3(-19, 2, 0), _sphere(0.4), "Stone")
	stone.freeze = true
	_fixed(Vector3(0, 0, -20), _hills(), "Hills")
	_rigid(Vector3(-2.3, 4, -19.2), _box(0.6, 0.5, 0.7), "Tumbler")
	# In Godot the mask of the body that moves is enough.
	var lazy := _fixed(Vector3(10, 0.5, 10), _box(3, 1, 3), "Lazy")
	lazy.collision_mask = 0
	_add_pairs()
	_add_player()
	# A ray on a body that is moved by the step.
	var below := RayCast3D.new()
	below.name = "Below"
	below.target_position = Vector3(0, -6, 0)
	get_node("Crate").add_child(below)
	for i in 2:
		var camera := Camera3D.new()
		camera.position = Vector3(0, 3, 12 + 5 * i)
		add_child(camera)
		cameras.append(camera)
	cameras[0].make_current()
	recorder = HitstopRecorder.new()
	add_child(recorder)


func _physics_process(delta: float) -> void:
	frames += 1
	player.velocity = Vector3(3, player.velocity.y - 9.8 * delta, 0.5)
	player.move_and_slide()
	HitstopRecorder.value("speed", player.velocity.length(), player)
	HitstopRecorder.value("on floor", player.is_on_floor(), player)
	HitstopRecorder.value("state", &"running")
	HitstopRecorder.mark([player.position, player.position + player.velocity], "velocity", player, 0.0, Color.ORANGE)
	if frames == 40:
		stone.freeze = false
		HitstopRecorder.message("let go", stone, "debug")
	if frames == 100:
		# Crouches.
		((player.get_child(0) as CollisionShape3D).shape as CapsuleShape3D).height = 1.4
	cameras[0].position.x = 0.02 * frames
	if frames == 90:
		cameras[1].make_current()
	if frames == 150:
		recorder.queue_free()
	if frames == 152:
		var text := FileAccess.get_file_as_string("user://run.jsonl")
		JavaScriptBridge.eval("fetch('/log', {method: 'POST', body: %s})" % JSON.stringify(text))


## Two bodies that a joint connects, and two that are kept apart: they overlap.
func _add_pairs() -> void:
	var arms := [_rigid(Vector3(2, 3, -8), _box(0.6, 0.2, 0.2), "Arm"), _rigid(Vector3(2.4, 3, -8), _box(0.6, 0.2, 0.2), "Arm")]
	var elbow := PinJoint3D.new()
	elbow.position = Vector3(2.2, 3, -8)
	add_child(elbow)
	elbow.node_a = elbow.get_path_to(arms[0])
	elbow.node_b = elbow.get_path_to(arms[1])
	_rigid(Vector3(2, 0.21, -12), _box(0.4, 0.4, 0.4), "Ghost").add_collision_exception_with(_rigid(Vector3(2.1, 0.21, -12), _box(0.4, 0.4, 0.4), "Ghost"))


func _add_player() -> void:
	player = CharacterBody3D.new()
	player.name = "Player"
	_shape(player, _capsule(0.4, 1.8), Vector3(0, 0.9, 0))
	player.position = Vector3(0, 0.5, 5)
	add_child(player)
	_fixed(Vector3(4, 1, 5), _box(1, 2, 4), "Block")
	for target: Vector3 in [Vector3(0, -3, 0), Vector3(8, 0, 0)]:
		var ray := RayCast3D.new()
		ray.position = Vector3(0, 1, 0)
		ray.target_position = target
		player.add_child(ray)
	for target: Vector3 in [Vector3(0, -2, 0), Vector3(2, 0, 0)]:
		var cast := ShapeCast3D.new()
		cast.shape = _box(0.4, 0.2, 0.6) if target.x == 0 else _sphere(0.3)
		cast.position = Vector3(0, 1, 0)
		cast.rotation = Vector3(0, 0.5, 0)
		cast.target_position = target
		cast.add_exception(player)
		player.add_child(cast)


func _shape(body: CollisionObject3D, shape: Shape3D, at := Vector3.ZERO) -> void:
	var node := CollisionShape3D.new()
	node.shape = shape
	node.position = at
	body.add_child(node)


func _rigid(at: Vector3, shape: Shape3D, called: String) -> RigidBody3D:
	var body := RigidBody3D.new()
	body.name = called
	body.position = at
	body.contact_monitor = true
	body.max_contacts_reported = 16
	_shape(body, shape)
	add_child(body, true)
	return body


func _fixed(at: Vector3, shape: Shape3D, called: String) -> StaticBody3D:
	var body := StaticBody3D.new()
	body.name = called
	body.position = at
	_shape(body, shape)
	add_child(body, true)
	return body


func _box(x: float, y: float, z: float) -> BoxShape3D:
	var box := BoxShape3D.new()
	box.size = Vector3(x, y, z)
	return box


func _sphere(radius: float) -> SphereShape3D:
	var sphere := SphereShape3D.new()
	sphere.radius = radius
	return sphere


func _capsule(radius: float, height: float) -> CapsuleShape3D:
	var capsule := CapsuleShape3D.new()
	capsule.radius = radius
	capsule.height = height
	return capsule


func _hills() -> HeightMapShape3D:
	var map := HeightMapShape3D.new()
	map.map_width = 12
	map.map_depth = 9
	var heights := PackedFloat32Array()
	for i in 12 * 9:
		heights.append(1.0 + 0.4 * sin(0.9 * (i % 12)) * cos(0.7 * floorf(i / 12.0)))
	map.map_data = heights
	return map
