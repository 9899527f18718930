// The broadcasts themselves. Each belongs to one side of its workspace.
import { defineResource, field, type RowOf, type StoredRow, tenantRows, z } from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import { errors } from './errors.ts';
import { experimentSchema, visibleExperiment } from './experiments/schema.ts';
import {
  audienceSchema,
  broadcastStatus,
  countsSchema,
  keySchema,
  paceSchema,
  pausedBy,
  replyToSchema,
  sendAtSchema,
  senderSchema,
  timezoneSchema,
  utmSchema,
  visibleMailbox,
} from './schema.ts';
import { countsOf } from './tallies.ts';
import type { TestedMail } from './test-mails/tested-mail.ts';

/** The kind of content that an approval policy can hold. */
export const broadcastKindId = 'broadcast';

const serviceTime = () => field.time().nullable().readOnly(null);
const hiddenTime = () => serviceTime().hidden();
/** The position of the last contact that was checked. */
const position = z.object({ createdAt: z.number(), id: z.string() });

export const broadcasts = defineResource('broadcasts', {
  title: 'Broadcast',
  name: 'broadcast',
  scopes: { read: 'broadcasts:read', write: 'broadcasts:write' },
  sides: true,
  notFoundError: errors.broadcast_not_found,
  example: { operation: 'broadcasts.create', body: (kit) => ({ name: kit.unique('Spring news') }) },
  // These are texts of the company. If a text mentions an address, erasing the person of the address removes it.
  personal: { searched: true },
  fields: {
    broadcastId: field.ownId('brc'),
    name: field.text(z.string().trim().min(1).max(200)).shown(z.string()).personal('mentions'),
    status: field.word(broadcastStatus).readOnly('draft').indexed(),
    templateKey: field
      .key(keySchema.describe('The published marketing template of the mail.'))
      .nullable()
      .default(null)
      .shown(z.string().nullable()),
    templateVersion: field
      .integer(z.int())
      .nullable()
      .readOnly(null)
      .described('The version that is sent, whatever is published later. Null before the broadcast is scheduled.'),
    variables: field
      .json(
        z
          .record(z.string().min(1).max(100), z.unknown())
          .refine(
            (value) => Buffer.byteLength(JSON.stringify(value)) <= 16_384,
            'Variables have at most 16 KB as JSON.',
          )
          .describe(
            'The variables of the template. Strings are Liquid over contact, such as {{ contact.attributes.name }}.',
          ),
      )
      .default({})
      .personal('mentions'),
    from: field.json(senderSchema).nullable().default(null).shown(visibleMailbox.nullable()),
    replyTo: field
      .json(replyToSchema)
      .nullable()
      .default(null)
      .shown(z.object({ email: z.string() }).nullable()),
    topicKey: field
      .key(keySchema.describe('The topic of the mail. Required for an audience with a segment.'))
      .nullable()
      .default(null)
      .shown(z.string().nullable()),
    audience: field.json(audienceSchema).nullable().default(null),
    sendAt: field.key(sendAtSchema).nullable().default(null).shown(z.string().nullable()),
    timezone: field.key(timezoneSchema).default('UTC').shown(z.string()),
    pace: field.json(paceSchema).nullable().default(null),
    utm: field.json(utmSchema).nullable().default(null),
    experiment: field
      .json(experimentSchema)
      .nullable()
      .default(null)
      .shown(visibleExperiment.nullable())
      .personal('mentions'),
    holdoutPercent: field
      .integer(z.int().min(0).max(50).describe('The share of recipients who get no mail, to measure the effect.'))
      .default(0),
    ceiling: field
      .integer(z.int())
      .nullable()
      .readOnly(null)
      .described('A larger audience pauses the broadcast before its first mail.'),
    counts: field.computed(countsSchema),
    contentHash: field
      .key(z.string().max(100))
      .nullable()
      .readOnly(null)
      .described('The hash of the scheduled content.'),
    approval: field.computed(z.object({ requestId: z.string(), status: z.literal('pending') }).nullable()),
    pausedBy: field.word(pausedBy).nullable().readOnly(null),
    error: field.text(z.string()).nullable().readOnly(null).described('Details of the pause for an operator.'),
    campaignId: field.reference('cam').nullable().readOnly(null).indexed(),
    creationId: field.reference('cre').nullable().readOnly(null),
    sandbox: field.computed(z.boolean()),
    version: field.version(),
    createdAt: field.createdAt(),
    updatedAt: field.updatedAt(),
    startedAt: serviceTime(),
    finishedAt: serviceTime(),
    /**
     * The frozen parts; null before scheduling. Read it with frozenOf. Its exact type would add the types of templates to the types of
     * webhooks.
     */
    frozen: field.json(z.custom<object>()).nullable().readOnly(null).hidden(),
    /** The time from which the first mail may leave. For a draft, the planned time. */
    dueAt: hiddenTime(),
    /** The planned time of the next run of the broadcast's job. A run much later than this means that the service was down. */
    nextAt: hiddenTime(),
    /** The time at which its whole audience was stored. */
    preparedAt: hiddenTime(),
    /** The last contact for which the preparation has decided whether it is a recipient. */
    reached: field.json(position).nullable().readOnly(null).hidden(),
    /** The time from which the pace counts, and the number of mails that it has allowed since then. */
    paceFrom: hiddenTime(),
    paceUsed: field.integer(z.int()).readOnly(0).hidden(),
    /** The time at which its latest mail was accepted. */
    acceptedAt: hiddenTime(),
    /** The mail of the last test, as hashes; null without a test. */
    tested: field.json(z.custom<TestedMail>()).nullable().readOnly(null).hidden(),
  },
  async computed(ctx, rows) {
    const ids = rows.map(({ id }) => id);
    const counts = await countsOf(ctx.trx, ids);
    const approvals: ApprovalsService | undefined = ctx.services.approvals;
    const pending = await approvals?.pendingOf(ctx.trx, broadcastKindId, ids);
    return ({ id }) => ({ counts: counts(id), approval: pending?.get(id) ?? null, sandbox: ctx.sandbox });
  },
});

export interface BroadcastRow extends RowOf<typeof broadcasts.table> {}
export const broadcastRows = broadcasts.rows;
/** The columns that the delivery of each mail reads. */
export const broadcastHeads = tenantRows(broadcasts.table, { columns: ['id', 'status', 'created_at'] });
/** The columns that a calendar shows. */
export const plannedRows = tenantRows(broadcasts.table, { columns: ['id', 'name', 'status', 'due_at', 'created_at'] });
export type BroadcastResource = z.output<typeof broadcasts.item>;

declare module '../../core/contract/open.ts' {
  interface Tables {
    broadcasts: StoredRow<typeof broadcasts.table>;
  }
}
