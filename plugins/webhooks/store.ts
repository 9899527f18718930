// The rows of subscriptions and deliveries, and the SQL that the resource kit does not cover. delivery/store.ts has the SQL of
// delivering.
import { filledList, tenantRows, type WorkspaceHandle } from '../../core/index.ts';
import { type DeliveryAttempt, deliveries, webhooks } from './tables.ts';

export const webhookRows = tenantRows(webhooks);
export const deliveryRows = tenantRows(deliveries);

/** The reason and the time for disabling a subscription, and two conditions. If a condition does not hold, the subscription stays enabled. */
export interface Disabling {
  readonly at: number;
  readonly reason: string;
  /**
   * A condition: the subscription was not changed after this time. Without it, a subscription that was enabled again would be disabled for
   * earlier failures.
   */
  readonly unlessChangedSince: number;
  /** A condition: the subscription has been failing at least since this time. */
  readonly failingBefore?: number;
}

/** Disables a subscription. Returns whether it was enabled before. */
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

/** Removes up to `limit` deliveries of a subscription and returns their number. Fewer than `limit` means that none is left. */
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

/** The deliveries of these events, with the receivers' responses. */
export const deliveriesOfEvents = (
  { db }: WorkspaceHandle,
  eventIds: readonly string[],
): Promise<(StoredAttempts & { readonly status: string })[]> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['id', 'status', 'attempts'])
    .where('event_id', 'in', filledList(eventIds))
    .execute();

/** A position in the deliveries of a workspace, ordered from the oldest. */
export interface DeliveryPosition {
  readonly created_at: number;
  readonly id: string;
}

/** A page of receivers' responses, after that position. */
export const listResponses = (
  { db }: WorkspaceHandle,
  after: DeliveryPosition,
  limit: number,
): Promise<(StoredAttempts & DeliveryPosition)[]> =>
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

/** The attempts of a delivery's row that was read without the resource kit. */
export const storedAttempts = (attempts: string): DeliveryAttempt[] => JSON.parse(attempts) as DeliveryAttempt[];

/** Replaces the attempts. Writes nothing and returns false if they have changed since they were read. */
export async function replaceAttempts(
  { db }: WorkspaceHandle,
  { id, attempts: readAttempts }: StoredAttempts,
  attempts: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ attempts })
    .where('id', '=', id)
    .where('attempts', '=', readAttempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
