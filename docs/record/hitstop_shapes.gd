## Shapes of Godot as a Hitstop log writes them, for hitstop_recorder.gd: keep both files in one folder.
extends RefCounted

## Largest number of points of a convex hull in a log.
const HULL_POINTS := 1024


## The shape, scaled; null for one that the log does not have. All axes of a mirrored scale are negative.
static func write(shape: Shape3D, scale: Vector3) -> Variant:
	var size := scale.abs()
	if shape is SphereShape3D:
		return {"sphere": {"radius": (shape as SphereShape3D).radius * size.x}}
	if shape is BoxShape3D:
		return {"box": {"half_extents": list((shape as BoxShape3D).size * size / 2.0)}}
	if shape is CapsuleShape3D:
		var capsule := shape as CapsuleShape3D
		var half := capsule.height / 2.0 - capsule.radius
		return {"capsule": {"half_height": half * size.y, "radius": capsule.radius * size.x}}
	if shape is CylinderShape3D:
		var cylinder := shape as CylinderShape3D
		return {"cylinder": {"half_height": cylinder.height / 2.0 * size.y, "radius": cylinder.radius * size.x}}
	if shape is ConvexPolygonShape3D:
		var corners := (shape as ConvexPolygonShape3D).points
		if is_flat(corners):
			return null
		if corners.size() > HULL_POINTS:
			corners = extremes(corners)
		return {"convex_hull": {"points": corners_of(corners, scale)}}
	if shape is HeightMapShape3D:
		return height_field(shape as HeightMapShape3D, scale)
	if shape is ConcavePolygonShape3D:
		var concave := shape as ConcavePolygonShape3D
		if concave.get_faces().is_empty():
			return null
		return mesh(concave.get_faces(), scale, "both" if concave.backface_collision else "front")
	if shape is WorldBoundaryShape3D:
		var plane := (shape as WorldBoundaryShape3D).plane
		return {"plane": {"normal": list(plane.normal), "offset": plane.d}}
	return null


## Whether all points lie in a plane.
static func is_flat(points: PackedVector3Array) -> bool:
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
static func mesh(faces: PackedVector3Array, scale: Vector3, facing: String) -> Dictionary:
	var known := {}
	var vertices: Array = []
	var corners: Array[int] = []
	for corner: Vector3 in faces:
		if not known.has(corner):
			known[corner] = vertices.size()
			vertices.append(list(corner * scale))
		corners.append(known[corner])
	var triangles: Array = []
	# A mirrored mesh keeps its front.
	var second := 2 if scale.x > 0.0 else 1
	for i in range(0, corners.size() - 2, 3):
		triangles.append([corners[i], corners[i + second], corners[i + 3 - second]])
	return {"mesh": {"vertices": vertices, "triangles": triangles, "facing": facing}}


## Rows along z; null if it has holes. Godot splits a cell from its corner of greatest x to that of greatest z.
static func height_field(map: HeightMapShape3D, scale: Vector3) -> Variant:
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
static func extremes(points: PackedVector3Array) -> PackedVector3Array:
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


static func corners_of(points: PackedVector3Array, scale: Vector3) -> Array:
	var corners: Array = []
	for point: Vector3 in points:
		corners.append(list(point * scale))
	return corners


static func list(v: Vector3) -> Array:
	return [v.x, v.y, v.z]


static func rotation(basis: Basis) -> Array:
	var q := basis.get_rotation_quaternion()
	return [q.x, q.y, q.z, q.w]
