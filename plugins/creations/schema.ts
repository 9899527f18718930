// The input and output schemas of creations.
import { idOf, idParameter, isoTime, personal, timeInput, z } from '../../core/index.ts';
import type { CreationStatus, ItemKind, ItemStatus } from './tables.ts';

/** The maximum number of items of a creation. */
export const maxItems = 60;
/** The longest time from the start of a creation to its end, in milliseconds. */
export const longestMs = 180 * 86_400_000;

const statuses = [
  ...(['drafting_strategy', 'awaiting_approval', 'rejected', 'building', 'ready', 'partially_ready'] as const),
  ...(['failed', 'live', 'completed', 'canceled'] as const),
] as const satisfies readonly CreationStatus[];
export const itemKinds = [
  ...(['social_post', 'email_template', 'planned_email', 'page', 'blog_post', 'link', 'sequence'] as const),
] as const satisfies readonly ItemKind[];
const itemStatuses = ['planned', 'building', 'built', 'failed', 'skipped'] as const satisfies readonly ItemStatus[];

export const creationStatus = z.enum(statuses);

const text = (max: number) => z.string().trim().min(1).max(max);
const messages = z.array(text(500)).max(10);
const channels = z.array(z.strictObject({ channel: text(60), purpose: z.string().max(500) })).max(20);

export const spawnBody = z.object({
  brief: text(8_000).describe('The subject, the audience and the goal of the campaign.'),
  name: text(200).optional().describe('(Default: the beginning of the brief)'),
  objective: text(2_000).optional(),
  icpId: idParameter('icp').optional().describe('Prefix icp_. Whom it is for. (Default: the primary ICP)'),
  channels: z
    .array(text(60))
    .max(20)
    .optional()
    .describe('Networks and media: x, linkedin, email, page, blog. (Default: the creation defaults)'),
  startsAt: timeInput.optional().describe('When the first item is planned. (Default: tomorrow)'),
  endsAt: timeInput.optional().describe('When it is over, at most 180 days after its start.'),
});

/** The edits that people make to a strategy before they approve it. */
export const strategyEdits = z.strictObject({
  summary: text(2_000).optional(),
  messages: messages.optional(),
  channels: channels.optional(),
  items: z
    .array(
      z.strictObject({
        itemId: idOf('itm'),
        purpose: text(500).optional(),
        at: timeInput.nullable().optional(),
        skip: z.boolean().optional().describe('True: it is not built.'),
      }),
    )
    .max(maxItems)
    .optional(),
});
export type StrategyEdits = z.output<typeof strategyEdits>;

const item = z.object({
  itemId: z.string().describe('Prefix itm_.'),
  kind: z.enum(itemKinds),
  channel: z.string().nullable(),
  purpose: z.string(),
  at: isoTime.nullable().describe('The planned time. Nothing is sent or published automatically.'),
  status: z.enum(itemStatuses),
  target: z
    .object({ kind: z.string(), id: z.string() })
    .nullable()
    .describe('What was built: a post, a template by its key, a page, a broadcast, …'),
  price: z.int().describe('In credits.'),
  error: z.string().nullable().describe('Why it failed or was skipped.'),
});

const strategy = z.object({
  summary: z.string(),
  messages: z.array(z.string()),
  channels: z.array(z.object({ channel: z.string(), purpose: z.string(), items: z.array(z.string()) })),
  calendar: z.array(z.object({ at: isoTime, itemId: z.string() })),
});

const counts = z.object({ planned: z.int(), building: z.int(), built: z.int(), failed: z.int(), skipped: z.int() });

const common = {
  creationId: z.string().describe('Prefix cre_.'),
  name: z.string(),
  status: creationStatus,
  brief: personal('text', z.string()),
  objective: personal('text', z.string()).nullable(),
  icpId: z.string().nullable(),
  startsAt: isoTime.nullable(),
  endsAt: isoTime.nullable(),
  credits: z.object({
    price: z.int().describe('The price of all items that are built or to be built.'),
    charged: z.int(),
  }),
  itemCounts: counts.describe('The number of items by status.'),
  utmCampaign: z.string().describe('In all links of the campaign.'),
  revision: z.int().describe('The number of times that the strategy was drafted again.'),
  error: z.string().nullable(),
  approval: z.object({ requestId: z.string(), status: z.literal('pending') }).nullable(),
  sandbox: z.boolean(),
  createdAt: isoTime,
  updatedAt: isoTime,
};

export const creationSummary = z.object(common).meta({ id: 'CreationSummary' });
export const creationDetail = z
  .object({ ...common, strategy: strategy.nullable(), items: z.array(item) })
  .meta({ id: 'Creation' });
/** The output of the read operation: a summary or all details. */
export const creationView = z
  .object({ ...common, strategy: strategy.nullable().optional(), items: z.array(item).optional() })
  .meta({ id: 'CreationRead' });

export type CreationSummary = z.output<typeof creationSummary>;
export type CreationDetail = z.output<typeof creationDetail>;
export const creationParams = z.object({ creationId: idParameter('cre') });
