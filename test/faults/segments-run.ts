// Changes many contacts at once, as an import does, while processes that compare watched segments are killed, and accounts for the
// events of each contact. Called by segments-kill.test.ts.
import type { Service } from '../../core/kernel/compose.ts';
import { inWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { upsertContacts } from '../../plugins/contacts/upsert-contacts.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { compareKind } from '../../plugins/segments/watching/kinds.ts';
import { compareAll } from '../../plugins/segments/watching/update-watches.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { doomedProcesses, everywhere, type PlannedKill, unfinishedJobs } from './doomed-processes.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';

const inBatch = 500;
/** The number of segments with the same contacts. */
const segmentCount = 2;

/** The account of a run. */
export interface SegmentsAccount {
  readonly kills: number;
  /** The number of events by type. */
  readonly events: Readonly<Record<string, number>>;
  /** The number of changes of a contact and a segment that caused more than one event. */
  readonly doubled: number;
  /** The number of changes that caused no event. */
  readonly lost: number;
  /** The number of contacts that are stored in segments at the end. */
  readonly stored: number;
  readonly unfinishedJobs: number;
}

/** Gives every contact the plan, and enqueues two comparisons of each segment, so that several processes compare it at once. */
async function change(service: Service<never>, workspaceId: string, contacts: number, plan: string): Promise<void> {
  const workspace = await service.workspaces.read(workspaceId);
  for (let from = 0; from < contacts; from += inBatch)
    await inWorkspace(service.core, workspace, async (ctx) => {
      const patches = Array.from({ length: Math.min(inBatch, contacts - from) }, (_, index) => ({
        reference: { external_id: `p${from + index}` },
        attributes: { plan },
      }));
      await upsertContacts(ctx, patches);
    });
  await inWorkspace(service.core, workspace, async (ctx) => {
    await compareAll(ctx);
    const rows = await ctx.trx.db.selectFrom('segment_watches').select('segment_id').execute();
    for (const { segment_id: segmentId } of rows) ctx.enqueue({ kind: compareKind, payload: { segmentId } });
  });
}

async function accountOf(service: Service<never>, kills: number, expected: number): Promise<SegmentsAccount> {
  const database = await service.core.database();
  const { told: emittedEvents, members } = await database.read(everywhere, async ({ db }) => ({
    told: await db
      .selectFrom('outbox')
      .select(['type', 'data'])
      .where('type', 'in', ['segment.entered', 'segment.left'])
      .execute(),
    members: await db.selectFrom('segment_members').select('contact_id').execute(),
  }));
  const events: Record<string, number> = {};
  const seenChanges = new Set<string>();
  for (const { type, data } of emittedEvents) {
    const { segment, contact } = JSON.parse(String(data)) as Record<string, Record<string, string>>;
    events[type] = (events[type] ?? 0) + 1;
    seenChanges.add(`${type} ${segment?.['segmentId']} ${contact?.['id']}`);
  }
  return {
    kills,
    events,
    doubled: emittedEvents.length - seenChanges.size,
    lost: expected - seenChanges.size,
    stored: members.length,
    unfinishedJobs: await unfinishedJobs(service),
  };
}

async function runAt(
  database: DatabaseLocation,
  waves: readonly (readonly PlannedKill[])[],
  contacts: number,
): Promise<SegmentsAccount> {
  const service = createMailService({ storage: storageOf(database) }) as unknown as Service<never>;
  try {
    const { workspaceId } = await seed(service as unknown as Service);
    const calls = (service as unknown as Service<(typeof standardPlugins)[number]['id']>).as(workspaceId);
    // The test wants every event, so every segment is watched from its beginning.
    for (let index = 0; index < segmentCount; index += 1) {
      const filter = { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } as const;
      await calls.segments.create({ name: `Pro ${index}`, filter });
    }
    const processes = doomedProcesses(service, database);
    let kills = 0;
    for (const [wave, plannedKills] of waves.entries()) {
      await change(service, workspaceId, contacts, wave % 2 === 0 ? 'pro' : 'free');
      kills += await processes.kill(plannedKills);
      await processes.finish();
    }
    return await accountOf(service, kills, waves.length * contacts * segmentCount);
  } finally {
    await service.stop();
  }
}

/** Makes one change of all contacts for each wave, at most two: in the first all enter, in the second all leave. */
export const runSegments = (
  kind: DatabaseKind,
  waves: readonly (readonly PlannedKill[])[],
  contacts: number,
): Promise<SegmentsAccount> => withDatabase(kind, (location) => runAt(location, waves, contacts));
