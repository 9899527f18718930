/*
 * What the machine was like when a run began: other work beside it, and what one durable write costs. Figures are only
 * worth something together with these. Used by measure.ts alone.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Goes into the JSON line. */
export interface MachineState {
  processor: string;
  node: string;
  /** Share of all cores that others used before the run; above 0.1 the figures are not to be trusted. */
  busyBefore: number;
  /** Milliseconds of a 4 kB write with fdatasync; far below 0.05 the disk does not keep what it says it keeps. */
  durableWrite: number;
}

function processorTimes(): { idle: number; all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.idle + times.user + times.nice + times.sys + times.irq;
  }
  return { idle, all };
}

function timeDurableWrite(folder: string): number {
  const path = join(folder, 'durable-write');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096);
  // Written once before it is timed: a file that grows costs more.
  for (let index = 0; index < 100; index += 1) writeSync(file, page);
  fdatasyncSync(file);
  const started = performance.now();
  for (let index = 0; index < 100; index += 1) {
    writeSync(file, page, 0, page.length, index * page.length);
    fdatasyncSync(file);
  }
  const milliseconds = (performance.now() - started) / 100;
  closeSync(file);
  rmSync(path);
  return milliseconds;
}

/** Looks at the machine for a second and a half. `folder` is where the SQLite files will be. */
export async function describeMachine(folder: string): Promise<MachineState> {
  const before = processorTimes();
  await setTimeout(1500);
  const after = processorTimes();
  return {
    processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    busyBefore: Number((1 - (after.idle - before.idle) / (after.all - before.all)).toFixed(2)),
    durableWrite: Number(timeDurableWrite(folder).toFixed(3)),
  };
}
