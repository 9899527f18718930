// Runs sequences over processes that are killed at every named phase, and counts the effects of each run. Called by
// sequences-kill.test.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../../core/kernel/compose.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { removeInterestsKind } from '../../plugins/sequences/jobs/kinds.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { doomedProcesses, everywhere, type PlannedKill, unfinishedJobs } from './doomed-processes.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';

const deadlineMs = 240_000;
/** The job that a publish schedules for 150 s later. No test waits for it. */
const ignoredKinds = [removeInterestsKind];

/** The account of a run. */
export interface SequencesAccount {
  readonly kills: number;
  /** The number of runs by status. */
  readonly runs: Readonly<Record<string, number>>;
  /** The number of contacts that do not have exactly one run. */
  readonly doubledRuns: number;
  /** `run node` of mails that were not accepted exactly once. */
  readonly wrongSends: readonly string[];
  /** Runs whose history does not match the graph. */
  readonly wrongHistories: readonly string[];
  /** The number of runs that reached each node, according to the stored counts. */
  readonly reached: Readonly<Record<string, number>>;
  readonly unfinishedJobs: number;
}

/**
 * The nodes of the graph, in order: two sends with a short delay between them, a wait for an event that may come before it, and a
 * change of the contact.
 */
export const nodeIds = ['one', 'pause', 'two', 'wait', 'mark'] as const;

async function publish(service: Service<never>, workspaceId: string): Promise<void> {
  const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
  const send = (id: string) =>
    ({ id, kind: 'send_email', templateKey: 'fault-receipt', variables: { name: '{{ contact.email }}' } }) as const;
  await calls.sequences.create({
    key: 'faults',
    name: 'Faults',
    nodes: [
      send('one'),
      { id: 'pause', kind: 'delay', for: 'PT1S' },
      send('two'),
      { id: 'wait', kind: 'wait_for_event', type: 'fault.reported', since: 'run', timeout: 'P1D' },
      { id: 'mark', kind: 'update_contact', attributes: { marked: true } },
    ],
    edges: nodeIds.slice(1).map((to, index) => {
      const from = nodeIds[index] ?? '';
      return { from, to, when: from === 'wait' ? 'matched' : 'next' };
    }),
  });
  await calls.sequences.publish({ keyOrId: 'faults' });
}

/** Repeats a call while the service is unavailable, as its answer asks: a killed process may leave locks for some seconds. */
async function untilAccepted(call: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (performance.now() < deadline) {
    try {
      await call();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'service_unavailable') throw error;
      await pause(1_000);
    }
  }
  throw new Error('The service stayed unavailable.');
}

/** Emits one event for each run once it exists: at once for one half, so that it comes before the wait, and later for the other. */
async function emitToEach(service: Service<never>, workspaceId: string, total: number): Promise<void> {
  const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
  const database = await service.core.database();
  const emittedIds = new Set<string>();
  const deadline = performance.now() + deadlineMs;
  const pending: Promise<unknown>[] = [];
  while (emittedIds.size < total && performance.now() < deadline) {
    const rows = await database.read(everywhere, ({ db }) =>
      db.selectFrom('sequence_runs').select('contact_id').execute(),
    );
    for (const { contact_id: id } of rows) {
      if (id === null || emittedIds.has(id)) continue;
      emittedIds.add(id);
      const emit = async () => {
        if (emittedIds.size % 2 === 0) await pause(1_500);
        await untilAccepted(() =>
          calls.events.emit({ type: 'fault.reported', contact: { id } }, { idempotencyKey: `fault ${id}` }),
        );
      };
      pending.push(emit());
    }
    await pause(50);
  }
  await Promise.all(pending);
}

async function accountOf(service: Service<never>, kills: number): Promise<SequencesAccount> {
  const database = await service.core.database();
  const { runs, sends, steps, tallies } = await database.read(everywhere, async ({ db }) => ({
    runs: await db.selectFrom('sequence_runs').select(['id', 'contact_id', 'status']).execute(),
    sends: await db.selectFrom('sends').select(['id', 'metadata']).execute(),
    steps: await db.selectFrom('sequence_steps').select(['run_id', 'number', 'node_id', 'status']).execute(),
    tallies: await db.selectFrom('sequence_tallies').select(['node_id', 'reached']).execute(),
  }));
  const count = (values: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  };
  const sendCounts = count(
    sends.map(({ metadata }) => {
      const { runId, nodeId } = JSON.parse(metadata ?? '{}') as Record<string, string>;
      return `${runId} ${nodeId}`;
    }),
  );
  const expectedKeys = runs.flatMap(({ id }) => [`${id} one`, `${id} two`]);
  const histories = new Map(runs.map(({ id }) => [id, [] as string[]]));
  for (const { run_id: id, node_id: nodeId, status } of [...steps].sort((one, other) => one.number - other.number))
    histories.get(id)?.push(`${nodeId} ${status}`);
  const completeHistory = nodeIds.map((id) => `${id} completed`).join();
  const reachedCounts: Record<string, number> = {};
  for (const row of tallies) reachedCounts[row.node_id] = (reachedCounts[row.node_id] ?? 0) + Number(row.reached);
  return {
    kills,
    runs: count(runs.map(({ status }) => status)),
    doubledRuns: Object.values(count(runs.map(({ contact_id: id }) => id ?? ''))).filter((times) => times !== 1).length,
    wrongSends: [...new Set([...expectedKeys, ...Object.keys(sendCounts)])].filter((name) => sendCounts[name] !== 1),
    wrongHistories: [...histories].filter(([, steps]) => steps.join() !== completeHistory).map(([id]) => id),
    reached: reachedCounts,
    unfinishedJobs: await unfinishedJobs(service, ignoredKinds),
  };
}

async function runAt(
  database: DatabaseLocation,
  waves: readonly (readonly PlannedKill[])[],
  contacts: number,
): Promise<SequencesAccount> {
  const service = createMailService({ storage: storageOf(database) }) as unknown as Service<never>;
  try {
    const { workspaceId } = await seed(service as unknown as Service);
    await publish(service, workspaceId);
    const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
    const processes = doomedProcesses(service, database, ignoredKinds);
    let kills = 0;
    const emission = emitToEach(service, workspaceId, waves.length * contacts);
    for (const [wave, plannedKills] of waves.entries()) {
      const { listId } = await calls.lists.create({ name: `Wave ${wave}` });
      const contactIds: string[] = [];
      for (let index = 0; index < contacts; index += 1)
        contactIds.push((await calls.contacts.upsert({ email: `w${wave}-${index}@example.net` })).id);
      await calls.lists.membersAdd({ listId, contactIds });
      await calls.sequences.enrollList({ keyOrId: 'faults', listId });
      kills += await processes.kill(plannedKills);
    }
    await processes.finish(() => emission);
    return await accountOf(service, kills);
  } finally {
    await service.stop();
  }
}

/** Enrols a list of `contacts` for each wave, and starts a process for each of its kills. */
export const runSequences = (
  kind: DatabaseKind,
  waves: readonly (readonly PlannedKill[])[],
  contacts: number,
): Promise<SequencesAccount> => withDatabase(kind, (location) => runAt(location, waves, contacts));
