import { Engine, EngineVector, WorldRecorder } from './hitstop.js';

export function rapier(RAPIER: any, world: any): Engine;
/** Of rapier: after `controller.computeColliderMovement(collider, wish)`, before the character is moved. */
export function recordMove(recorder: WorldRecorder, controller: any, collider: any, wish: EngineVector): void;
export function matter(engine: any, Matter?: any): Engine;
export function planck(world: any): Engine;
export function p2(world: any): Engine;
export function box2d(B2: any, world: any): Engine;
export function arcade(world: any): Engine;
export function cannon(world: any): Engine;
export function ammo(Ammo: any, world: any): Engine;
export function havok(HK: any, world: any, bodies: () => Iterable<any>): Engine;
export function babylon(plugin: any): Engine;
