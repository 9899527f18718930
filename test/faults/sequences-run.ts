// Runs sequences over processes that are killed at every named phase, and accounts for what each run did, and how often. Called by
// sequences-kill.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Phase } from '../../core/contract/ports/platform.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { unscoped } from '../../core/storage/scope.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { forgetVersionsKind } from '../../plugins/sequences/jobs/kinds.ts';
import { compiledSources } from '../support/compiled.ts';
import { createMailService, type Place, seed, storageOf } from './mail-service.ts';
import { type PlaceKind, withPlace } from './places.ts';
import type { SequencesPlan } from './sequences-process.ts';

const script = join(await compiledSources(), 'test/faults/sequences-process.js');
const everywhere = unscoped('the test looks at every row');
const deadlineMs = 240_000;
const leaseMs = 3_000;

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

/** A process kills itself at this occurrence of a phase. */
export type Kill = { readonly phase: Phase; readonly occurrence: number };

/** The nodes of the graph, in order: two sends with a short delay between them, and a change of the contact. */
export const nodeIds = ['one', 'pause', 'two', 'mark'] as const;

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
      { id: 'mark', kind: 'update_contact', attributes: { marked: true } },
    ],
    edges: nodeIds.slice(1).map((to, index) => ({ from: nodeIds[index] ?? '', to, when: 'next' })),
  });
  await calls.sequences.publish({ keyOrId: 'faults' });
}

/** Starts a process. Waits for its end, or stops it on request. */
function start(plan: SequencesPlan) {
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ['ignore', 'ignore', 'inherit'] });
  return { child, closed: once(child, 'close') as Promise<[number | null, string | null]> };
}

/** The open jobs of runs. Excludes the job that a publish schedules for 150 s later, since no test waits for it. */
async function unfinished(service: Service<never>): Promise<number> {
  const database = await service.core.database();
  const rows = await database.read(everywhere, ({ db }) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('state', 'not in', ['done', 'failed'])
      .where('kind', '!=', forgetVersionsKind)
      .limit(1_000)
      .execute(),
  );
  return rows.length;
}

async function untilDone(service: Service<never>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while ((await unfinished(service)) > 0 && performance.now() < deadline) await pause(200);
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
  const sent = count(
    sends.map(({ metadata }) => {
      const { runId, nodeId } = JSON.parse(metadata ?? '{}') as Record<string, string>;
      return `${runId} ${nodeId}`;
    }),
  );
  const expected = runs.flatMap(({ id }) => [`${id} one`, `${id} two`]);
  const histories = new Map(runs.map(({ id }) => [id, [] as string[]]));
  for (const { run_id: id, node_id: nodeId, status } of [...steps].sort((one, other) => one.number - other.number))
    histories.get(id)?.push(`${nodeId} ${status}`);
  const whole = nodeIds.map((id) => `${id} completed`).join();
  const reached: Record<string, number> = {};
  for (const row of tallies) reached[row.node_id] = (reached[row.node_id] ?? 0) + Number(row.reached);
  return {
    kills,
    runs: count(runs.map(({ status }) => status)),
    doubledRuns: Object.values(count(runs.map(({ contact_id: id }) => id ?? ''))).filter((times) => times !== 1).length,
    wrongSends: [...new Set([...expected, ...Object.keys(sent)])].filter((name) => sent[name] !== 1),
    wrongHistories: [...histories].filter(([, steps]) => steps.join() !== whole).map(([id]) => id),
    reached,
    unfinishedJobs: await unfinished(service),
  };
}

async function runAt(place: Place, waves: readonly (readonly Kill[])[], contacts: number): Promise<SequencesAccount> {
  const service = createMailService({ storage: storageOf(place) }) as unknown as Service<never>;
  try {
    const { workspaceId } = await seed(service as unknown as Service);
    await publish(service, workspaceId);
    const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
    let kills = 0;
    for (const [wave, planned] of waves.entries()) {
      const { listId } = await calls.lists.create({ name: `Wave ${wave}` });
      const contactIds: string[] = [];
      for (let index = 0; index < contacts; index += 1)
        contactIds.push((await calls.contacts.upsert({ email: `w${wave}-${index}@example.net` })).id);
      await calls.lists.membersAdd({ listId, contactIds });
      await calls.sequences.enrollList({ keyOrId: 'faults', listId });
      const started = planned.map((kill) => start({ place, leaseMs, kill }));
      const ends = Promise.all(started.map(({ closed }) => closed));
      await Promise.race([ends, untilDone(service)]);
      for (const { child } of started) child.kill('SIGTERM');
      for (const [, signal] of await ends) if (signal === 'SIGKILL') kills += 1;
    }
    const last = [start({ place, leaseMs }), start({ place, leaseMs })];
    await untilDone(service);
    for (const { child } of last) child.kill('SIGTERM');
    await Promise.all(last.map(({ closed }) => closed));
    return await accountOf(service, kills);
  } finally {
    await service.stop();
  }
}

/** Enrols a list of `contacts` for each wave, and starts a process for each of its kills. */
export const sequencesRun = (
  kind: PlaceKind,
  waves: readonly (readonly Kill[])[],
  contacts: number,
): Promise<SequencesAccount> => withPlace(kind, (place) => runAt(place, waves, contacts));
