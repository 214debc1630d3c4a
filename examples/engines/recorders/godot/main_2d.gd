## A level in 2D with each kind of shape, tiles, a one-way platform, a character, rays and casts, recorded by docs/record/hitstop_recorder_2d.gd. After 150
## steps it posts the log to the server that it came from.
extends Node2D

## run.py sets it.
const IS_BUG := false

var frames := 0
var player: CharacterBody2D
var stone: RigidBody2D
var recorder: HitstopRecorder2D


func _ready() -> void:
	_fixed(Vector2(0, 50), _box(8000, 100), "Floor")
	_fixed(Vector2(500, -100), _box(10, 200), "Wall")
	var ball := _rigid(Vector2(50, -50), _circle(10), "Ball")
	ball.linear_velocity = Vector2(6000 if IS_BUG else 500, 0)
	for i in 4:
		_rigid(Vector2(-1000, -50 - 102 * i), _box(100, 100), "Crate")
	_rigid(Vector2(-1300, -100), _capsule(30, 140), "Pill").rotation = 1.0
	var wedge := ConvexPolygonShape2D.new()
	wedge.points = PackedVector2Array([Vector2(-60, 30), Vector2(60, 30), Vector2(0, -40)])
	_rigid(Vector2(-1500, -200), wedge, "Wedge").rotation = 0.4
	var two := _rigid(Vector2(-1700, -200), _circle(30), "Two")
	_shape(two, _box(40, 40), Vector2(50, 0))
	# Frozen at first.
	stone = _rigid(Vector2(-1900, -200), _circle(40), "Stone")
	stone.freeze = true
	_add_hills()
	_add_ledge()
	_add_tiles()
	# In Godot the mask of the body that moves is enough.
	_fixed(Vector2(1000, -50), _box(300, 100), "Lazy").collision_mask = 0
	_add_pairs()
	_add_player()
	# A ray on a body that is moved by the step.
	var below := RayCast2D.new()
	below.target_position = Vector2(0, 600)
	get_node("Crate").add_child(below)
	recorder = HitstopRecorder2D.new()
	add_child(recorder)


func _physics_process(delta: float) -> void:
	frames += 1
	player.velocity = Vector2(300, player.velocity.y + 980 * delta)
	player.move_and_slide()
	HitstopRecorder2D.value("speed", player.velocity.length(), player)
	HitstopRecorder2D.value("on floor", player.is_on_floor(), player)
	HitstopRecorder2D.value("state", &"running")
	HitstopRecorder2D.mark([player.position, player.position + player.velocity], "velocity", player, 0.0, Color.ORANGE)
	if frames == 40:
		stone.freeze = false
		HitstopRecorder2D.message("let go", stone, "debug")
	if frames == 100:
		# Crouches.
		((player.get_child(0) as CollisionShape2D).shape as CapsuleShape2D).height = 140
	if frames == 150:
		recorder.queue_free()
	if frames == 152:
		var text := FileAccess.get_file_as_string("user://run.jsonl")
		JavaScriptBridge.eval("fetch('/log', {method: 'POST', body: %s})" % JSON.stringify(text))


## An outline of edges that is closed, and a line.
func _add_hills() -> void:
	var outline := CollisionPolygon2D.new()
	outline.build_mode = CollisionPolygon2D.BUILD_SEGMENTS
	var points := PackedVector2Array()
	for i in 12:
		points.append(Vector2(80 * i, -100 - 40 * sin(0.9 * i)))
	points.append_array([Vector2(880, 0), Vector2(0, 0)])
	outline.polygon = points
	var hills := StaticBody2D.new()
	hills.name = "Hills"
	hills.position = Vector2(-3200, 0)
	hills.add_child(outline)
	add_child(hills)
	_rigid(Vector2(-2800, -300), _box(60, 50), "Tumbler")
	_rigid(Vector2(-2600, -300), _circle(25), "Roller")
	var line := SegmentShape2D.new()
	line.a = Vector2(0, -100)
	line.b = Vector2(200, -20)
	_fixed(Vector2(-3500, 0), line, "Slope")
	_rigid(Vector2(-3420, -200), _circle(20), "Slider")


## Bodies pass it from below and land on it.
func _add_ledge() -> void:
	var ledge := _fixed(Vector2(-500, -200), _box(200, 20), "Ledge")
	(ledge.get_child(0) as CollisionShape2D).one_way_collision = true
	_rigid(Vector2(-500, -60), _circle(20), "Jumper").linear_velocity = Vector2(0, -900)


## A mirrored body that falls on tiles, of which each is a square.
func _add_tiles() -> void:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(32, 32)
	tiles.add_physics_layer()
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(Image.create(32, 32, false, Image.FORMAT_RGBA8))
	source.texture_region_size = Vector2i(32, 32)
	var id := tiles.add_source(source)
	source.create_tile(Vector2i.ZERO)
	var tile := source.get_tile_data(Vector2i.ZERO, 0)
	tile.add_collision_polygon(0)
	tile.set_collision_polygon_points(0, 0, PackedVector2Array([Vector2(-16, -16), Vector2(16, -16), Vector2(16, 16), Vector2(-16, 16)]))
	var map := TileMapLayer.new()
	map.name = "Map"
	map.tile_set = tiles
	map.position = Vector2(1500, -200)
	for x in 6:
		map.set_cell(Vector2i(x, 0), id, Vector2i.ZERO)
	add_child(map)
	_rigid(Vector2(1590, -260), _box(40, 40), "Guest")
	_rigid(Vector2(1650, -260), _circle(15), "Marble")


## Two bodies that a joint connects, and two that are kept apart: they overlap.
func _add_pairs() -> void:
	var arms := [_rigid(Vector2(200, -300), _box(60, 20), "Arm"), _rigid(Vector2(240, -300), _box(60, 20), "Arm")]
	var elbow := PinJoint2D.new()
	elbow.position = Vector2(220, -300)
	add_child(elbow)
	elbow.node_a = elbow.get_path_to(arms[0])
	elbow.node_b = elbow.get_path_to(arms[1])
	_rigid(Vector2(1300, -40), _box(40, 40), "Ghost").add_collision_exception_with(_rigid(Vector2(1310, -40), _box(40, 40), "Ghost"))


func _add_player() -> void:
	player = CharacterBody2D.new()
	player.name = "Player"
	_shape(player, _capsule(40, 180), Vector2(0, -90))
	player.position = Vector2(2500, -50)
	add_child(player)
	_fixed(Vector2(2900, -100), _box(100, 200), "Block")
	for target: Vector2 in [Vector2(0, 300), Vector2(800, 0)]:
		var ray := RayCast2D.new()
		ray.position = Vector2(0, -100)
		ray.target_position = target
		player.add_child(ray)
	for target: Vector2 in [Vector2(0, 200), Vector2(200, 0)]:
		var cast := ShapeCast2D.new()
		cast.shape = _box(40, 20) if target.x == 0 else _circle(30)
		cast.position = Vector2(0, -100)
		cast.target_position = target
		cast.add_exception(player)
		player.add_child(cast)


func _shape(body: CollisionObject2D, shape: Shape2D, at := Vector2.ZERO) -> void:
	var node := CollisionShape2D.new()
	node.shape = shape
	node.position = at
	body.add_child(node)


func _rigid(at: Vector2, shape: Shape2D, called: String) -> RigidBody2D:
	var body := RigidBody2D.new()
	body.name = called
	body.position = at
	body.contact_monitor = true
	body.max_contacts_reported = 16
	_shape(body, shape)
	add_child(body, true)
	return body


func _fixed(at: Vector2, shape: Shape2D, called: String) -> StaticBody2D:
	var body := StaticBody2D.new()
	body.name = called
	body.position = at
	_shape(body, shape)
	add_child(body, true)
	return body


func _box(x: float, y: float) -> RectangleShape2D:
	var box := RectangleShape2D.new()
	box.size = Vector2(x, y)
	return box


func _circle(radius: float) -> CircleShape2D:
	var circle := CircleShape2D.new()
	circle.radius = radius
	return circle


func _capsule(radius: float, height: float) -> CapsuleShape2D:
	var capsule := CapsuleShape2D.new()
	capsule.radius = radius
	capsule.height = height
	return capsule
