## Records a Godot scene as a Hitstop log, in JSON Lines: add this node anywhere in the scene, or as an autoload. Godot 4.3 or newer; keep
## hitstop_level.gd, hitstop_shapes.gd and hitstop_live.gd beside this file. Run in Godot 4.6, with Godot Physics and with Jolt.
##
## It writes every collision shape below [member root] after each step of physics, the contacts of rigid bodies that monitor them
## (`contact_monitor` and `max_contacts_reported`), the slide collisions and the moves of characters, what RayCast3D and ShapeCast3D nodes hit, pairs that
## joints and collision exceptions keep apart, and the camera of the viewport. A body that is frozen or let go, or whose shape is changed, goes on as another object. CSG shapes and the cells
## of grid maps are written once they appear; later changes of them are not. With [member keep_seconds] above 0 it keeps the last seconds,
## and [method save] writes them. The output shows the full path of the file; a second recording of the same run has a number behind its
## name: `run 2.jsonl`.
##
## A [member path] like `tcp:127.0.0.1:9740` sends to a Hitstop that listens: the game never waits for it. If it is too slow, the oldest
## frames are dropped, and [member dropped] counts them.
##
## Any script adds what the game knows to the frame: [code]HitstopRecorder.message("jump", self)[/code],
## [code]HitstopRecorder.value("grounded", true, self)[/code], [code]HitstopRecorder.mark([from, to], "aim", self)[/code].
class_name HitstopRecorder
extends "hitstop_level.gd"

const Shapes := preload("hitstop_shapes.gd")

var _camera: Camera3D


func _ready() -> void:
	_dimension = "3D"
	_cast_step = 0.01
	super()


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


func _write(shape: Resource, place: Variant) -> Variant:
	return Shapes.write(shape, place.basis.get_scale())


func _list(vector: Variant) -> Array:
	return Shapes.list(vector)


func _pose(place: Variant) -> Dictionary:
	return {"p": Shapes.list(place.origin), "q": Shapes.rotation(place.basis.orthonormalized())}


func _velocity(body: Node, at: Variant) -> Dictionary:
	var rigid := body as RigidBody3D
	var arm: Vector3 = at - rigid.to_global(rigid.center_of_mass)
	return {"v": Shapes.list(rigid.linear_velocity + rigid.angular_velocity.cross(arm)), "w": Shapes.list(rigid.angular_velocity)}


func _direct_state(body: Node) -> Object:
	return PhysicsServer3D.body_get_direct_state((body as RigidBody3D).get_rid())


func _add_view(state: Dictionary) -> void:
	var camera := get_viewport().get_camera_3d()
	if camera != null:
		state["camera"] = _place_of_camera(camera)


## Teleported where another camera takes over.
func _place_of_camera(camera: Camera3D) -> Dictionary:
	var place := camera.global_transform.orthonormalized()
	var state := {"p": Shapes.list(place.origin), "q": Shapes.rotation(place.basis)}
	if _camera != null and _camera != camera:
		state["teleported"] = true
	_camera = camera
	return state


func _add_others(bodies: Array[Dictionary]) -> void:
	for node in _all("CSGShape"):
		_add_csg(node as CSGShape3D, bodies)
	for node: Node in root.find_children("*", "GridMap", true, false):
		_add_grid(node as GridMap)
	for node in _all("SoftBody"):
		_warn("SoftBody3D", node)


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
		bodies.append(_body(_numbers[key], csg, csg.global_transform))


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


## The collisions of a character's last `move_and_slide`.
func _add_slides(body: Node, contacts: Array[Dictionary]) -> void:
	for i: int in body.get_slide_collision_count():
		var slide: KinematicCollision3D = body.get_slide_collision(i)
		for k in slide.get_collision_count():
			var a := _number_of_owner(body, slide.get_local_shape(k))
			var b := _number_of(slide.get_collider(k) as Node, slide.get_collider_shape_index(k), null)
			if a < 0 or b < 0:
				continue
			contacts.append({
				"a": a, "b": b, "point": Shapes.list(slide.get_position(k)), "normal": Shapes.list(slide.get_normal(k)),
				"depth": slide.get_depth(),
			})


func _number_of(body: Node, shape: int, at: Variant) -> int:
	return _numbers.get(str(body.get_instance_id()), -1) if body is CSGShape3D else super(body, shape, at)
