// What the tests share: the folder for logs, and comparisons.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WorldRecorder } from './hitstop.js';

const folder = process.argv[2] ?? mkdtempSync(path.join(os.tmpdir(), 'hitstop'));
export const at = (name) => path.join(folder, name);
export const parsed = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
export const read = (name) => parsed(readFileSync(at(name), 'utf8'));
export const HALF = Math.SQRT1_2;

/** Whether numbers are equal up to rounding, and all else is equal. */
export function near(got, want) {
  if (typeof want === 'number') assert.ok(Math.abs(got - want) < 1e-6, `${got} is not ${want}`);
  else if (Array.isArray(want)) {
    assert.equal(got.length, want.length, JSON.stringify(got));
    want.forEach((value, i) => near(got[i], value));
  }
  else if (want && typeof want === 'object') for (const key of Object.keys(want)) near(got?.[key], want[key]);
  else assert.equal(got, want);
}

/** The log of a world of one engine: `steps` change the world, and a line is written after each. */
export async function recorded(name, engine, steps, options) {
  const recorder = new WorldRecorder(at(`${name}.jsonl`), engine, options);
  for (const step of steps) {
    step(recorder);
    recorder.frame();
  }
  await recorder.close();
  return read(`${name}.jsonl`);
}

/** What is printed to the console while something runs. */
export async function warned(run) {
  const warnings = [];
  const { error } = console;
  console.error = (text) => warnings.push(text);
  try {
    await run();
  } finally {
    console.error = error;
  }
  return warnings;
}

// A ball of radius 0.5 is at y = 0.4 above a ground up to y = 0 at the start of a step, and at y = 0.3 after it: its contact is 0.1 deep.
export const vec = (x, y, z) => ({ x, y, z });
export const START = 0.4;
export const END = 0.3;
export const HIT = { point: [0, -0.05, 0], depth: 0.1 };
export const FLAT_HIT = { point: [0, -0.05], depth: 0.1 };
