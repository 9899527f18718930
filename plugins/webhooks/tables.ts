// The rows of webhook subscriptions and of their deliveries.
import type { TableDeclaration } from '../../core/index.ts';

export interface WebhookRow {
  id: string;
  workspace_id: string;
  url: string;
  /** The patterns as JSON, in the order given. */
  events: string;
  description: string | null;
  enabled: number;
  /** Sealed: see secrets.ts. */
  secrets: Uint8Array;
  /** The last four characters of the newest secret. */
  secret_hint: string;
  /** The first failure since the last success; null while all is well. */
  failing_since: number | null;
  disabled_at: number | null;
  disabled_reason: string | null;
  created_at: number;
  updated_at: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** One try, as it is stored and as the API shows it. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** Null where there was no answer. */
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** Null after a success. */
  readonly error: string | null;
  /** The beginning of the answer's body. */
  readonly response_excerpt: string | null;
}

export interface WebhookDeliveryRow {
  id: string;
  workspace_id: string;
  webhook_id: string;
  /** The event's own id: at most one delivery of it a subscription. Its text is in the outbox. */
  event_id: string;
  event_type: string;
  state: DeliveryState;
  /** DeliveryAttempt[] as JSON, oldest first. */
  attempts: string;
  /** How many tries of the present set were made. */
  tries: number;
  /** 1 where the present set is a replay or a test: it never counts towards disabling. */
  replay: number;
  next_attempt_at: number | null;
  created_at: number;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_deliveries: WebhookDeliveryRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  webhooks: { tenant: true },
  webhook_deliveries: { tenant: true },
};
