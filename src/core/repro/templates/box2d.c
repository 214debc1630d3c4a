{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro made(b, s) %}
{%- if s.kind == "circle" %}
	b2CreateCircleShape( {{ b.id }}, &shape, &(b2Circle){ .radius = {{ s.radius }} } );
{%- elif s.kind == "box" %}
	b2Polygon {{ b.id }}_box = {{ "b2MakeRoundedBox( " ~ s.half|join(", ") ~ ", " ~ s.radius ~ " )" if s.rounded else "b2MakeBox( " ~ s.half|join(", ") ~ " )" }};
	b2CreatePolygonShape( {{ b.id }}, &shape, &{{ b.id }}_box );
{%- elif s.kind == "capsule" %}
	b2CreateCapsuleShape( {{ b.id }}, &shape, &(b2Capsule){ { {{ s.a }} }, { {{ s.b }} }, {{ s.radius }} } );
{%- elif s.kind == "polygon" and s.points|length <= 8 %}
	b2Hull {{ b.id }}_hull = b2ComputeHull( (b2Vec2[]){ {% for p in s.points %}{ {{ p }} }, {% endfor %} }, {{ s.points|length }} );
	b2Polygon {{ b.id }}_polygon = b2MakePolygon( &{{ b.id }}_hull, {{ s.radius }} );
	b2CreatePolygonShape( {{ b.id }}, &shape, &{{ b.id }}_polygon );
{%- elif s.kind == "chain" and not s.one_sided %}
	b2Vec2 {{ b.id }}_points[] = { {% for p in s.points %}{ {{ p }} }, {% endfor %} };
	for ( int i = 0; i + 1 < {{ s.points|length }}; ++i )
		b2CreateSegmentShape( {{ b.id }}, &shape, &(b2Segment){ {{ b.id }}_points[i], {{ b.id }}_points[i + 1] } );
{%- elif s.kind == "chain" %}
	b2ChainDef {{ b.id }}_chain = b2DefaultChainDef();
	{{ b.id }}_chain.points = (b2Vec2[]){ {% for p in s.ghosted %}{ {{ p }} }, {% endfor %} };
	{{ b.id }}_chain.count = {{ s.ghosted|length }};
	{{ b.id }}_chain.isLoop = {{ "true" if s.closed else "false" }};
	b2CreateChain( {{ b.id }}, &{{ b.id }}_chain );
{%- elif s.kind == "polygon" %}{{ fail("has no polygon of more than 8 corners", s) }}
{%- else %}{{ fail("has no template for a " ~ s.kind, s) }}{% endif %}
{% endmacro %}
#include <box2d/box2d.h>
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
	b2WorldDef world_def = b2DefaultWorldDef();
	world_def.gravity = (b2Vec2){ {{ gravity }} };
{% if ccd == "off" %}
	world_def.enableContinuous = false;
{% elif ccd == "off, then on" %}
	world_def.enableContinuous = FIX;
{% endif %}
	b2WorldId world = b2CreateWorld( &world_def );
	b2BodyDef def;
	b2ShapeDef shape = b2DefaultShapeDef();
{% for b in bodies %}
	// {{ b.name }}
	def = b2DefaultBodyDef();
	def.type = b2_{{ "static" if b.motion == "fixed" else b.motion }}Body;
	def.position = (b2Vec2){ {{ b.p }} };
	def.rotation = b2MakeRot( {{ b.angle }} );
{% if b.motion != "fixed" %}
	def.linearVelocity = {{ "b2MulSV( SPEED, (b2Vec2){ " ~ b.v ~ " } )" if fix.speed else "(b2Vec2){ " ~ b.v ~ " }" }};
	def.angularVelocity = {{ b.w }};
{% if b.swept %}
	def.isBullet = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% endif %}
	b2BodyId {{ b.id }} = b2CreateBody( world, &def );
{% if not collides and loop.first %}
	shape.filter.maskBits = {{ "FIX ? UINT64_MAX : 0" if fix.mask else "0" }};
{% elif not collides %}
	shape.filter.maskBits = UINT64_MAX;
{% endif %}
{% if b.shape.kind == "compound" %}{{ fail("has no template for a compound", b.shape) }}{% endif %}
{{ made(b, b.shape) }}
{% if b.motion == "dynamic" %}
	b2MassData {{ b.id }}_mass = b2Body_GetMassData( {{ b.id }} );
	{{ b.id }}_mass.rotationalInertia *= {{ b.mass }} / {{ b.id }}_mass.mass;
	{{ b.id }}_mass.mass = {{ b.mass }};
	b2Body_SetMassData( {{ b.id }}, {{ b.id }}_mass );
{% endif %}
{% endfor %}
	for ( int step = 0; step < {{ steps }}; ++step )
	{
		float dt = (float)( DT * ( step == 0 ? 1 - phase : 1 ) / SUBSTEPS );
		for ( int i = 0; i < SUBSTEPS; ++i )
		{
{% for b in bodies if b.is_set %}
			b2Vec2 {{ b.id }}_next = b2MulAdd( b2Body_GetPosition( {{ b.id }} ), dt, (b2Vec2){ {{ b.v }} } );
{% if fix.drive %}
			if ( !FIX )
{% endif %}
			{
				b2Body_SetTransform( {{ b.id }}, {{ b.id }}_next, b2Body_GetRotation( {{ b.id }} ) );
				b2Body_SetLinearVelocity( {{ b.id }}, b2Vec2_zero );
			}
{% endfor %}
			b2World_Step( world, dt, 4 );
		}
	}
{% if check.is_place %}
	b2Vec2 at = b2Body_GetPosition( {{ check.mover }} );
	b2Vec2 from = b2Body_GetLocalPoint( {{ check.base }}, at );
	float value = b2Dot( b2Sub( from, (b2Vec2){ {{ check.point }} } ), (b2Vec2){ {{ check.normal }} } );
{% else %}
	b2Vec2 base = {{ "b2Body_GetLinearVelocity( " ~ check.base ~ " )" if check.base else "b2Vec2_zero" }};
	float value = b2Dot( b2Sub( b2Body_GetLinearVelocity( {{ check.mover }} ), base ), (b2Vec2){ {{ check.normal }} } );
{% endif %}
{% if check.base and not check.is_place %}
	// Farther apart they cannot have met.
	bool isNear = b2Distance( b2Body_GetPosition( {{ check.mover }} ), b2Body_GetPosition( {{ check.base }} ) ) < {{ check.near }};
{% endif %}
	b2DestroyWorld( world );
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
