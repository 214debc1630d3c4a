## Records a Godot scene in 2D as a Hitstop log, in JSON Lines: add this node anywhere in the scene, or as an autoload. Godot 4.3 or newer; keep
## hitstop_level.gd and hitstop_live.gd beside this file. Run in Godot 4.6, with Godot Physics.
##
## The log is flat, in pixels with y down. It has every collision shape below [member root] after each step of physics, the contacts of rigid bodies
## that monitor them (`contact_monitor` and `max_contacts_reported`), the slide collisions and the moves of characters, what RayCast2D and ShapeCast2D nodes hit,
## and pairs that joints and collision exceptions keep apart. A body that is frozen or let go, or whose shape is changed, goes on as another object. The tiles of a map are written once it appears; later
## changes of them are not. Files, [member keep_seconds], [member path] and what scripts add are as in hitstop_recorder.gd.
class_name HitstopRecorder2D
extends "hitstop_level.gd"

## Metres per pixel.
@export var length := 0.01


func _ready() -> void:
	_dimension = "2D"
	_cast_step = 1.0
	super()


func _header(delta: float) -> Dictionary:
	var down: Vector2 = ProjectSettings.get_setting("physics/2d/default_gravity_vector")
	var strength: float = ProjectSettings.get_setting("physics/2d/default_gravity")
	var engine: String = ProjectSettings.get_setting("physics/2d/physics_engine")
	var named := root
	if root == get_tree().root and get_tree().current_scene != null:
		named = get_tree().current_scene
	return {
		"hitstop": 1, "name": named.name, "flat": true, "up": "-y", "unit": "px", "length": length, "scalar": "f32", "dt": delta,
		"gravity": _list(down * strength), "build": ProjectSettings.get_setting("application/config/version", ""),
		"engine": "rapier" if engine.contains("Rapier") else "godot 2d", "objects": _waiting,
	}


func _list(vector: Variant) -> Array:
	return [vector.x, vector.y]


func _pose(place: Variant) -> Dictionary:
	return {"p": _list(place.origin), "q": place.get_rotation()}


func _velocity(body: Node, at: Variant) -> Dictionary:
	var rigid := body as RigidBody2D
	var arm: Vector2 = at - rigid.to_global(rigid.center_of_mass)
	return {"v": _list(rigid.linear_velocity + rigid.angular_velocity * Vector2(-arm.y, arm.x)), "w": rigid.angular_velocity}


func _direct_state(body: Node) -> Object:
	return PhysicsServer2D.body_get_direct_state((body as RigidBody2D).get_rid())


func _one_way(body: Node, shape_owner: int, place: Variant) -> Dictionary:
	return {"one_way": _list(-place.y.normalized())} if body.is_shape_owner_one_way_collision_enabled(shape_owner) else {}


func _write(shape: Resource, place: Variant) -> Variant:
	# Of a mirrored place y is negative.
	var scale: Vector2 = place.get_scale()
	var size := scale.abs()
	if shape is CircleShape2D:
		return {"circle": {"radius": (shape as CircleShape2D).radius * size.x}}
	if shape is RectangleShape2D and (shape as RectangleShape2D).size.x > 0.0 and (shape as RectangleShape2D).size.y > 0.0:
		return {"box": {"half_extents": _list((shape as RectangleShape2D).size * size / 2.0)}}
	if shape is CapsuleShape2D:
		var capsule := shape as CapsuleShape2D
		return {"capsule": {"half_height": (capsule.height / 2.0 - capsule.radius) * size.y, "radius": capsule.radius * size.x}}
	if shape is ConvexPolygonShape2D:
		var corners := (shape as ConvexPolygonShape2D).points
		return {"polygon": {"points": _points(corners, scale)}} if corners.size() > 2 else null
	if shape is SegmentShape2D:
		var segment := shape as SegmentShape2D
		return {"segment": {"a": _list(segment.a * scale), "b": _list(segment.b * scale)}}
	if shape is ConcavePolygonShape2D:
		return _chain((shape as ConcavePolygonShape2D).segments, scale)
	if shape is WorldBoundaryShape2D:
		var boundary := shape as WorldBoundaryShape2D
		return {"plane": {"normal": _list(boundary.normal), "offset": boundary.distance}}
	return null


func _points(points: PackedVector2Array, scale: Vector2) -> Array:
	return Array(points).map(func(point: Vector2) -> Array: return _list(point * scale))


## Segments by their ends; null if one does not begin where the one before it ends.
func _chain(ends: PackedVector2Array, scale: Vector2) -> Variant:
	var points := PackedVector2Array()
	for i in range(0, ends.size() - 1, 2):
		if ends[i] == ends[i + 1]:
			continue
		if points.is_empty():
			points.append(ends[i])
		elif points[-1] != ends[i]:
			return null
		points.append(ends[i + 1])
	if points.is_empty():
		return null
	var is_loop := points.size() > 3 and points[-1] == points[0]
	if is_loop:
		points.remove_at(points.size() - 1)
	return {"chain": {"points": _points(points, scale), "loop": is_loop}}


## A character has one collision for each slide.
func _add_slides(body: Node, contacts: Array[Dictionary]) -> void:
	for i: int in body.get_slide_collision_count():
		var slide: KinematicCollision2D = body.get_slide_collision(i)
		var point := slide.get_position()
		var a := _number_of_owner(body, slide.get_local_shape())
		var b := _number_of(slide.get_collider() as Node, slide.get_collider_shape_index(), point - slide.get_normal())
		if a >= 0 and b >= 0:
			contacts.append({"a": a, "b": b, "point": _list(point), "normal": _list(slide.get_normal()), "depth": slide.get_depth()})


func _add_others(_bodies: Array[Dictionary]) -> void:
	for node: Node in root.find_children("*", "TileMapLayer", true, false):
		_add_tiles(node as TileMapLayer)
	for node: Node in root.find_children("*", "TileMap", true, false):
		_warn("TileMap", node, ": use TileMapLayer nodes")


func _cell_key(map: TileMapLayer, cell: Vector2i) -> String:
	return "%d/%s" % [map.get_instance_id(), cell]


## The first polygon of each cell in each layer of physics, once.
func _add_tiles(map: TileMapLayer) -> void:
	var key := str(map.get_instance_id())
	if _numbers.has(key) or map.tile_set == null or not map.enabled or not map.collision_enabled:
		return
	_numbers[key] = -1
	for cell in map.get_used_cells():
		var tile := map.get_cell_tile_data(cell)
		for layer in map.tile_set.get_physics_layers_count():
			for i in tile.get_collision_polygons_count(layer) if tile != null else 0:
				var shape := ConvexPolygonShape2D.new()
				shape.points = tile.get_collision_polygon_points(layer, i)
				var place := map.global_transform * Transform2D(0.0, map.map_to_local(cell))
				var more := {"one_way": _list(-place.y.normalized())} if tile.is_collision_polygon_one_way(layer, i) else {}
				var bits := [map.tile_set.get_physics_layer_collision_layer(layer), map.tile_set.get_physics_layer_collision_mask(layer)]
				var name_of_cell := _cell_key(map, cell)
				_add(name_of_cell if not _numbers.has(name_of_cell) else "%s/%d/%d" % [name_of_cell, layer, i], shape, map, place, bits[0], bits[1], more)


func _number_of(body: Node, shape: int, at: Variant) -> int:
	if body is TileMapLayer:
		var map := body as TileMapLayer
		return _numbers.get(_cell_key(map, map.local_to_map(map.to_local(at))), -1)
	return super(body, shape, at)
