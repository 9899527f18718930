// The SQL of subscriptions, and of reading deliveries. What is written while delivering has a store of its own.
import type { CursorPosition, WorkspaceHandle } from '../../core/index.ts';
import { defineStatement, filledList, olderThan } from '../../core/index.ts';
import type { DeliveryState, WebhookDeliveryRow, WebhookRow } from './tables.ts';

const byId = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.selectFrom('webhooks').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const remove = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.deleteFrom('webhooks').where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const deliveryById = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.selectFrom('webhook_deliveries').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

export const findWebhook = (handle: WorkspaceHandle, id: string): Promise<WebhookRow | undefined> =>
  handle.one(byId, { id });

export async function insertWebhook(handle: WorkspaceHandle, row: WebhookRow): Promise<void> {
  await handle.db.insertInto('webhooks').values(row).execute();
}

/** Answers whether there is one. Holds its row until the transaction ends. */
export async function updateWebhook(
  handle: WorkspaceHandle,
  id: string,
  changes: Partial<Omit<WebhookRow, 'id' | 'workspace_id' | 'created_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await handle.db
    .updateTable('webhooks')
    .set(changes)
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Why and when a subscription is disabled, and what must still be so. */
export interface Disabling {
  readonly at: number;
  readonly reason: string;
  /** Nobody has changed it later than this: re-enabling it forgives. */
  readonly unlessChangedSince?: number;
  /** It has been failing since this time or longer. */
  readonly failingBefore?: number;
}

/** Answers whether there was one that was enabled. */
export async function disableWebhookRow(
  handle: WorkspaceHandle,
  id: string,
  { at, reason, unlessChangedSince, failingBefore }: Disabling,
): Promise<boolean> {
  let query = handle.db
    .updateTable('webhooks')
    .set({ enabled: 0, disabled_at: at, disabled_reason: reason, updated_at: at })
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .where('enabled', '=', 1);
  if (unlessChangedSince !== undefined) query = query.where('updated_at', '<=', unlessChangedSince);
  if (failingBefore !== undefined) query = query.where('failing_since', '<=', failingBefore);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Answers whether there was one. */
export async function deleteWebhook(handle: WorkspaceHandle, id: string): Promise<boolean> {
  return (await handle.run(remove, { id })) > 0;
}

/** Whether the workspace has so many subscriptions, or more. */
export async function hasSoManyWebhooks(handle: WorkspaceHandle, many: number): Promise<boolean> {
  const rows = await handle.db
    .selectFrom('webhooks')
    .select('id')
    .where('workspace_id', '=', handle.workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(many)
    .execute();
  return rows.length === many;
}

/** Newest first. */
export async function listWebhooks(
  handle: WorkspaceHandle,
  limit: number,
  after: CursorPosition | undefined,
): Promise<WebhookRow[]> {
  let query = handle.db.selectFrom('webhooks').selectAll().where('workspace_id', '=', handle.workspaceId);
  if (after !== undefined) query = query.where(olderThan('created_at', 'id', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findDelivery = (handle: WorkspaceHandle, id: string): Promise<WebhookDeliveryRow | undefined> =>
  handle.one(deliveryById, { id });

/** Which deliveries of a subscription. Times are milliseconds: from `since` on, before `until`. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly eventType?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Newest first. */
export async function listDeliveries(
  handle: WorkspaceHandle,
  webhookId: string,
  { state, eventType, since, until }: DeliveryFilter,
  limit: number,
  after: CursorPosition | undefined,
): Promise<WebhookDeliveryRow[]> {
  let query = handle.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('workspace_id', '=', handle.workspaceId)
    .where('webhook_id', '=', webhookId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (eventType !== undefined) query = query.where('event_type', '=', eventType);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  if (after !== undefined) query = query.where(olderThan('created_at', 'id', after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Removes some of a subscription's deliveries. Answers how many; fewer than `most` were all that there were. */
export async function deleteSomeDeliveries(handle: WorkspaceHandle, webhookId: string, limit: number): Promise<number> {
  const rows = await handle.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('workspace_id', '=', handle.workspaceId)
    .where('webhook_id', '=', webhookId)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  await handle.db
    .deleteFrom('webhook_deliveries')
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', 'in', filledList(rows.map(({ id }) => id)))
    .execute();
  return rows.length;
}

/** The deliveries of these events, with what receivers answered. */
export const deliveriesOfEvents = (
  handle: WorkspaceHandle,
  eventIds: readonly string[],
): Promise<Pick<WebhookDeliveryRow, 'id' | 'state' | 'attempts'>[]> =>
  handle.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'state', 'attempts'])
    .where('workspace_id', '=', handle.workspaceId)
    .where('event_id', 'in', filledList(eventIds))
    .execute();

/** A place in the deliveries of a workspace, from the oldest on. */
export interface DeliveryPlace {
  readonly created_at: number;
  readonly id: string;
}

/** A page of what receivers answered, after that place. */
export const listAnswers = (
  { db, workspaceId }: WorkspaceHandle,
  after: DeliveryPlace,
  limit: number,
): Promise<Pick<WebhookDeliveryRow, 'id' | 'created_at' | 'attempts'>[]> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['id', 'created_at', 'attempts'])
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>=', after.created_at)
    .where((row) =>
      row.or([
        row('created_at', '>', after.created_at),
        row.and([row('created_at', '=', after.created_at), row('id', '>', after.id)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Answers false where the attempts are not what was read any more: nothing was written then. */
export async function replaceAttempts(
  handle: WorkspaceHandle,
  { id, attempts: read }: Pick<WebhookDeliveryRow, 'id' | 'attempts'>,
  attempts: string,
): Promise<boolean> {
  const { numUpdatedRows } = await handle.db
    .updateTable('webhook_deliveries')
    .set({ attempts })
    .where('workspace_id', '=', handle.workspaceId)
    .where('id', '=', id)
    .where('attempts', '=', read)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
