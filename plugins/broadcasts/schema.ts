// Broadcasts and their recipients as callers write and see them.
import { emailAddress, idParameter, isoTime, personal, z } from '../../core/index.ts';
import { isTimeZone, lineFault, readIsoTime } from '../../core/unstable.ts';

/** The maximum number of broadcasts of a workspace that are neither sent nor canceled. */
export const maxOpenBroadcasts = 1_000;

export const broadcastStatus = z.enum(['draft', 'scheduled', 'preparing', 'sending', 'paused', 'canceled', 'sent']);
export type BroadcastStatus = z.output<typeof broadcastStatus>;

export const keySchema = z.string().regex(/^[a-z0-9_-]{1,80}$/, 'A key has 1 to 80 characters of a–z, 0–9, _ and -.');

/** The cause of a pause. `call`: a call of pause. */
export const pausedBy = z.enum(['call', 'ceiling', 'reputation', 'budget', 'overdue', 'error']);
export type PausedBy = z.output<typeof pausedBy>;

const part = z
  .union([z.strictObject({ listId: idParameter('lst') }), z.strictObject({ segmentId: idParameter('sgm') })])
  .describe('A list, of which the confirmed members count, or a segment.');
export type AudiencePart = z.output<typeof part>;

export const audienceSchema = z
  .strictObject({
    include: z
      .array(part)
      .min(1)
      .max(10)
      .describe('Who gets the mail. An address gets it once, however often it is named.'),
    exclude: z.array(part).max(10).default([]).describe('Who gets no mail, even if they are included.'),
  })
  .meta({ id: 'BroadcastAudience' });
export type Audience = z.output<typeof audienceSchema>;

const localForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;

/** A time with an offset from UTC as UTC, or a local time with seconds. Undefined for any other text. */
function canonicalTime(text: string): string | undefined {
  const read = readIsoTime(text);
  if (read === undefined) return undefined;
  if (read.offsetMs !== undefined) return new Date(Date.parse(text)).toISOString();
  if (!localForm.test(text) || Number.isNaN(Date.parse(`${text}Z`))) return undefined;
  return text.length === 16 ? `${text}:00` : text;
}

export const sendAtSchema = z
  .string()
  .max(40)
  .refine(
    (text) => canonicalTime(text) !== undefined,
    'Give a time such as 2026-12-01T09:00:00+01:00, or 2026-12-01T09:00 for the time in timezone.',
  )
  .transform((text) => canonicalTime(text) ?? text)
  .describe('When the first mail leaves: with an offset from UTC, or the local time in timezone.');

export const timezoneSchema = z
  .string()
  .max(100)
  .refine((zone) => zone === 'recipient' || isTimeZone(zone), 'Give a time zone such as Europe/Berlin, or recipient.')
  .describe('The time zone (IANA) of a sendAt without an offset. recipient: the attribute timezone of each contact.');

export const paceSchema = z
  .strictObject({ perHour: z.int().min(1).max(10_000_000) })
  .describe('Spreads the mails evenly over time.')
  .meta({ id: 'BroadcastPace' });

const parameter = z.string().trim().min(1).max(200).optional();
export const utmSchema = z
  .strictObject({ source: parameter, medium: parameter, campaign: parameter, content: parameter, term: parameter })
  .describe('Parameters of the links in the mail. (Default: medium email, campaign the name)')
  .meta({ id: 'BroadcastUtm' });

export const senderSchema = z
  .strictObject({
    email: emailAddress,
    name: z
      .string()
      .trim()
      .max(200)
      .refine((name) => lineFault(name) === undefined, 'A name is one line without control characters.')
      .default(''),
  })
  .describe("The sender. (Default: the workspace's default_from)");
export const replyToSchema = z.strictObject({ email: emailAddress });
export const visibleMailbox = z.object({ email: z.string(), name: z.string() });

/** The reasons why a contact of the audience does not become a recipient. */
export const exclusions = [
  'audience',
  'suppressed',
  'no_consent',
  'topic',
  'no_address',
  'duplicate',
  'frequency_cap',
  'holdout',
  'variables_invalid',
  'erased',
] as const;
export type Exclusion = (typeof exclusions)[number];

/** Events of mail after it was accepted. They are counted in addition to the statuses of recipients. */
export const facts = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'converted'] as const;
export type Fact = (typeof facts)[number];

const count = z.int().min(0);
export const countsSchema = z
  .object({
    audience: count.describe('Contacts of the audience: all that are excluded, and the recipients.'),
    recipients: count.describe('waiting, accepted, failed and canceled together.'),
    excluded: z.object(Object.fromEntries(exclusions.map((name) => [name, count])) as Record<Exclusion, typeof count>),
    waiting: count,
    accepted: count.describe('Mails that were accepted for delivery, each with one Message-ID.'),
    failed: count,
    canceled: count,
    delivered: count,
    opened: count.describe('Recipients who opened the mail. Bots do not count.'),
    clicked: count.describe('Recipients who clicked a link. Bots do not count.'),
    bounced: count,
    complained: count,
    unsubscribed: count,
    converted: count.describe('Recipients with a conversion that is attributed to this broadcast.'),
  })
  .meta({ id: 'BroadcastCounts' });
export type BroadcastCounts = z.output<typeof countsSchema>;

export const recipientStatus = z.enum(['waiting', 'accepted', 'failed', 'canceled', 'excluded']);
export type RecipientStatus = z.output<typeof recipientStatus>;

export const recipientResource = z
  .object({
    contactId: personal('identifier', z.string().nullable())
      .optional()
      .describe('Left out without contacts:read. Null if the person was erased.'),
    email: personal('text', z.string().nullable()).optional().describe('Left out without contacts:read.'),
    status: recipientStatus,
    reason: z.string().nullable().describe('Why the contact was excluded, or the mail failed.'),
    variant: z
      .string()
      .nullable()
      .describe(
        'The variant that the contact gets in an experiment. Null before it is known, and without an experiment.',
      ),
    holdout: z
      .boolean()
      .describe('Whether the contact gets no mail so that the effect of the broadcast can be measured.'),
    sendId: z.string().nullable(),
    at: isoTime.describe('When the status changed last.'),
  })
  .meta({ id: 'BroadcastRecipient' });
