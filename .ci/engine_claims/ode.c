// ODE: reads levels from standard input, writes where the bodies end. See levels.py.

#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

enum { MOST = 8, FIXED = 0, KINEMATIC = 1 };

static dWorldID world;
static dSpaceID space;
static dJointGroupID touching;

static dGeomID add( const double* v )
{
	double depth = 2;
	dGeomID geom = v[1] == 0 ? dCreateSphere( space, v[2] ) : dCreateBox( space, 2 * v[2], 2 * v[3], 2 * depth );
	dQuaternion turn = { cos( v[6] / 2 ), 0, 0, sin( v[6] / 2 ) };
	if ( v[0] != FIXED )
	{
		dBodyID body = dBodyCreate( world );
		dMass mass;
		v[1] == 0 ? dMassSetSphereTotal( &mass, v[10], v[2] ) : dMassSetBoxTotal( &mass, v[10], 2 * v[2], 2 * v[3], 2 * depth );
		dBodySetMass( body, &mass );
		dGeomSetBody( geom, body );
		dBodySetLinearVel( body, v[7], 0, 0 );
		dBodySetAngularVel( body, 0, 0, v[8] );
		if ( v[0] == KINEMATIC )
		{
			dBodySetKinematic( body );
		}
	}
	dGeomSetPosition( geom, v[4], v[5], 0 );
	dGeomSetQuaternion( geom, turn );
	return geom;
}

static void touch( void* data, dGeomID a, dGeomID b )
{
	(void)data;
	if ( dGeomGetBody( a ) == 0 && dGeomGetBody( b ) == 0 )
	{
		return;
	}
	dContact contacts[16];
	int count = dCollide( a, b, 16, &contacts[0].geom, sizeof contacts[0] );
	for ( int i = 0; i < count; ++i )
	{
		contacts[i].surface = ( dSurfaceParameters ){ .mode = dContactApprox1, .mu = 0.6 };
		dJointID joint = dJointCreateContact( world, touching, contacts + i );
		dJointAttach( joint, dGeomGetBody( a ), dGeomGetBody( b ) );
	}
}

int main( void )
{
	double head[4], body[11];
	dInitODE2( 0 );
	while ( scanf( "%lf%lf%lf%lf", head, head + 1, head + 2, head + 3 ) == 4 )
	{
		world = dWorldCreate();
		space = dSimpleSpaceCreate( 0 );
		touching = dJointGroupCreate( 0 );
		dWorldSetGravity( world, 0, head[3], 0 );
		dGeomID geoms[MOST];
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
			geoms[count++] = add( body );
			last = getchar();
		}
		for ( int i = 0; i < (int)head[0]; ++i )
		{
			dSpaceCollide( space, 0, touch );
			dWorldStep( world, 1 / 60.0 );
			dJointGroupEmpty( touching );
		}
		for ( int i = 0; i < count; ++i )
		{
			const dReal* at = dGeomGetPosition( geoms[i] );
			dQuaternion turn;
			dGeomGetQuaternion( geoms[i], turn );
			printf( "%.9g %.9g %.9g ", at[0], at[1], 2 * atan2( turn[3], turn[0] ) );
		}
		printf( "\n" );
		dSpaceDestroy( space );
		dJointGroupDestroy( touching );
		dWorldDestroy( world );
	}
	return 0;
}
