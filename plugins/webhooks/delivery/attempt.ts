// Makes one request to a receiver and returns the attempt to store. Does not depend on earlier attempts, and reads no rows.
import { isOutgoingError, type OutgoingResponse, type ServiceContext, toIsoTime } from '../../../core/index.ts';
import { beginning, eventText, type StoredEvent, signWebhook } from '../../../core/unstable.ts';
import { activeSecrets } from '../secrets.ts';
import type { DeliveryAttempt } from '../tables.ts';
import type { PendingDelivery } from './store.ts';

/** The maximum length of a stored response excerpt, in characters. */
const excerptLength = 500;
/** The time limits in milliseconds: of the whole request from the DNS look-up to the last byte, and of connecting. */
const timeoutMs = 15_000;
const connectTimeoutMs = 5_000;
/** The maximum number of response bytes that are read. */
const maxAnswerBytes = 65_536;

/** The result of a request. */
export interface AttemptResult {
  readonly delivered: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly retryAfter: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempt: DeliveryAttempt;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function refusalOf(status: number): string | null {
  if (isSuccess(status)) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered with a redirect (${status}). Redirects are not followed: change the URL of the webhook.`;
  return `The receiver answered ${status}.`;
}

/** The beginning of a body, as text that is safe to store and to show. */
function excerptOf({ body }: OutgoingResponse): string | null {
  const start = new TextDecoder().decode(body.subarray(0, excerptLength * 4));
  const text = start.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return text === '' ? null : beginning(text, excerptLength);
}

/** Posts the event once. A failure of the receiver resolves as a result. Rejects only if `signal` is aborted. */
export async function postEvent(
  { ports }: ServiceContext,
  delivery: PendingDelivery,
  event: StoredEvent,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const startedAt = ports.now();
  const startedAtSteady = performance.now();
  const body = eventText(event);
  const secrets = activeSecrets(ports.keyring, { id: delivery.webhook_id, secrets: delivery.secrets }, startedAt);
  const headers = signWebhook({
    eventId: event.id,
    eventType: event.type,
    deliveryId: delivery.id,
    timestampSeconds: Math.floor(startedAt / 1_000),
    body,
    secrets: secrets.map(({ secret }) => secret),
    service: ports.service.name,
  });
  const resultOf = (status: number | null, error: string | null, excerpt: string | null, retryAfter?: string) => ({
    delivered: error === null,
    status,
    retryAfter,
    startedAt,
    endedAt: ports.now(),
    attempt: {
      at: toIsoTime(startedAt),
      status_code: status,
      duration_ms: Math.round(performance.now() - startedAtSteady),
      error,
      response_excerpt: excerpt,
    },
  });
  try {
    const response = await ports.outgoing.request({
      url: delivery.url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': `${ports.service.name}-Webhooks` },
      body,
      timeoutMs,
      connectTimeoutMs,
      maxResponseBytes: maxAnswerBytes,
      signal,
    });
    return resultOf(response.status, refusalOf(response.status), excerptOf(response), response.headers['retry-after']);
  } catch (error) {
    signal.throwIfAborted();
    if (!isOutgoingError(error)) throw error;
    return resultOf(null, error.message, null);
  }
}
