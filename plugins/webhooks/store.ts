// The rows of subscriptions and deliveries, and the SQL that the kit does not write. What is written while delivering has a
// store of its own.
import type { WorkspaceHandle } from '../../core/index.ts';
import { filledList, tenantRows } from '../../core/index.ts';
import type { DeliveryAttempt } from './tables.ts';
import { deliveries, webhooks } from './tables.ts';

export const webhookRows = tenantRows(webhooks);
export const deliveryRows = tenantRows(deliveries);

/** Why and when a subscription is disabled, and what must still be so. */
export interface Disabling {
  readonly at: number;
  readonly reason: string;
  /** It was changed no later than this: re-enabling it forgives. */
  readonly unlessChangedSince: number;
  /** It has been failing since this time or longer. */
  readonly failingBefore?: number;
}

/** Answers whether there was one that was enabled. */
export async function disableWebhookRow(
  { db }: WorkspaceHandle,
  id: string,
  { at, reason, unlessChangedSince, failingBefore }: Disabling,
): Promise<boolean> {
  let query = db
    .updateTable('webhooks')
    .set({ enabled: 0, disabled_at: at, disabled_reason: reason, updated_at: at })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where('updated_at', '<=', unlessChangedSince);
  if (failingBefore !== undefined) query = query.where('failing_since', '<=', failingBefore);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Removes some of a subscription's deliveries. Answers how many; fewer than `limit` were all that there were. */
export async function deleteSomeDeliveries({ db }: WorkspaceHandle, webhookId: string, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = filledList(rows.map(({ id }) => id));
  await db.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
  return rows.length;
}

/** A delivery with its attempts as they are stored. */
interface StoredAttempts {
  readonly id: string;
  readonly attempts: string;
}

/** The deliveries of these events, with what receivers answered. */
export const deliveriesOfEvents = (
  { db }: WorkspaceHandle,
  eventIds: readonly string[],
): Promise<(StoredAttempts & { readonly status: string })[]> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['id', 'status', 'attempts'])
    .where('event_id', 'in', filledList(eventIds))
    .execute();

/** A place in the deliveries of a workspace, from the oldest on. */
export interface DeliveryPlace {
  readonly created_at: number;
  readonly id: string;
}

/** A page of what receivers answered, after that place. */
export const listAnswers = (
  { db }: WorkspaceHandle,
  after: DeliveryPlace,
  limit: number,
): Promise<(StoredAttempts & DeliveryPlace)[]> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['id', 'created_at', 'attempts'])
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

/** The attempts of a row that was read outside the kit. */
export const storedAttempts = (attempts: string): DeliveryAttempt[] => JSON.parse(attempts) as DeliveryAttempt[];

/** Answers false where the attempts are not what was read any more: nothing was written then. */
export async function replaceAttempts(
  { db }: WorkspaceHandle,
  { id, attempts: read }: StoredAttempts,
  attempts: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ attempts })
    .where('id', '=', id)
    .where('attempts', '=', read)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
