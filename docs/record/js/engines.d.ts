import { Engine } from './hitstop.js';

interface Flat {
  /** Metres per unit. */
  length?: number;
}

export function rapier(RAPIER: any, world: any): Engine;
export function matter(engine: any, options?: Flat): Engine;
export function planck(world: any, options?: Flat): Engine;
export function p2(world: any, options?: Flat): Engine;
export function box2d(B2: any, world: any, options?: Flat): Engine;
export function arcade(world: any, options?: Flat): Engine;
export function cannon(world: any): Engine;
export function ammo(Ammo: any, world: any): Engine;
export function havok(HK: any, world: any, bodies: () => Iterable<any>): Engine;
export function babylon(plugin: any): Engine;
