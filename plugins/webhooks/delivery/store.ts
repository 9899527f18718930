// The SQL of deliveries: the rows that an attempt reads and writes.
import { defineStatement, type WorkspaceHandle } from '../../../core/index.ts';
import { defineListStatement } from '../../../core/unstable.ts';
import { storedAttempts } from '../store.ts';
import type { DeliveryRow, WebhookRow } from '../tables.ts';

/** A pending delivery with the settings of its subscription. */
export type PendingDelivery = Pick<
  DeliveryRow,
  'id' | 'webhook_id' | 'event_id' | 'event_type' | 'attempts' | 'tries' | 'replay'
> &
  Pick<WebhookRow, 'url' | 'enabled' | 'secrets' | 'failing_since' | 'updated_at'>;

// A left join, so that SQLite starts from the ids. With an inner join, it would scan all pending deliveries of a webhook.
const pendingListed = defineListStatement((db, _: object, ids) =>
  db
    .selectFrom('webhook_deliveries')
    .leftJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select([
      'webhook_deliveries.id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.event_type',
      'webhook_deliveries.attempts',
      'webhook_deliveries.tries',
      'webhook_deliveries.replay',
      'webhook_deliveries.status',
      'webhooks.url',
      'webhooks.enabled',
      'webhooks.secrets',
      'webhooks.failing_since',
      'webhooks.updated_at',
    ])
    .where('webhook_deliveries.id', 'in', ids),
);

interface AttemptRecord {
  readonly id: string;
  readonly status: DeliveryRow['status'];
  /** The log of all attempts, as JSON. */
  readonly attempts: string;
  /** The number of attempts since the delivery began or was replayed. */
  readonly tries: number;
  readonly next_attempt_at: number | null;
}

const record = defineStatement((db, p: AttemptRecord) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: p.status, attempts: p.attempts, tries: p.tries, next_attempt_at: p.next_attempt_at })
    .where('id', '=', p.id),
);

const setFailing = defineStatement((db, p: { id: string; since: number }) =>
  db.updateTable('webhooks').set({ failing_since: p.since }).where('id', '=', p.id).where('failing_since', 'is', null),
);

const setHealthy = defineStatement((db, p: { id: string }) =>
  db.updateTable('webhooks').set({ failing_since: null }).where('id', '=', p.id),
);

const startAgain = defineStatement((db, p: { id: string; now: number }) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', tries: 0, replay: 1, next_attempt_at: p.now })
    .where('id', '=', p.id)
    .where('status', '<>', 'pending'),
);

/** Pending deliveries by id. Ended and deleted deliveries are left out. At most 256. */
export async function listPending(
  handle: WorkspaceHandle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PendingDelivery>> {
  const rows = await handle.all(...pendingListed(ids, {}));
  const pending = rows.flatMap(({ status, url, secrets, updated_at, ...row }): PendingDelivery[] =>
    status !== 'pending' || url === null || secrets === null || updated_at === null
      ? []
      : [
          {
            ...row,
            attempts: storedAttempts(row.attempts),
            replay: row.replay === 1,
            enabled: row.enabled === 1,
            url,
            secrets,
            updated_at,
          },
        ],
  );
  return new Map(pending.map((row) => [row.id, row]));
}

/** Stores the result of an attempt. */
export const recordTry = (trx: WorkspaceHandle, input: AttemptRecord): void => trx.defer(record, input);

/** Stores the time of the first failure since the last success. */
export const markFailing = (trx: WorkspaceHandle, webhookId: string, since: number): void =>
  trx.defer(setFailing, { id: webhookId, since });

export const markHealthy = (trx: WorkspaceHandle, webhookId: string): void => trx.defer(setHealthy, { id: webhookId });

/** Starts a new set of attempts for a delivery that has ended. Returns false if it has not ended. */
export const restartDelivery = async (trx: WorkspaceHandle, id: string, now: number): Promise<boolean> =>
  (await trx.run(startAgain, { id, now })) > 0;
