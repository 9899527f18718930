// Webhook subscriptions and their deliveries. Both have sides: a delivery is on the side of its subscription.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  timestamps,
} from '../../core/index.ts';

export const webhooks = defineTable(
  'webhooks',
  {
    id: column.id('whk'),
    sandbox: column.flag(),
    url: column.text(2_000),
    /** The patterns, in the order of the request. */
    events: column.json<string[]>(),
    description: column.text(500).nullable(),
    enabled: column.flag(),
    /** Sealed by the keyring, because the column holds signing secrets. */
    secrets: column.bytes(),
    /** The last four characters of the newest secret. */
    secret_hint: column.text(4),
    /** The time of the first failure since the last success; null while deliveries succeed. */
    failing_since: column.time().nullable(),
    disabled_at: column.time().nullable(),
    disabled_reason: column.text().nullable(),
    ...timestamps,
  },
  { sides: true },
);

export interface WebhookRow extends RowOf<typeof webhooks> {}

/** One attempt, as it is stored and as the API shows it. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** Null if there was no response. */
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** Null after a success. */
  readonly error: string | null;
  /** The beginning of the response body. */
  readonly response_excerpt: string | null;
}

export const deliveries = defineTable(
  'webhook_deliveries',
  {
    id: column.id('dlv'),
    sandbox: column.flag(),
    webhook_id: column.id('whk'),
    /** The id of the event. A subscription has at most one delivery of an event. The outbox stores the event's body. */
    event_id: column.id('evt'),
    event_type: column.key(),
    status: column.word('pending', 'delivered', 'failed'),
    /** Oldest first. */
    attempts: column.json<DeliveryAttempt[]>(),
    /** The number of attempts since the delivery began or was last replayed. */
    tries: column.integer(),
    /** Whether the current attempts belong to a replay or a test. Their failures never disable the subscription. */
    replay: column.flag(),
    next_attempt_at: column.time().nullable(),
    created_at: column.time(),
  },
  { sides: true },
);

export interface DeliveryRow extends RowOf<typeof deliveries> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    webhooks: StoredRow<typeof webhooks>;
    webhook_deliveries: StoredRow<typeof deliveries>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { webhooks, webhook_deliveries: deliveries };
