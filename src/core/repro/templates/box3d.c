{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro made(b, s) %}
{%- if s.kind == "sphere" %}
	b3CreateSphereShape( {{ b.id }}, &shape, &(b3Sphere){ .radius = {{ s.radius }} } );
{%- elif s.kind == "box" and not s.rounded %}
	b3BoxHull {{ b.id }}_box = b3MakeBoxHull( {{ s.half|join(", ") }} );
	b3CreateHullShape( {{ b.id }}, &shape, &{{ b.id }}_box.base );
{%- elif s.kind == "capsule" %}
	b3CreateCapsuleShape( {{ b.id }}, &shape, &(b3Capsule){ { {{ s.a }} }, { {{ s.b }} }, {{ s.radius }} } );
{%- elif s.kind == "hull" and not s.rounded %}
	b3Vec3 {{ b.id }}_points[] = { {% for p in s.points %}{ {{ p }} }, {% endfor %} };
	b3CreateHullShape( {{ b.id }}, &shape, b3CreateHull( {{ b.id }}_points, {{ s.points|length }}, {{ s.points|length }} ) );
{%- elif s.kind == "mesh" %}
	b3MeshDef {{ b.id }}_mesh = { .vertexCount = {{ s.points|length }}, .triangleCount = {{ s.triangles|length }} };
	{{ b.id }}_mesh.vertices = (b3Vec3[]){ {% for p in s.points %}{ {{ p }} }, {% endfor %} };
	{{ b.id }}_mesh.indices = (int32_t[]){ {{ s.triangles|join(", ") }} };
	b3CreateMeshShape( {{ b.id }}, &shape, b3CreateMesh( &{{ b.id }}_mesh, NULL, 0 ), b3Vec3_one );
{%- else %}{{ fail("has no " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
#include <box3d/box3d.h>
#include <stdio.h>

{% if fixed %}
// 1: {{ fix.text }}
#define FIX {{ "1" if set else "0" }}
{% endif %}
#define SUBSTEPS {{ "( FIX ? " ~ fix.substeps ~ " : 1 )" if fix.substeps > 1 else "1" }}
#define DT ( {{ dt }} )
{% if fix.speed %}
#define SPEED ( FIX ? {{ fix.speed }} : 1 )
{% endif %}

static bool fails( double phase )
{
	b3WorldDef world_def = b3DefaultWorldDef();
	world_def.gravity = (b3Vec3){ {{ gravity }} };
{% if ccd == "off" %}
	world_def.enableContinuous = false;
{% elif ccd == "off, then on" %}
	world_def.enableContinuous = FIX;
{% endif %}
	b3WorldId world = b3CreateWorld( &world_def );
	b3BodyDef def;
	b3ShapeDef shape = b3DefaultShapeDef();
{% for b in bodies %}
	// {{ b.name }}
	def = b3DefaultBodyDef();
	def.type = b3_{{ "static" if b.motion == "fixed" else b.motion }}Body;
	def.position = (b3Pos){ {{ b.p }} };
	def.rotation = (b3Quat){ {{ b.xyzw }} };
{% if b.motion != "fixed" %}
	def.linearVelocity = {{ "b3MulSV( SPEED, (b3Vec3){ " ~ b.v ~ " } )" if fix.speed else "(b3Vec3){ " ~ b.v ~ " }" }};
	def.angularVelocity = (b3Vec3){ {{ b.w }} };
{% if b.swept %}
	def.isBullet = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% endif %}
	b3BodyId {{ b.id }} = b3CreateBody( world, &def );
{% if not collides %}
	shape.filter.maskBits = {{ ("FIX ? UINT64_MAX : 0" if fix.mask else "0") if loop.first else "UINT64_MAX" }};
{% endif %}
{% if b.shape.kind == "compound" %}{{ fail("has no template for a compound", b.shape) }}{% endif %}
{{ made(b, b.shape) }}
{% if b.motion == "dynamic" %}
	b3MassData {{ b.id }}_mass = b3Body_GetMassData( {{ b.id }} );
	{{ b.id }}_mass.inertia = b3MulSM( {{ b.mass }} / {{ b.id }}_mass.mass, {{ b.id }}_mass.inertia );
	{{ b.id }}_mass.mass = {{ b.mass }};
	b3Body_SetMassData( {{ b.id }}, {{ b.id }}_mass );
{% endif %}
{% endfor %}
{% set driven = bodies|selectattr("is_set")|list %}
	for ( int step = 0; step < {{ steps }}; ++step )
	{
		float dt = (float)( DT * ( step == 0 ? 1 - phase : 1 ) / SUBSTEPS );
		for ( int i = 0; i < SUBSTEPS; ++i )
{% if driven %}
		{
{% endif %}
{% for b in driven %}
			{{ "if ( !FIX )" if fix.drive }}
			{
				b3Pos next = b3MulAdd( b3Body_GetPosition( {{ b.id }} ), dt, (b3Vec3){ {{ b.v }} } );
				b3Body_SetTransform( {{ b.id }}, next, b3Body_GetRotation( {{ b.id }} ) );
				b3Body_SetLinearVelocity( {{ b.id }}, b3Vec3_zero );
			}
{% endfor %}
			b3World_Step( world, dt, 4 );
{% if driven %}
		}
{% endif %}
	}
{% if check.is_place %}
	b3Vec3 from = b3Body_GetLocalPoint( {{ check.base }}, b3Body_GetPosition( {{ check.mover }} ) );
	float value = b3Dot( b3Sub( from, (b3Vec3){ {{ check.point }} } ), (b3Vec3){ {{ check.normal }} } );
{% else %}
{% if check.base %}
	// Farther apart they cannot have met.
	bool isNear = b3Length( b3Sub( b3Body_GetPosition( {{ check.mover }} ), b3Body_GetPosition( {{ check.base }} ) ) ) < {{ check.near }};
{% endif %}
{% set speed = "b3Body_GetLinearVelocity( " ~ check.mover ~ " )" %}
	float value = b3Dot( {{ "b3Sub( " ~ speed ~ ", b3Body_GetLinearVelocity( " ~ check.base ~ " ) )" if check.base else speed }}, (b3Vec3){ {{ check.normal }} } );
{% endif %}
	b3DestroyWorld( world );
	return {{ "isNear && " if check.base and not check.is_place }}value < {{ check.least }};
}

int main( void )
{
	int failed = 0;
	for ( int phase = 0; phase < {{ phases }}; ++phase )
		failed += fails( phase / {{ phases }}.0 );
	printf( "%d of {{ phases }} phases\n", failed );
	return failed > 0; // {{ check.fault }}
}
