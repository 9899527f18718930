// Announces deprecations and changelog entries to every workspace. These schedules of the core are composed by container.ts.
// They walk the workspaces in batches; the transaction of a batch also saves the progress.
import type { ScheduleContext, ScheduleDeclaration } from '../contract/declaration/jobs.ts';
import type { EventMap } from '../contract/open.ts';
import { coreContextOf, type ScheduleCoreContext } from '../jobs/schedule-context.ts';
import { type CallEffects, createEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import { patternsOf } from '../pipeline/event-patterns.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import type { ChangelogRow } from '../storage/core-tables.ts';
import type { TransactionScope } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';
import { type DeprecationNotice, deprecationData, listDeprecations } from './deprecations.ts';

const unscopedReason = unscoped('announcements go to every workspace');

/** How many workspaces one statement reads, and one transaction announces to. */
const pageSize = 50;

type AnnouncementType = 'api.deprecation' | 'api.changelog.published';

/** A workspace of a page, and whether it has a consumer for the event. */
interface Listener {
  readonly id: string;
  readonly listens: boolean;
}

/**
 * The next workspaces by id. With `subject`, a workspace that already got this notice counts as a workspace without a
 * consumer.
 */
async function nextListeners(
  { core, database }: ScheduleCoreContext,
  type: AnnouncementType,
  { after, createdBy, subject }: { readonly after: string; readonly createdBy: number; readonly subject?: string },
): Promise<Listener[]> {
  const patterns = patternsOf(core.registry.events, type, 'service');
  const inProcess = core.eventRouter.subscribersOf(type, 'service').length > 0;
  const rows = await database.read(unscopedReason, ({ db }) =>
    db
      .selectFrom('workspaces')
      .select('id')
      .select((builder) => [
        builder
          .selectFrom('event_interests')
          .select('event_interests.pattern')
          .whereRef('event_interests.workspace_id', '=', 'workspaces.id')
          // Announcements are live events; a workspace on the plan `sandbox` has the sandbox side only.
          .where('event_interests.sandbox', '=', (side) =>
            side.case().when('workspaces.plan', '=', 'sandbox').then(1).else(0).end(),
          )
          .where('event_interests.pattern', 'in', [...patterns])
          .limit(1)
          .as('wanted'),
        builder
          .selectFrom('deprecation_notices')
          .select('deprecation_notices.subject')
          .whereRef('deprecation_notices.workspace_id', '=', 'workspaces.id')
          .where('deprecation_notices.subject', '=', subject ?? '')
          .as('announced'),
      ])
      .where('id', '>', after)
      .where('created_at', '<=', createdBy)
      .orderBy('id')
      .limit(pageSize)
      .execute(),
  );
  return rows.map(({ id, wanted, announced }) => ({
    id,
    listens: announced === null && (inProcess || wanted !== null),
  }));
}

/** Emits in one workspace; does nothing if the workspace was deleted. */
async function emitIn<T extends AnnouncementType>(
  core: Core,
  scope: TransactionScope,
  workspaceId: string,
  event: { readonly type: T; readonly data: EventMap[T]; readonly now: number },
): Promise<CallEffects | undefined> {
  const workspace = await findWorkspace(scope.handle(workspaceId), core.plans);
  if (workspace === undefined) return undefined;
  const ctx = createEffects({ core, scope, workspace, now: event.now, sandbox: workspace.plan.name === 'sandbox' });
  ctx.emit(event.type, event.data);
  return ctx;
}

const markCommitted = (allEffects: readonly (CallEffects | undefined)[]): void => {
  for (const ctx of allEffects) ctx?.committed(false);
};

/** The stored id of an announced notice, the same in all releases. A notice with another `since` is a new one. */
const subjectOf = ({ kind, name, since }: DeprecationNotice): string => `${kind} ${name} ${since}`.slice(0, 200);

/** Announces a notice to the workspaces that have a consumer for it and have not received it yet. */
async function announceNotice(
  context: ScheduleCoreContext,
  notice: DeprecationNotice,
  { now, signal }: ScheduleContext,
): Promise<void> {
  const { core, database } = context;
  const subject = subjectOf(notice);
  const data = deprecationData(notice);
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; ) {
    const listeners: readonly Listener[] = await nextListeners(context, 'api.deprecation', {
      after,
      createdBy: now,
      subject,
    });
    const ids = listeners.flatMap(({ id, listens }) => (listens ? [id] : []));
    if (ids.length > 0) {
      const announced = await database.transact(async (scope) => {
        const allEffects: (CallEffects | undefined)[] = [];
        for (const id of ids) {
          const ctx = await emitIn(core, scope, id, { type: 'api.deprecation', data, now });
          const row = { workspace_id: id, subject, announced_at: now };
          // If another process announced first, this batch fails on the unique key; the next run finds the rest.
          await ctx?.trx.db.insertInto('deprecation_notices').values(row).execute();
          allEffects.push(ctx);
        }
        await scope.flush();
        return allEffects;
      });
      markCommitted(announced);
    }
    after = listeners.length < pageSize ? undefined : listeners.at(-1)?.id;
  }
}

/** Announces the entry to every workspace that existed when it was published. Starts where the last run ended. */
async function publish(
  context: ScheduleCoreContext,
  entry: ChangelogRow,
  { now, signal }: ScheduleContext,
): Promise<void> {
  const { core, database } = context;
  const { id, title, published_on: date, link, changes, created_at: createdBy } = entry;
  const data = { title, date, link, changes: JSON.parse(changes) as string[] };
  for (let after: string | undefined = entry.announced_until; after !== undefined && !signal.aborted; ) {
    const announcedBefore: string = after;
    const listeners: readonly Listener[] = await nextListeners(context, 'api.changelog.published', {
      after,
      createdBy,
    });
    const isLast = listeners.length < pageSize;
    const announced_until = listeners.at(-1)?.id ?? announcedBefore;
    const announced = await database.transact(async (scope) => {
      const { numUpdatedRows } = await scope
        .handle(unscopedReason)
        .db.updateTable('changelog')
        .set({ announced_until, finished_at: isLast ? now : null })
        .where('id', '=', id)
        .where('announced_until', '=', announcedBefore)
        .where('finished_at', 'is', null)
        .executeTakeFirstOrThrow();
      // Another process has continued from here.
      if (numUpdatedRows === 0n) return undefined;
      const allEffects: (CallEffects | undefined)[] = [];
      for (const listener of listeners)
        if (listener.listens)
          allEffects.push(await emitIn(core, scope, listener.id, { type: 'api.changelog.published', data, now }));
      await scope.flush();
      return allEffects;
    });
    markCommitted(announced ?? []);
    after = isLast || announced === undefined ? undefined : announced_until;
  }
}

/** The schedules that make the announcements. Every service has them. */
export const announcementSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'core.changelog',
    description: 'Announces changelog entries to the workspaces.',
    everyMs: 60_000,
    async run(context) {
      const coreContext = coreContextOf(context);
      const entries = await coreContext.database.read(unscopedReason, ({ db }) =>
        db.selectFrom('changelog').selectAll().where('finished_at', 'is', null).orderBy('created_at').execute(),
      );
      for (const entry of entries) await publish(coreContext, entry, context);
    },
  },
  {
    id: 'core.deprecations',
    description: 'Announces deprecated parts of the API to the workspaces.',
    everyMs: 3_600_000,
    async run(context) {
      const coreContext = coreContextOf(context);
      for (const notice of listDeprecations(coreContext.core.registry))
        await announceNotice(coreContext, notice, context);
    },
  },
];
