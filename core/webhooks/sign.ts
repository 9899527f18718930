// The secret of a subscription and the headers of a delivery. Called by the plugin that delivers webhooks.
import { headerText } from '../contract/http/header-text.ts';
import type { Randomness } from '../contract/ports/platform.ts';
import {
  brandedSignature,
  headerPrefix,
  secretPrefix,
  standardHeaders,
  standardKey,
  standardSignature,
} from './signature.ts';

/** A multiple of three: the base64 text then has no padding, and its last four characters differ between secrets. */
const secretBytes = 30;

/** A new signing secret: `whsec_` and random bytes in base64. */
export function createWebhookSecret(randomness: Randomness): string {
  return secretPrefix + Buffer.from(randomness.bytes(secretBytes)).toString('base64');
}

/** One attempt of one delivery. */
export interface WebhookToSign {
  /**
   * `evt_…`, the `id` in the body. It becomes the header webhook-id, and is the same for every attempt, every replay and
   * every subscription.
   */
  readonly eventId: string;
  readonly eventType: string;
  /** `dlv_…`, the same for every attempt. */
  readonly deliveryId: string;
  /** The time of this attempt in Unix seconds. */
  readonly timestampSeconds: number;
  /** The exact bytes of the request. */
  readonly body: string | Uint8Array;
  /** The valid secrets, the newest first. There are two while the previous secret is still valid after a rotation. */
  readonly secrets: readonly string[];
  /** The name of the service, which is part of its own header names. */
  readonly service: string;
}

/** The headers of an attempt, including the headers of Standard Webhooks. @throws RangeError on an invalid secret */
export function signWebhook(webhook: WebhookToSign): Record<string, string> {
  const { eventId, eventType, deliveryId, timestampSeconds, secrets, service } = webhook;
  if (secrets.length === 0) throw new RangeError('A webhook is signed with one secret at least.');
  const body = Buffer.from(webhook.body);
  const timestamp = String(timestampSeconds);
  const prefix = headerPrefix(service);
  const branded = secrets.map((secret) => `v1=${brandedSignature(secret, timestamp, body)}`);
  const standard = secrets.map((secret) => `v1,${standardSignature(keyOf(secret), eventId, timestamp, body)}`);
  return {
    [`${prefix}Event`]: headerText(eventType),
    [`${prefix}Delivery`]: deliveryId,
    [`${prefix}Timestamp`]: timestamp,
    [`${prefix}Signature`]: branded.join(','),
    [standardHeaders.id]: eventId,
    [standardHeaders.timestamp]: timestamp,
    [standardHeaders.signature]: standard.join(' '),
  };
}

function keyOf(secret: string): Uint8Array {
  const key = standardKey(secret);
  if (key === undefined) throw new RangeError('A signing secret is whsec_ and the base64 of 24 to 64 bytes.');
  return key;
}
