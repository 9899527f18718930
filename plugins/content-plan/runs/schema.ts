// The input and output schemas of runs.
import { idParameter, isoTime, personal, timeInput, z } from '../../../core/index.ts';
import { isTimeZone } from '../../../core/unstable.ts';
import type { GateName, PlanRunStatus } from './tables.ts';
import { mondayOf } from './week.ts';

/** The maximum number of slots of a run. */
export const maxSlots = 60;

const statuses = [
  ...(['queued', 'planning', 'awaiting_decision', 'applying', 'completed', 'failed', 'rejected', 'expired'] as const),
] as const satisfies readonly PlanRunStatus[];
export const runStatus = z.enum(statuses);
export const gateName = z.enum(['themes', 'slots', 'captions'] as const satisfies readonly GateName[]);

const text = (max: number) => z.string().trim().min(1).max(max);

export const planBody = z.object({
  weekOf: z
    .string()
    .refine((value) => mondayOf(value) !== undefined, 'This is not a Monday, such as 2026-03-02.')
    .describe('The Monday of the week: YYYY-MM-DD.'),
  channels: z
    .array(text(60))
    .min(1)
    .max(20)
    .optional()
    .describe('Networks, such as linkedin. (Default: the creation defaults, otherwise all with a connected account)'),
  targetAccountRefs: z
    .record(z.string().max(60), z.string().max(60))
    .optional()
    .describe('The account of each channel that has several, as in posts.'),
  themes: z.array(text(200)).min(1).max(10).optional().describe('The themes of the week. (Default: proposed)'),
  brief: text(8_000).optional().describe('More facts for the planner: an offer, a date, subjects to avoid.'),
  postsPerChannel: z.int().min(1).max(7).default(3),
  captions: z
    .boolean()
    .default(false)
    .describe('True: the texts are written, too, for the price of composing a post on each channel.'),
  timezone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'This is not a time zone, such as Europe/Berlin.')
    .optional()
    .describe('The time zone of the days and hours (IANA). (Default: the creation defaults, otherwise UTC)'),
});

/** Changes of entries of a proposal, by their ids. */
export const planEdits = z
  .array(
    z.strictObject({
      id: z.string().max(20).describe('The entry, such as t1 or s1.'),
      remove: z.boolean().optional().describe('True: the entry is left out.'),
      title: text(200).optional().describe('Themes only.'),
      reason: z.string().max(500).optional().describe('Themes only.'),
      channel: text(60).optional().describe('Slots only: one of the channels of the run.'),
      at: timeInput.optional().describe('Slots only: within the week.'),
      theme: z.string().max(20).optional().describe('Slots only: the id of a theme.'),
      idea: text(500).optional().describe('Slots only.'),
      caption: text(63_206).optional().describe('The text of a slot.'),
    }),
  )
  .min(1)
  .max(maxSlots);
export type PlanEdit = z.output<typeof planEdits>[number];

const gateFields = {
  status: z
    .enum(['pending', 'approved', 'revised'])
    .describe('pending: not decided yet. revised: changes were requested, and it is planned again.'),
  comment: z.string().nullable().describe('The comment of the latest decision.'),
};
const theme = z.object({
  id: z.string(),
  title: z.string(),
  reason: z.string(),
  newsId: z.string().nullable().describe('The market news from which the theme comes.'),
});
const slot = z.object({
  id: z.string(),
  channel: z.string(),
  at: isoTime,
  theme: z.string(),
  idea: z.string(),
});
const caption = z.object({ id: z.string().describe('The id of its slot.'), channel: z.string(), caption: z.string() });
const proposalOf = <S extends z.ZodType>(entry: S) => z.array(entry).nullable().describe('Null before it is planned.');

const gate = z.discriminatedUnion('gate', [
  z.object({ gate: z.literal('themes'), ...gateFields, proposal: proposalOf(theme) }),
  z.object({ gate: z.literal('slots'), ...gateFields, proposal: proposalOf(slot) }),
  z.object({ gate: z.literal('captions'), ...gateFields, proposal: proposalOf(caption) }),
]);

export const planRun = z
  .object({
    runId: z.string().describe('Prefix plan_.'),
    weekOf: z.string(),
    timezone: z.string(),
    status: runStatus,
    channels: z.array(z.string()),
    brief: personal('text', z.string()).nullable(),
    postsPerChannel: z.int(),
    gates: z
      .array(gate)
      .describe('The proposals that people decide on, one after the other: the first that is not approved waits.'),
    results: z.array(z.object({ kind: z.enum(['hold', 'post']), id: z.string() })),
    leftOut: z
      .array(
        z.object({
          channel: z.string(),
          accountRef: z.string(),
          code: z.enum(['account_missing', 'account_disconnected']),
          message: z.string().describe('Why, as a sentence.'),
        }),
      )
      .describe('Accounts that were no longer connected when the posts were made. No posts were made for them.'),
    credits: z.object({ price: z.int().describe('The price of the captions.'), charged: z.int() }),
    error: z.string().nullable().describe('Why it failed, was rejected or expired.'),
    expiresAt: isoTime.nullable().describe('When it expires without a decision.'),
    sandbox: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'PlanRun' });

export type PlanRun = z.output<typeof planRun>;
export const runParams = z.object({ runId: idParameter('plan') });
