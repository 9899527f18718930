// SMS, templates and consents as callers see them.
import { isoTime, listOf, personal, timeInput, z } from '../../core/index.ts';
import { isTimeZone } from '../../core/unstable.ts';
import { kitKeys } from './kit/kit.ts';

export const smsClass = z
  .enum(['authentication', 'transactional', 'reminder'])
  .describe('authentication needs no consent and is sent at most once; a reminder waits for the end of quiet hours.');

export const smsStatus = z
  .enum(['scheduled', 'queued', 'sent', 'delivered', 'undelivered', 'failed', 'suppressed'])
  .describe('queued means accepted. Later reports never move the status backwards.');

export const smsReason = z.enum([
  'invalid_number',
  'landline',
  'unreachable',
  'blocked',
  'opted_out',
  'content',
  'not_permitted',
  'account',
  'sender',
  'expired',
  'unknown',
]);

export const smsTimelineItem = z
  .object({
    id: z.string().describe('Prefix evt_.'),
    type: z.string().meta({ examples: ['sms.queued'] }),
    ts: isoTime,
    synthetic: z.literal(true).optional().describe('True if the sandbox caused the event.'),
    reason: z.string().optional().describe('Why the SMS was not sent or did not arrive, as a sentence.'),
    cause: smsReason.optional().describe('The reason as a code.'),
    providerCode: z.string().optional().describe("The provider's own code."),
  })
  .meta({ id: 'SmsEvent' });
export type SmsTimelineItem = z.output<typeof smsTimelineItem>;
/** The fields of a timeline item except its id, type and time. */
export type SmsTimelineDetails = Omit<SmsTimelineItem, 'id' | 'type' | 'ts'>;

export const smsPublicObject = z
  .object({
    id: z.string().describe('Prefix sms_.'),
    status: smsStatus,
    templateKey: z.string(),
    to: z.string().describe('E.164.'),
    body: personal('text', z.string()).describe(
      'The text. Codes and sign-in links are shown only in the answer to the send; elsewhere dots replace them.',
    ),
    segments: z.int().describe('The parts that the carrier bills.'),
    provider: z.string(),
    sandbox: z.boolean(),
    consentProofId: z.string().nullable(),
    createdAt: isoTime,
    scheduledAt: isoTime.optional().describe('When a reminder that quiet hours hold back will be sent.'),
    whyNotSent: z.string().optional(),
    inboxUrl: z.string().optional().describe('Where you can look at a message that stayed in the sandbox.'),
    events: z.array(smsTimelineItem),
  })
  .meta({ id: 'Sms' });
export interface SmsPublic extends z.output<typeof smsPublicObject> {}
export const smsPublic: z.ZodType<SmsPublic> = smsPublicObject;

const templateKey = z
  .enum(kitKeys)
  .describe('A key of the SMS kit. GET /v1/messaging/transactional/kit lists the keys.');
const variables = z.record(z.string(), z.unknown());
const contract = z.record(z.string(), z.unknown()).describe('JSON Schema of the variables.');

const templateFields = {
  templateKey: z.string(),
  class: smsClass,
  name: z.string(),
  body: z.string().describe('Liquid, without HTML escaping.'),
  variables: contract,
  requiresConsent: z.boolean(),
};

export const kitTemplate = z.object(templateFields).meta({ id: 'SmsKitTemplate' });
export const kitResponse = listOf(kitTemplate);
export const catalogTemplate = z
  .object({ ...templateFields, custom: z.boolean().describe("Whether the wording is the workspace's own.") })
  .meta({ id: 'SmsTemplate' });
export const catalogResponse = listOf(catalogTemplate);
export type CatalogTemplate = z.output<typeof catalogTemplate>;

export const previewBody = z.object({ templateKey, variables: variables.default({}) });

const warning = z.object({
  code: z.enum(['not_gsm7', 'too_long']),
  message: z.string(),
  character: z.string().optional(),
  codePoint: z
    .string()
    .optional()
    .meta({ examples: ['U+201C'] }),
  count: z.int().optional().describe('How often it occurs in the text.'),
  standIn: z.string().nullable().optional().describe('A replacement in GSM-7; null if there is none.'),
});

export type SmsPreviewWarning = z.output<typeof warning>;

export const previewResponse = z
  .object({
    templateKey: z.string(),
    body: z.string(),
    encoding: z.enum(['GSM-7', 'UCS-2']),
    characters: z.int().describe('Code points.'),
    segments: z.int(),
    segmentLimit: z.int().describe('A send with more segments is refused.'),
    warnings: z.array(warning),
  })
  .meta({ id: 'SmsPreview' });

export const phoneNumber = z.string().min(1).max(40).describe('E.164, such as +14155550100.');

export const sendSmsBody = z.object({
  templateKey,
  to: phoneNumber,
  variables: variables.default({}).describe("Checked against the template's contract."),
  consentProofId: z
    .string()
    .max(100)
    .optional()
    .describe('The id of a consent of this number (cns_…). Required outside of class authentication.'),
  timeZone: z
    .string()
    .max(60)
    .refine(isTimeZone, 'This is not a time zone, such as Europe/Berlin.')
    .optional()
    .describe("The recipient's time zone (IANA), for quiet hours. (Default: the time zones of the number's country)"),
});
export type SendSmsBody = z.output<typeof sendSmsBody>;

export const consentBody = z.object({
  to: phoneNumber,
  source: z.string().trim().min(1).max(200).describe('Where it was given or withdrawn: a form, a call, a page.'),
  wording: z
    .string()
    .max(2_000)
    .default('')
    .describe('The text that the person agreed to, word for word. Required unless revoked is true.'),
  class: smsClass.optional().describe('The class of messages that the consent covers. (Default: every class)'),
  grantedAt: timeInput.optional().describe('(Default: now)'),
  revoked: z
    .boolean()
    .default(false)
    .describe('true withdraws every consent of the number, or of the number and class.'),
});

const consentResourceObject = z
  .object({
    id: z.string().describe('Prefix cns_. The consentProofId of sends.'),
    to: z.string(),
    source: z.string(),
    wording: z.string(),
    class: smsClass.optional(),
    grantedAt: isoTime.nullable(),
    revokedAt: isoTime.nullable().describe('Of a revocation: when.'),
    createdAt: isoTime,
  })
  .meta({ id: 'SmsConsent' });
export interface Consent extends z.output<typeof consentResourceObject> {}
export const consentResource: z.ZodType<Consent> = consentResourceObject;
