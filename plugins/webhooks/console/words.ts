// The words in which the console shows webhooks and their deliveries.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import type { DeliveryResource, WebhookResource } from '../schema.ts';

/** The display name of the webhook. */
export const nameOf = ({ description, url }: Pick<WebhookResource, 'description' | 'url'>): string =>
  description === null || description === '' ? url : description;

type DeliveryStatus = DeliveryResource['status'];

const statuses: Readonly<Record<DeliveryStatus, readonly [words: string, tone: PillTone]>> = {
  pending: ['Waiting', 'wait'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
};

/** Every status with its words, for a filter. */
export const statusChoices: readonly (readonly [DeliveryStatus, string])[] = [
  ['pending', 'Waiting or retrying'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
];

export const isDeliveryStatus = (text: string): text is DeliveryStatus => Object.hasOwn(statuses, text);

/** The status of a delivery. If an attempt has failed and another one follows, it says so. */
export const deliveryPill = ({ status, attempts }: Pick<DeliveryResource, 'status' | 'attempts'>): Html =>
  status === 'pending' && attempts.length > 0 ? pill('Retrying', 'wait') : pill(...statuses[status]);

type DeliveryAttempt = DeliveryResource['attempts'][number];

/** The response in words: `200 after 42 ms`. */
export const responseWords = ({ status_code: status, duration_ms: took }: DeliveryAttempt): string =>
  `${status ?? 'No response'} after ${took.toLocaleString('en-GB')} ms`;
