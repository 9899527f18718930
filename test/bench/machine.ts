/*
 * The state of the machine when a run began: other load, and the cost of one durable write. Figures are only
 * meaningful together with this state. Used only by measure.ts.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Part of the JSON line. */
export interface MachineState {
  processor: string;
  node: string;
  /** Share of all cores that other processes used before the run. Above 0.1, the figures cannot be trusted. */
  busyBefore: number;
  /** Milliseconds of a 4 kB write with fdatasync. Far below 0.05, the disk does not really sync. */
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
  // The file is written once before timing, since a growing file costs more.
  for (let index = 0; index < 100; index += 1) writeSync(file, page);
  fdatasyncSync(file);
  const startedAt = performance.now();
  for (let index = 0; index < 100; index += 1) {
    writeSync(file, page, 0, page.length, index * page.length);
    fdatasyncSync(file);
  }
  const milliseconds = (performance.now() - startedAt) / 100;
  closeSync(file);
  rmSync(path);
  return milliseconds;
}

/** Observes the machine for a second and a half. `folder` is the folder for SQLite files. */
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
