// Two processes share one store of limits. Their grants are counted together in every window, by a clock that runs twenty times as
// fast. The in-memory store, which processes do not share, shows that the count can detect too many grants.
// full-run: slow
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledSources } from '../support/compiled.ts';
import { dropSchema, hasPostgres, newSchema } from '../support/postgres-server.ts';
import { deleteRedisKeys, hasRedis, newRedisPrefix } from '../support/redis-server.ts';
import { type Grant, type Grants, type LimitPlan, type LimitStorage, serviceAt } from './limits-process.ts';

const test = suite('two processes, one limit');
const script = join(await compiledSources(), 'test/faults/limits-process.js');
const unlimited = Number.POSITIVE_INFINITY;
const speed = 20;
/** A key without an effective workspace limit, and a workspace without an effective key limit. Most calls are refused. */
const byKey = { keyRate: 2, keyBurst: 30, workspacePerMinute: 9e15 };
const byWorkspace = { keyRate: 1e9, keyBurst: 9e9, workspacePerMinute: 100 };

interface Running {
  readonly ready: Promise<void>;
  readonly grants: Promise<Grants>;
  begin(from: number): void;
}

function startProcess(order: LimitPlan): Running {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.startsWith('ready\n')) resolve();
    });
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`A process ended with ${code}.`)));
  });
  const grants = new Promise<Grants>((resolve) => {
    child.on('close', () => resolve(JSON.parse(text.slice('ready\n'.length))));
  });
  return { ready, grants, begin: (from) => void child.stdin.end(String(from)) };
}

const inOrder = (grants: readonly Grant[]): Grant[] => [...grants].sort(([a], [b]) => a - b);

/** The grants of both processes, by the time of their requests. */
async function takeInTwoProcesses(storage: LimitStorage): Promise<Grants> {
  const order = { storage, byKey, byWorkspace, durationMs: 5_000, speed };
  const processes = [startProcess(order), startProcess(order)];
  await Promise.all(processes.map(({ ready }) => ready));
  const from = Date.now();
  for (const { begin } of processes) begin(from);
  const both = await Promise.all(processes.map(({ grants }) => grants));
  assert.ok(
    both.every((one) => one.byKey.length > 0 && one.byWorkspace.length > 0),
    'both processes were granted something',
  );
  return {
    byKey: inOrder(both.flatMap((one) => one.byKey)),
    byWorkspace: inOrder(both.flatMap((one) => one.byWorkspace)),
  };
}

/**
 * The error that docs/scaling.md states for the caller's clock: differences between clocks, and a decision later than its request. On one
 * machine only the late decision remains: the longest time that any grant took.
 */
const errorOf = (grants: readonly Grant[]): number =>
  Math.max(...grants.map(([requestedAt, grantedAt]) => grantedAt - requestedAt));

/** The largest number of grants beyond `room(length)` in any window. 0 or less is correct. */
function excessOf(grants: readonly Grant[], allowed: (milliseconds: number) => number): number {
  let worst = Number.NEGATIVE_INFINITY;
  for (const [first, [from]] of grants.entries()) {
    for (let last = first; last < grants.length; last += 1) {
      const [until = 0] = grants[last] ?? [];
      worst = Math.max(worst, last - first + 1 - allowed(until - from));
    }
  }
  return worst;
}

const keyExcess = (grants: readonly Grant[], errorMs: number): number =>
  excessOf(grants, (length) => byKey.keyBurst + ((length + errorMs) * byKey.keyRate) / 1_000);
const workspaceExcess = (grants: readonly Grant[], errorMs: number): number =>
  excessOf(grants, (length) => (length < 60_000 - errorMs ? byWorkspace.workspacePerMinute : unlimited));

async function check(storage: LimitStorage): Promise<void> {
  const grants = await takeInTwoProcesses(storage);
  assert.ok(grants.byKey.length > 150, `${grants.byKey.length} grants by the key`);
  assert.ok(grants.byWorkspace.length > 120, `${grants.byWorkspace.length} grants by the workspace`);
  const keyError = errorOf(grants.byKey);
  assert.ok(keyExcess(grants.byKey, keyError) <= 0, `${keyExcess(grants.byKey, keyError)} too many by the key`);
  const errorMs = errorOf(grants.byWorkspace);
  assert.ok(errorMs < 50_000, `the machine is too slow for a result: ${errorMs} ms`);
  const excess = workspaceExcess(grants.byWorkspace, errorMs);
  assert.ok(excess <= 0, `${excess} too many by the workspace`);
}

test('two in-memory stores grant too many, and the count detects it', async () => {
  const grants = await takeInTwoProcesses({ kind: 'memory', name: '' });
  assert.ok(keyExcess(grants.byKey, errorOf(grants.byKey)) > 20);
  assert.ok(workspaceExcess(grants.byWorkspace, errorOf(grants.byWorkspace)) > 50);
});

if (await hasRedis()) {
  test('Redis never grants more than the limit in any window', async () => {
    const name = newRedisPrefix();
    await check({ kind: 'redis', name });
    await deleteRedisKeys(name);
  });
}

if (await hasPostgres()) {
  test("the service's own Postgres never grants more than the limit in any window", async () => {
    const storage = { kind: 'postgres', name: newSchema() } as const;
    const service = serviceAt(storage);
    await service.migrate();
    await service.stop();
    try {
      await check(storage);
    } finally {
      await dropSchema(storage.name);
    }
  });
}

test.run();
