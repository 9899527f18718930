// The schemas of the resources and of their fields.
import { idOf, idParameter, isoTime, z } from '../../core/index.ts';

/** The name of an event. In a subscription it may also be a family such as `send.*`, or `*`. */
export const eventName = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'The name of an event has no control characters.');

const url = z.string().min(1).max(2_000);
const description = z.string().max(500).nullable();

/** The event names of a subscription; duplicates are removed. */
const events = z
  .array(eventName)
  .min(1)
  .max(100)
  .transform((names) => [...new Set(names)])
  .describe(
    'Names of events, of this service or your own; a family such as send.*; or * for everything. Some, such as link.*, need a higher plan than the sandbox plan of a development server.',
  );

export const webhookParams = z.object({ id: idParameter('whk') });

export const webhookResource = z
  .object({
    id: idOf('whk'),
    sandbox: z
      .boolean()
      .describe(
        'The side whose events it receives: false for live, true for the sandbox. It is the side of the key that created the webhook.',
      ),
    url: z.string().describe('Where events are posted to.'),
    events: z.array(z.string()).describe('What is posted: names, families such as send.*, or * for everything.'),
    description: z.string().nullable(),
    enabled: z.boolean().describe('Whether events are posted at present.'),
    secret: z
      .string()
      .describe(
        'The secret that signs every delivery. It is shown in full by create and rotate; otherwise only its last four characters.',
      ),
    created_at: isoTime,
    updated_at: isoTime,
    disabled_at: isoTime.nullable().describe('Since when it is disabled, by you or by the service.'),
    disabled_reason: z.string().nullable().describe('Why it is disabled.'),
  })
  .meta({ id: 'Webhook' });

export type WebhookResource = z.output<typeof webhookResource>;

export const newWebhook = z.object({
  url: url.describe(
    'An https URL that leads to public addresses. In development, http to this machine is accepted, too.',
  ),
  events,
  description: description.default(null).describe('For people.'),
});

export const webhookChanges = z.object({
  url: url.optional().describe('An https URL that leads to public addresses.'),
  events: events.optional(),
  description: description.optional(),
  enabled: z.boolean().optional().describe('true enables a disabled webhook again and resets its count of failures.'),
});

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

const attempt = z.object({
  at: isoTime,
  status_code: z.int().nullable().describe('Null if there was no response.'),
  duration_ms: z.int(),
  error: z.string().nullable().describe('What went wrong; null after a success.'),
  response_excerpt: z.string().nullable().describe("The beginning of the response's body."),
});

export const deliveryResource = z
  .object({
    id: idOf('dlv'),
    webhook_id: idOf('whk'),
    event_id: z
      .string()
      .describe('The id of the event, which the body contains: all deliveries of an event have the same id.'),
    event_type: z.string(),
    status: deliveryStatus.describe('pending while attempts are left.'),
    attempts: z.array(attempt).describe('All attempts, including those of replays, oldest first.'),
    next_attempt_at: isoTime.nullable().describe('When the next attempt is due; null if there is none.'),
  })
  .meta({ id: 'WebhookDelivery' });

export type DeliveryResource = z.output<typeof deliveryResource>;
