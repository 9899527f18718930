import { emailAddress, isoTime, localeTag, personal, timeInput, z } from '../../core/index.ts';
import { lifetime } from '../../core/unstable.ts';
import { recipientAddress } from './accept/recipient.ts';
import { bounceClasses, bounceSubTypes } from './port/bounce.ts';

/** The outcomes that a sandbox send can simulate. */
export const scenarios = [
  'delivered',
  'hard_bounced',
  'soft_bounced',
  'delivery_delayed',
  'complained',
  'opened',
  'clicked',
  'failed',
  'suppressed',
] as const;

export const sendStatus = z.enum([
  'scheduled',
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
]);

const bounce = z.object({
  class: z.enum(bounceClasses),
  subType: z.enum(bounceSubTypes),
  smtpCode: z.int().optional(),
  enhancedCode: z.string().optional(),
  diagnostic: z.string(),
});

export const timelineItem = z
  .object({
    id: z.string().describe('Prefix evt_.'),
    type: z.string().meta({ examples: ['send.queued'] }),
    ts: isoTime.describe('When the service recorded it.'),
    occurredAt: isoTime.optional().describe("When it happened, by the provider's clock. Absent if no report said so."),
    synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
    bounce: bounce.optional(),
    click: z.object({ url: z.string() }).optional(),
    bot: z.object({ verdict: z.enum(['human', 'bot', 'unknown']), reason: z.string() }).optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'SendEvent' });

export type SendTimelineItem = z.output<typeof timelineItem>;

/** The fields of a timeline item except its id, type and time. */
export type SendTimelineDetails = Omit<SendTimelineItem, 'id' | 'type' | 'ts'>;

const metadata = z
  .record(z.string().min(1).max(100), z.json())
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= 4_096,
    'Metadata may have at most 4,096 bytes as JSON.',
  );

export const sendPublicObject = z
  .object({
    id: z.string().describe('Prefix snd_.'),
    messageId: z.string().describe('Prefix msg_; the same in every attempt.'),
    status: sendStatus.describe('sent means accepted. Later reports never move the status backwards.'),
    templateKey: z.string(),
    templateVersion: z.int().describe('The frozen version; 0 for a draft sent with a sandbox key.'),
    to: z.string(),
    from: z.object({ email: z.string(), name: z.string() }),
    subject: personal('text', z.string()),
    locale: z
      .string()
      .optional()
      .describe('The language of the template that was used; absent if the template has none.'),
    connectorProvider: z.string(),
    apiKeyId: z.string().nullable(),
    sandbox: z.boolean(),
    test: z
      .literal(true)
      .optional()
      .describe(
        'A test. The test of a template stays in the sandbox, even with a live key; the test of a broadcast is sent.',
      ),
    tags: z.array(z.string()),
    metadata: personal('text', z.record(z.string(), z.json())).optional(),
    createdAt: isoTime,
    scheduledAt: isoTime
      .nullable()
      .optional()
      .describe('When it is due. Null: it waits for a decision whose time is unknown, such as a release (whyNotSent).'),
    expiresAt: isoTime.optional().describe('If the send is not handed over by then, it fails: whyNotSent is expired.'),
    opens: z.int(),
    clicks: z.int(),
    events: z.array(timelineItem),
    whyNotSent: z.string().optional(),
    strippedHeaders: z
      .array(z.string())
      .optional()
      .describe('Headers that were left out for deliverability or against impersonation.'),
    inboxUrl: z.string().optional().describe('Where you can look at a message that stayed in the sandbox.'),
    simulation: z.object({ scenario: z.enum(scenarios), synthetic: z.literal(true) }).optional(),
  })
  .meta({ id: 'Send' });

export interface SendPublic extends z.output<typeof sendPublicObject> {}
export const sendPublic: z.ZodType<SendPublic> = sendPublicObject;

export const attachment = z
  .strictObject({
    filename: z.string().min(1).max(200),
    content_type: z.string().min(3).max(150).describe('MIME type.'),
    data_base64: z.string().describe('Strict base64 (RFC 4648, section 4).'),
    /** Shown in the body if the template has `<img src="cid:FILENAME">`. (Default: false) */
    inline: z.boolean().default(false).describe('Shown in the body where it has <img src="cid:FILENAME">.'),
  })
  .meta({ id: 'Attachment' });

const variables = z.record(z.string(), z.unknown());

/** A recipient's language. */
export const recipientLocale = localeTag
  .optional()
  .describe("The recipient's language (BCP 47); the template's best fit is sent.");

/** The fields of a message except its template, recipient and times. */
const message = {
  locale: recipientLocale,
  from: z
    .strictObject({ email: emailAddress, name: z.string().max(200).default('') })
    .optional()
    .describe("(Default: the workspace's default_from)"),
  replyTo: z.strictObject({ email: emailAddress }).optional(),
  reply_to: emailAddress.optional().describe('The same as replyTo.email.'),
  metadata: metadata.optional().describe('Echoed on webhooks and reads; not indexed.'),
  tags: z.array(z.string().min(1).max(100)).max(10).default([]),
  headers: z
    .record(z.string(), z.string())
    .refine((value) => Object.keys(value).length <= 50, 'At most 50 headers.')
    .default({})
    .describe(
      'Extra headers. Headers that would harm deliverability or impersonate a sender are stripped and listed in the answer.',
    ),
  attachments: z.array(attachment).max(50).default([]).describe('At most 10 MB decoded together.'),
};

const templateKey = z.string().max(200);

/** The times of delivery and expiry of a message. */
const times = {
  send_at: timeInput.optional().describe('The time of delivery, at most 30 days ahead.'),
  expiresAt: timeInput
    .optional()
    .describe('If the send is not handed over by then, it fails: for mail that expires, such as codes.'),
  expiresIn: lifetime
    .optional()
    .describe("The same as a duration from now or send_at, ISO 8601: PT15M. (Default: the template's expiresIn)"),
};

/** The body of a send. */
export const sendBody = z.object({
  to: recipientAddress,
  template: templateKey.optional().describe("The template's key, which must be equal to the key in the path."),
  variables: variables.default({}).describe("Checked against the template's contract."),
  ...message,
  ...times,
  simulationScenario: z.enum(scenarios).optional().describe('Sandbox keys only. (Default: delivered)'),
  bypassSuppression: z.boolean().default(false).describe('Needs suppressions:bypass. Never passes a complaint.'),
});

/** The body of a send whose path does not contain a template. */
export const aliasBody = sendBody.extend({ template: templateKey.describe("The template's key.") });

/** The maximum number of recipients of a batch. */
export const maxRecipients = 1_000;

/** The metadata of one recipient of a batch, merged with the metadata of the batch. */
export const recipientMetadata = metadata;

/** The body of a batch. Faults of a single recipient are checked per recipient and returned at its index. */
export const batchBody = z.object({
  template: templateKey.describe("The template's key."),
  from: message.from,
  replyTo: message.replyTo,
  locale: message.locale,
  metadata: message.metadata,
  tags: message.tags,
  headers: message.headers,
  attachments: message.attachments.describe('At most 10 MB decoded together. Stored once for all recipients.'),
  ...times,
  recipients: z
    .array(
      z.strictObject({
        to: z.string().max(1_000).describe('One address, alone or behind a name.'),
        variables: variables.default({}).describe("Checked against the template's contract."),
        metadata: z
          .record(z.string(), z.json())
          .optional()
          .describe('Added to the metadata of the batch, and takes precedence over it.'),
      }),
    )
    .min(1)
    .max(maxRecipients)
    .describe('1 to 1,000 recipients. Each is checked separately.'),
});

/** The response to a batch: one item per recipient, in the order of the request. */
export const batchResult = z
  .object({
    data: z.array(
      z.union([
        z.object({ index: z.int(), id: z.string().describe('Prefix snd_.'), status: sendStatus }),
        z.object({
          index: z.int(),
          error: z
            .object({
              type: z.string(),
              code: z.string(),
              message: z.string(),
              details: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).optional(),
            })
            .describe('The reason why no send was accepted for this recipient.'),
        }),
      ]),
    ),
  })
  .meta({ id: 'SendBatch' });

export type BatchBody = z.output<typeof batchBody>;
export type BatchItem = z.output<typeof batchResult>['data'][number];

/** The body of a test send. */
export const testBody = z.object({
  to: recipientAddress
    .optional()
    .describe("The recipient that the message names; nothing is sent there. (Default: the workspace's default_from)"),
  variables: variables
    .optional()
    .describe("(Default: the first example of the template's contract, or made-up values)"),
  draft: z.boolean().default(true).describe('The working copy; false sends what is published.'),
  ...message,
});

/** The body of a preview. */
export const previewBody = z.object({
  template: templateKey.describe("The template's key."),
  variables: variables.describe("Checked against the template's contract."),
  locale: recipientLocale,
});

export type SendBody = z.output<typeof sendBody>;
export type TestBody = z.output<typeof testBody>;
