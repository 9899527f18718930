/*
 * Workload: steps of runs by the queue, runs woken by custom events, and the same wakes among more and more waiting runs. The floor
 * of each is hand-written SQL in the same database, with commits as grouped as ours: for a step the run, its history and its next
 * job; for a wake the event, the look-up by contact and type, and the move. In process, no host.
 * `npx tsx test/bench/sequences.ts [--storage sqlite|postgres] [--runs 1000] [--sizes 10000,1000000]`
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'sqlite' },
    runs: { type: 'string', default: '1000' },
    sizes: { type: 'string', default: '10000,1000000' },
  },
  strict: false,
});
const onSqlite = values.storage === 'sqlite';
const runs = Number(values.runs);
const sizes = String(values.sizes).split(',').map(Number);
const branches = 5;
const folder = mkdtempSync(join(dataFolder, 'sequences-'));
const schema = newSchema();

const service = createService({
  plugins: standardPlugins,
  storage: onSqlite
    ? sqliteStorage({ filename: join(folder, 'sequences.db') })
    : postgresStorage({ connectionString: postgresUrl, schema }),
  mail: captureMail(),
  keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench, 32 bytes' }] }),
});
await service.migrate();
const { id: workspaceId } = await service.workspaces.create({
  name: 'Bench',
  defaultFrom: { email: 'hello@example.com', name: 'Bench' },
});
const calls = service.as(workspaceId);
const database = await service.core.database();
const { ids } = service.core.ports;
const reach = unscoped('the bench writes its own rows');
const shared = { workspace_id: workspaceId, sandbox: 0 } as const;

async function contacts(count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => ids.create('con'));
  await database.transact(async (scope) => {
    const { db } = scope.handle(reach);
    for (let from = 0; from < count; from += 500)
      await db
        .insertInto('contacts')
        .values(
          made.slice(from, from + 500).map((id) => ({
            ...shared,
            id,
            external_id: id,
            email: `${id.toLowerCase()}@example.org`,
            address_as_given: null,
            attributes: '{}',
            created_at: 1,
            updated_at: 1,
          })),
        )
        .execute();
  });
  return made;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function published(body: Parameters<typeof calls.sequences.create>[0]): Promise<string> {
  const { key } = await calls.sequences.create(body);
  await calls.sequences.publish({ keyOrId: key });
  return key;
}

const enrolAll = async (keyOrId: string, contactIds: readonly string[]) => {
  for (const id of contactIds) await calls.sequences.enroll({ keyOrId, contact: { id } });
};

/** A hand-written step: the run, its history, the job that is over and the next one; 40 steps a commit. */
async function stepsByHand(runIds: readonly string[]): Promise<void> {
  const now = Date.now();
  for (let number = 0; number < branches; number += 1)
    for (let from = 0; from < runIds.length; from += 40)
      await database.transact(async (scope) => {
        const { db } = scope.handle(reach);
        for (const id of runIds.slice(from, from + 40)) {
          await db.selectFrom('sequence_runs').selectAll().where('id', '=', id).executeTakeFirst();
          await db.updateTable('sequence_runs').set({ node_id: 'x', due_at: now }).where('id', '=', id).execute();
          const step = { run_id: id, number: 100 + number, node_id: 'x', kind: 'branch', status: 'completed' } as const;
          const rest = { at: now, due_at: null, output: null, reason: null };
          await db
            .insertInto('sequence_steps')
            .values({ ...shared, ...step, ...rest })
            .execute();
          await db.updateTable('jobs').set({ state: 'done' }).where('id', '=', `job_${id}`).execute();
          await db
            .insertInto('jobs')
            .values({ ...jobRow(`job_${id}_${number}`), state: 'done' })
            .execute();
        }
      });
}

const jobRow = (id: string) => ({
  ...shared,
  id: id.slice(0, 40),
  kind: 'sequences.step',
  lane: 1,
  concurrency_key: workspaceId,
  state: 'waiting' as const,
  payload: '{}',
  subject: null,
  attempt: 0,
  crashes: 0,
  run_at: Date.now() + 30 * 86_400_000,
  created_at: Date.now(),
});

/** A hand-written wake: the event on the timeline, the look-up, the move. */
async function wakesByHand(contactIds: readonly string[]): Promise<void> {
  for (const contact_id of contactIds)
    await database.transact(async (scope) => {
      const { db } = scope.handle(reach);
      await db.selectFrom('contacts').selectAll().where('id', '=', contact_id).executeTakeFirst();
      const event = { id: ids.create('evt'), contact_id, type: 'bench.floor', ts: Date.now(), metadata: '{}' };
      await db
        .insertInto('contact_events')
        .values({ ...shared, ...event })
        .execute();
      const found = await db
        .selectFrom('sequence_waits')
        .select('run_id')
        .where('workspace_id', '=', workspaceId)
        .where('sandbox', '=', 0)
        .where('contact_id', '=', contact_id)
        .where('event_type', '=', 'bench.wake')
        .execute();
      for (const { run_id: id } of found)
        await db.updateTable('sequence_runs').set({ due_at: Date.now() }).where('id', '=', id).execute();
    });
}

const wake = async (contactIds: readonly string[]): Promise<void> => {
  for (const id of contactIds) {
    const { fan_out: fanOut } = await calls.events.emit({ type: 'bench.wake', contact: { id } });
    assert.equal(fanOut.sequences_woken, 1);
  }
};

/** Copies of a waiting run, with what it waits for and the job of its timeout. */
async function fillTo(count: number, from: { readonly id: string }): Promise<void> {
  const like = await database.read(reach, ({ db }) =>
    db.selectFrom('sequence_runs').selectAll().where('id', '=', from.id).executeTakeFirstOrThrow(),
  );
  for (let done = 0; done < count; ) {
    await database.transact(async (scope) => {
      const { db } = scope.handle(reach);
      for (let part = 0; part < 20 && done < count; part += 1) {
        const made = Array.from({ length: Math.min(250, count - done) }, () => ({
          id: ids.create('run'),
          contact_id: ids.create('con'),
        }));
        done += made.length;
        await db
          .insertInto('sequence_runs')
          .values(made.map((own) => ({ ...like, ...own })))
          .execute();
        const waits = made.map(({ id, contact_id }) => ({
          ...shared,
          contact_id,
          event_type: 'bench.wake',
          run_id: id,
          node_id: 'wait',
        }));
        await db.insertInto('sequence_waits').values(waits).execute();
        await db
          .insertInto('jobs')
          .values(made.map(({ id }) => ({ ...jobRow(`job_${id}`), waiting_key: id })))
          .execute();
      }
    });
  }
}

const rate = (count: number, ms: number): number => Math.round((count / ms) * 1_000);
const table: Record<string, number | string>[] = [];

const chain = Array.from({ length: branches }, (_, index) => `b${index}`);
const stepKey = await published({
  name: 'Steps',
  nodes: chain.map((id) => ({ id, kind: 'branch', conditions: [{ filter: {} }] })),
  edges: chain.slice(1).map((to, index) => ({ from: chain[index] ?? '', to, when: 'branch:0' })),
});
await enrolAll(stepKey, await contacts(runs));
const stepMs = await timed(() => service.drain());
const { data } = await calls.sequences.runs({ keyOrId: stepKey, status: 'completed', limit: 100 });
assert.equal(data.length, Math.min(100, runs));
const stepped = await database.read(reach, ({ db }) =>
  db.selectFrom('sequence_runs').select('id').limit(runs).execute(),
);
const floorStepMs = await timed(() => stepsByHand(stepped.map(({ id }) => id)));
const [steps, floorSteps] = [rate(runs * branches, stepMs), rate(runs * branches, floorStepMs)];
table.push({ workload: 'steps a second', ours: steps, floor: floorSteps, ratio: (steps / floorSteps).toFixed(2) });

const waitKey = await published({
  name: 'Waits',
  nodes: [{ id: 'wait', kind: 'wait_for_event', type: 'bench.wake', timeout: 'P30D' }],
});
const probes = 300;
let filled = 0;
let first: number | undefined;
for (const size of sizes) {
  const people = await contacts(2 * probes);
  await enrolAll(waitKey, people);
  await service.drain();
  const [like] = (await calls.sequences.runs({ keyOrId: waitKey, status: 'active', limit: 1 })).data;
  await fillTo(size - filled, { id: like?.runId ?? '' });
  filled = size;
  await wake(people.slice(0, 50));
  const ms = await timed(() => wake(people.slice(50, probes + 50)));
  const floorMs = await timed(() => wakesByHand(people.slice(probes + 50)));
  const [ours, floor] = [rate(probes, ms), rate(probes - 50, floorMs)];
  first ??= ours;
  table.push({
    workload: `wakes a second among ${size.toLocaleString('en')} waiting runs`,
    ours,
    floor,
    ratio: (ours / floor).toFixed(2),
    growth: (first / ours).toFixed(2),
  });
}

console.table(table);
console.log(JSON.stringify({ bench: 'sequences', storage: values.storage, table }));
await service.stop();
rmSync(folder, { recursive: true, force: true });
if (!onSqlite) await dropSchema(schema);
