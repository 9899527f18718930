/*
 * Workload: a fan-out of 2,000 webhooks to a receiver in another process, and the cost of emitting with subscriptions.
 * `npx tsx test/bench/webhooks.ts [--rounds 5] [--storage sqlite|postgres|mariadb]`
 * The floors post the same signed bodies with undici: bare, and with a durable row for each. Every round measures them in turn.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createEffects } from '../../core/pipeline/call-effects.ts';
import { findWorkspace } from '../../core/pipeline/workspaces.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { withDatabase } from '../faults/databases.ts';
import { storageOf } from '../faults/mail-service.ts';
import { webhookPlugins } from '../support/webhook-bench.ts';
import { bodiesOf, type PostedBody, postAll, postAllWithRows } from './floors/webhooks-undici.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, storage: { type: 'string', default: 'sqlite' } },
});
const rounds = Number(values.rounds);
const kind = values.storage as 'sqlite' | 'postgres' | 'mariadb';
const fanOut = 2_000;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function startReceiver(): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./floors/webhook-sink.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  process.once('exit', () => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/hook`, stop: () => void child.kill() };
}

type Bench = Awaited<ReturnType<typeof openService>>;

async function openService(storage: StorageAdapter) {
  return createTestService({
    storage,
    plugins: webhookPlugins,
    outgoing: {},
    plans: { pro: { workspacePerMinute: Number.POSITIVE_INFINITY } },
    settings: { jobPollMs: 50 },
  });
}

/** Emits events, each in its own transaction, `callers` at a time. Returns the elapsed milliseconds. */
async function emit({ service, workspaceId }: Bench, events: number, callers: number): Promise<number> {
  const { core } = service;
  const database = await core.database();
  const workspace = await database.read(workspaceId, (handle) => findWorkspace(handle, core.plans));
  assert.ok(workspace !== undefined);
  const began = performance.now();
  let remainingEvents = events;
  const caller = async (): Promise<void> => {
    while (remainingEvents > 0) {
      remainingEvents -= 1;
      await database.transact(async (scope) => {
        const ctx = createEffects({ core, scope, workspace, now: core.ports.now(), sandbox: false });
        ctx.emit('parcel.moved', { parcel: 'p'.repeat(700) });
        await scope.flushLast();
      });
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return performance.now() - began;
}

async function subscribe({ service, workspaceId }: Bench, count: number, url: string): Promise<void> {
  const { webhooks } = service.as(workspaceId);
  for (let index = 0; index < count; index += 1)
    await webhooks.create({ url: `${url}/${index}`, events: ['parcel.moved'] });
}

/** Delivers `events` events to `subscriptions` webhooks. Returns the milliseconds from the first claim to the last row. */
async function deliver(location: StorageAdapter, url: string, subscriptions: number): Promise<number> {
  const bench = await openService(location);
  await subscribe(bench, subscriptions, url);
  await emit(bench, fanOut / subscriptions, 1);
  const began = performance.now();
  await bench.service.drain();
  const took = performance.now() - began;
  const database = await bench.service.core.database();
  const rows = await database.read(bench.workspaceId, ({ db }) =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('workspace_id', '=', bench.workspaceId)
      .where('status', '=', 'delivered')
      .execute(),
  );
  assert.equal(rows.length, fanOut);
  await bench.close();
  return took;
}

async function measureFanOut(): Promise<void> {
  const receiver = await startReceiver();
  const bodies: PostedBody[] = bodiesOf(fanOut);
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-'));
  const timings = new Map<string, number[]>();
  const run = async (name: string, work: () => Promise<number>): Promise<void> => {
    const took = await work();
    timings.set(name, [...(timings.get(name) ?? []), fanOut / (took / 1_000)]);
  };
  for (let round = 0; round < rounds; round += 1) {
    await run('floor: undici', () => postAll(receiver.url, bodies));
    await run('undici + SQLite rows', () => postAllWithRows(receiver.url, bodies, join(folder, `${round}.db`)));
    for (const subscriptions of [50, 1])
      await run(`postrider, ${subscriptions} x ${fanOut / subscriptions}`, () =>
        withDatabase(kind, (location) => deliver(storageOf(location), receiver.url, subscriptions)),
      );
  }
  receiver.stop();
  rmSync(folder, { recursive: true });
  const floor = median(timings.get('floor: undici') ?? []);
  for (const [name, all] of timings)
    console.log(
      `${name.padEnd(28)} ${Math.round(median(all)).toString().padStart(7)}/s  ${(median(all) / floor).toFixed(2)}  (${all.map(Math.round).join(' ')})`,
    );
  console.log(
    JSON.stringify({ workload: `webhook fan-out of ${fanOut}`, storage: kind, figures: Object.fromEntries(timings) }),
  );
}

async function measureEmitting(): Promise<void> {
  const events = 2_000;
  const counts = [0, 10, 50];
  const timings = new Map<number, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const count of counts)
      await withDatabase(kind, async (location) => {
        const bench = await openService(storageOf(location));
        await subscribe(bench, count, 'http://127.0.0.1:9999');
        await emit(bench, 200, 8);
        const rate = events / ((await emit(bench, events, 8)) / 1_000);
        timings.set(count, [...(timings.get(count) ?? []), rate]);
        await bench.close();
      });
  const floor = median(timings.get(0) ?? []);
  for (const [count, all] of timings)
    console.log(
      `emit with ${String(count).padStart(2)} subscriptions ${Math.round(median(all)).toString().padStart(7)}/s  ${(median(all) / floor).toFixed(2)}`,
    );
  console.log(JSON.stringify({ workload: 'emitting', storage: kind, figures: Object.fromEntries(timings) }));
}

console.log(JSON.stringify(await describeMachine(tmpdir())));
await measureFanOut();
await measureEmitting();
