// Box2D 3, and Box3D with -DTHREE: reads levels from standard input, writes where the bodies end. See levels.py.

#include <stdio.h>

#ifdef THREE
#include "box3d/box3d.h"
#define B(name) b3##name
typedef b3Vec3 Vec;
static Vec vec( double x, double y ) { return (Vec){ x, y, 0 }; }
#else
#include "box2d/box2d.h"
#define B(name) b2##name
typedef b2Vec2 Vec;
static Vec vec( double x, double y ) { return (Vec){ x, y }; }
#endif

enum { MOST = 8 };

static B(BodyId) add( B(WorldId) world, const double* v )
{
	double depth = 2, x = v[2], y = v[3];
	B(BodyDef) def = B(DefaultBodyDef)();
	def.type = v[0] == 0 ? B(_staticBody) : v[0] == 1 ? B(_kinematicBody) : B(_dynamicBody);
	def.position = vec( v[4], v[5] );
	def.linearVelocity = vec( v[7], 0 );
	def.isBullet = v[9] != 0;
	B(ShapeDef) shape = B(DefaultShapeDef)();
#ifdef THREE
	def.rotation = b3MakeQuatFromAxisAngle( (Vec){ 0, 0, 1 }, v[6] );
	def.angularVelocity = (Vec){ 0, 0, v[8] };
	b3BodyId id = b3CreateBody( world, &def );
	shape.density = v[10] / ( v[1] == 0 ? 4.18879 * x * x * x : 8 * x * y * depth );
	b3Sphere ball = { .radius = x };
	b3BoxHull box = b3MakeBoxHull( x, y, depth );
	v[1] == 0 ? b3CreateSphereShape( id, &shape, &ball ) : b3CreateHullShape( id, &shape, &box.base );
#else
	(void)depth;
	def.rotation = b2MakeRot( v[6] );
	def.angularVelocity = v[8];
	b2BodyId id = b2CreateBody( world, &def );
	shape.density = v[10] / ( v[1] == 0 ? 3.14159 * x * x : 4 * x * y );
	b2Circle ball = { .radius = x };
	b2Polygon box = b2MakeBox( x, y );
	v[1] == 0 ? b2CreateCircleShape( id, &shape, &ball ) : b2CreatePolygonShape( id, &shape, &box );
#endif
	return id;
}

static void answer( B(BodyId) id )
{
#ifdef THREE
	double angle = 2 * b3Atan2( b3Body_GetRotation( id ).v.z, b3Body_GetRotation( id ).s );
#else
	double angle = b2Rot_GetAngle( b2Body_GetRotation( id ) );
#endif
	printf( "%.9g %.9g %.9g ", B(Body_GetPosition)( id ).x, B(Body_GetPosition)( id ).y, angle );
}

int main( void )
{
	double head[4], body[11];
	while ( scanf( "%lf%lf%lf%lf", head, head + 1, head + 2, head + 3 ) == 4 )
	{
		B(WorldDef) def = B(DefaultWorldDef)();
		def.gravity = vec( 0, head[3] );
		def.enableContinuous = head[2] != 0;
		B(WorldId) world = B(CreateWorld)( &def );
		B(BodyId) ids[MOST];
		int count = 0, last = ' ';
		while ( count < MOST && last != '\n' )
		{
			for ( int i = 0; i < 11; ++i )
			{
				if ( scanf( "%lf", body + i ) != 1 )
				{
					return 1;
				}
			}
			ids[count++] = add( world, body );
			last = getchar();
		}
		for ( int i = 0; i < (int)head[0]; ++i )
		{
			B(World_Step)( world, 1 / 60.0f, (int)( 4 * head[1] ) );
		}
		for ( int i = 0; i < count; ++i )
		{
			answer( ids[i] );
		}
		printf( "\n" );
		B(DestroyWorld)( world );
	}
	return 0;
}
