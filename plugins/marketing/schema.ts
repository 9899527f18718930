// The resources of marketing as callers see them, and the fields that a merge patch of each document may contain.
import { emailAddress, idOf, isoTime, localeTag, mergePatchOf, personal, z } from '../../core/index.ts';
import { isTimeZone, parseDuration, quietHoursFields, quietHoursSchema, weekdayNames } from '../../core/unstable.ts';

const text = z.string().max(10_000);
/** A name of up to 200 characters. */
export const name = z.string().trim().min(1).max(200);
export const words = z.array(name).max(30);
const listOf50 = <S extends z.ZodType>(entry: S) => z.array(entry).max(50);
const budget = z.strictObject({
  amount: z.number().min(0).max(1e12),
  currency: z.string().regex(/^[A-Z]{3}$/, 'Give three capital letters such as EUR.'),
  period: z.enum(['week', 'month', 'quarter', 'year']),
});

const strategyFields = {
  positioning: text.describe('What is offered, to whom, and why it is better.'),
  audience: text,
  pillars: listOf50(z.strictObject({ name, message: text.default(''), proof: text.default('') })),
  channels: listOf50(z.strictObject({ channel: name, role: text.default(''), cadence: text.default('') })),
  goals: listOf50(z.strictObject({ metric: name, target: text.default(''), by: text.default('') })),
  tone: text,
  competitors: listOf50(z.strictObject({ name, note: text.default('') })),
  notes: personal('text', text),
};
const version = z.int().describe('Counts the changes; 0 before the first one.');
const updatedAt = isoTime.nullable().describe('Null before the first change.');

export const strategyContent = z.object({ ...strategyFields, budget: budget.nullable() });
export const strategyPatch = mergePatchOf({ ...strategyFields, budget: mergePatchOf(budget.shape) });
export const strategyResource = strategyContent.extend({ version, updatedAt }).meta({ id: 'MarketingStrategy' });
export const strategySummary = strategyResource
  .partial()
  .extend({
    version,
    positioning: text,
    pillars: listOf50(z.object({ name, message: text.optional(), proof: text.optional() })),
    channels: listOf50(z.object({ channel: name, role: text.optional(), cadence: text.optional() })),
    goals: listOf50(z.object({ metric: name, target: text.optional(), by: text.optional() })),
    updatedAt,
  })
  .meta({ id: 'MarketingStrategySummary' });
export const emptyStrategy: z.output<typeof strategyContent> = {
  positioning: '',
  audience: '',
  pillars: [],
  channels: [],
  goals: [],
  tone: '',
  competitors: [],
  budget: null,
  notes: '',
};

const utmFields = { source: name, medium: name, campaign: name, term: name, content: name };
const defaultsFields = {
  channels: words.describe('Networks and media, such as email.'),
  tone: text.nullable(),
  brandId: idOf('brd').nullable(),
  from: z.object({ email: emailAddress, name: z.string().max(200).default('') }).nullable(),
  listId: idOf('lst').nullable(),
  utm: z.object(utmFields).partial().nullable(),
  language: localeTag.nullable(),
  timezone: z.string().refine(isTimeZone, 'This is not a time zone such as Europe/Berlin.').nullable(),
};
const approvalRequired = z
  .boolean()
  .describe('True: a strategy waits for approval. False: it is approved on behalf of whoever asked for the campaign.');
export const defaultsContent = z.object({ ...defaultsFields, approvalRequired });
export const defaultsPatch = mergePatchOf({
  ...defaultsFields,
  from: mergePatchOf({ email: emailAddress, name: z.string().max(200) }),
  utm: mergePatchOf(utmFields),
  approvalRequired,
});
export type Defaults = z.output<typeof defaultsContent>;
export const emptyDefaults: Defaults = {
  channels: [],
  tone: null,
  brandId: null,
  from: null,
  listId: null,
  utm: null,
  language: null,
  timezone: null,
  approvalRequired: true,
};
export const defaultsResource = z
  .object({
    ...defaultsFields,
    from: z.object({ email: z.string(), name: z.string() }).nullable(),
    language: z.string().nullable(),
    timezone: z.string().nullable(),
    approvalRequired,
    updatedAt,
  })
  .meta({ id: 'CreationDefaults' });

const dayMs = 86_400_000;
const periods: ReadonlyMap<string, number> = new Map([
  ['day', dayMs],
  ['week', 7 * dayMs],
  ['month', 30 * dayMs],
]);
const longestPeriodMs = 366 * dayMs;

/**
 * The length of the period that a cap covers, in milliseconds: a month is 30 days. Undefined if the text is not a duration
 * of at most a year.
 */
export function periodMs(text: string): number | undefined {
  const namedPeriod = periods.get(text);
  if (namedPeriod !== undefined) return namedPeriod;
  const parts = parseDuration(text);
  if (parts === undefined || parts.sign === -1) return undefined;
  const ms = (parts.months * 30 + parts.days) * dayMs + parts.ms;
  return ms > 0 && ms <= longestPeriodMs ? ms : undefined;
}

const cap = z.strictObject({
  max: z.int().min(1).max(1_000),
  per: z
    .string()
    .max(40)
    .refine((text) => periodMs(text) !== undefined, 'Give day, week, month, or an ISO 8601 duration such as P10D.')
    .describe('day, week or month: the last 24 hours, 7 days or 30 days. Or an ISO 8601 duration of at most a year.'),
});
const calendarFields = {
  weekdays: z
    .array(z.enum(weekdayNames))
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'Name each day once.')
    .describe('The days on which marketing mail is sent.'),
  timezone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'This is not a time zone such as Europe/Berlin.')
    .describe("Used if the contact's attribute timezone does not name a time zone."),
  caps: z.array(cap).max(10).describe('The maximum number of marketing mails to one address. All caps apply.'),
};
export const calendarContent = z.object({
  quietHours: quietHoursSchema
    .nullable()
    .describe("Marketing mail waits for the end of these hours, in the contact's zone. From after to: over midnight."),
  ...calendarFields,
});
export const calendarPatch = mergePatchOf({ quietHours: mergePatchOf(quietHoursFields), ...calendarFields });
export const calendarResource = calendarContent.extend({ version, updatedAt }).meta({ id: 'MarketingCalendar' });
export type Calendar = z.output<typeof calendarContent>;
export const emptyCalendar: Calendar = { quietHours: null, weekdays: [...weekdayNames], timezone: 'UTC', caps: [] };
