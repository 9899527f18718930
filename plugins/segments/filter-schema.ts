// The filters of segments: the grammar that sequences also use, with the paths and forms that do not need a run.
// compile/ gives their meaning as a statement, interpret.ts for one contact.
import { idParameter, z } from '../../core/index.ts';
import {
  type FilterCondition,
  type FilterOf,
  filterGrammar,
  leavesOf,
  parseDuration,
  readIsoTime,
  timeBefore,
} from '../../core/unstable.ts';

/** The number of days for which custom events, sends and their timelines are stored by default. Filters find nothing older. */
export const keptDays = 400;
/** The longest period that a filter can contain. */
const maxDays = 36_500;

// The pattern names control characters by their codes, because some clients read tool schemas with regex engines that do not support \p{Cc}.
const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const pathPattern = new RegExp(
  `^(contact\\.(email|external_id|subscribed|created_at|updated_at|attributes\\.[^${controls}]{1,64})|list\\.[\\w-]{1,100}|topic\\.[a-z0-9_-]{1,80})$`,
  'u',
);
const path = z
  .string()
  .max(500)
  .regex(
    pathPattern,
    'A path is contact.attributes.x, contact.email, contact.external_id, contact.subscribed, contact.created_at, contact.updated_at, list.<listId> or topic.<key>.',
  )
  .describe(
    'What is compared: contact.attributes.x, contact.email, contact.external_id, contact.subscribed, contact.created_at, contact.updated_at, list.<listId>, which exists for confirmed members, or topic.<key>, which exists for subscribed addresses.',
  );

const eventPath = z
  .string()
  .max(500)
  .regex(
    /^event\.metadata\.[^\s.]{1,64}(\.[^\s.]{1,64}){0,9}$/u,
    'A path in where is event.metadata.x or event.metadata.x.y.',
  )
  .describe("A value of the event's metadata: event.metadata.x.y.");

const times: ReadonlySet<string> = new Set(['contact.created_at', 'contact.updated_at']);

/** The fault if the value does not fit the path; undefined if it does. */
function pathFault({ path: name, op, value }: FilterCondition): string | undefined {
  if (name.startsWith('list.') && op !== 'exists') return 'A list is only compared with exists.';
  if (name.startsWith('topic.') && op !== 'exists') return 'A topic is only compared with exists.';
  if (!times.has(name) || op === 'exists' || op === 'within_days' || op === 'older_than_days') return undefined;
  if (op === 'contains' || op === 'starts_with') return `${name} is a time: ${op} reads texts and lists.`;
  const hasOffset = (one: unknown) => typeof one === 'string' && readIsoTime(one)?.offsetMs !== undefined;
  return [value].flat().every(hasOffset)
    ? undefined
    : `${name} is compared with an ISO time with its offset, such as 2026-05-01T00:00:00Z.`;
}

const ageFault = ({ op }: FilterCondition): string | undefined =>
  op === 'within_days' || op === 'older_than_days'
    ? `${op} reads attributes and times of the contact. Give the time of the event with since.`
    : undefined;

type EventFilter = FilterOf;
const eventFilter: z.ZodType<EventFilter, EventFilter> = filterGrammar({
  name: 'SegmentEvent',
  path: eventPath,
  fault: ageFault,
});

const monthDays = 30;

/** The length of a duration in days, for limits; undefined if it is not a duration. */
function daysOf(text: string): number | undefined {
  const parts = parseDuration(text);
  if (parts === undefined || parts.sign === -1) return undefined;
  const { months, days, ms } = parts;
  return Math.floor(months / 12) * 365 + (months % 12) * monthDays + days + ms / 86_400_000;
}

const since = z
  .string()
  .max(40)
  .superRefine((text, context) => {
    const days = daysOf(text);
    if (days === undefined)
      context.addIssue({ code: 'custom', message: 'This is not an ISO 8601 duration such as PT2H, P30D or P1M.' });
    else if (days > maxDays) context.addIssue({ code: 'custom', message: 'At most P36500D.' });
  })
  .describe('How far back, as ISO 8601: PT12H, P30D, P1M. Days have 24 hours, months are counted in UTC.');

/** A custom event that the contact did. */
export interface DidLeaf {
  did: string;
  since?: string | undefined;
  atLeast?: number | undefined;
  where?: EventFilter | undefined;
}

/** A condition on events of mail to the contact. */
export interface SendLeaf {
  send: {
    templateKey?: string | undefined;
    broadcastId?: string | undefined;
    category?: 'marketing' | 'transactional' | 'system' | undefined;
  };
  was: 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced';
  since?: string | undefined;
}

/** Membership of another segment. */
export interface SegmentLeaf {
  segment: string;
}

/** The forms that segments add to the grammar. */
export type SegmentForm = DidLeaf | SendLeaf | SegmentLeaf;
export type SegmentFilter = FilterOf<SegmentForm>;
/** A comparison, or a form that segments add. */
export type Leaf = FilterCondition | SegmentForm;

const reach = `reaches back as far as events are kept: at most P${keptDays}D.`;
const isTooLong = (text: string | undefined): boolean => text !== undefined && (daysOf(text) ?? 0) > keptDays;

const did: z.ZodType<DidLeaf, DidLeaf> = z
  .strictObject({
    did: z.string().min(1).max(200).describe('A custom event. What happened to mail is asked with send.'),
    since: since.optional(),
    atLeast: z.int().min(1).max(1_000_000).optional().describe('The minimum number of times. (Default: 1)'),
    where: eventFilter.optional().describe('A filter for the metadata of the event.'),
  })
  .superRefine(({ since: text, atLeast = 1, where }, context) => {
    if (isTooLong(text) && (where !== undefined || atLeast > 1))
      context.addIssue({ code: 'custom', path: ['since'], message: `since with where or atLeast ${reach}` });
  })
  .meta({ id: 'SegmentDid' });

const send: z.ZodType<SendLeaf, SendLeaf> = z
  .strictObject({
    send: z.strictObject({
      templateKey: z.string().min(1).max(200).optional(),
      broadcastId: idParameter('brc').optional().describe('Only mails of this broadcast, without its tests.'),
      category: z.enum(['marketing', 'transactional', 'system']).optional(),
    }),
    was: z
      .enum(['sent', 'delivered', 'opened', 'clicked', 'bounced'])
      .describe('opened and clicked count people only, not bots.'),
    since: since.optional(),
  })
  .superRefine(({ since: text }, context) => {
    if (isTooLong(text)) context.addIssue({ code: 'custom', path: ['since'], message: `since ${reach}` });
  })
  .meta({ id: 'SegmentSend' });

const segment: z.ZodType<SegmentLeaf, SegmentLeaf> = z
  .strictObject({ segment: idParameter('sgm').describe('Another segment, at most three levels deep.') })
  .meta({ id: 'SegmentMember' });

/** A filter of a segment, at any depth. */
export const filterSchema: z.ZodType<SegmentFilter, SegmentFilter> = filterGrammar<SegmentForm>({
  name: 'Segment',
  path,
  fault: pathFault,
  leaves: [did, send, segment],
  leafWords:
    ', { did: event type, since, atLeast, where }, { send: { templateKey, broadcastId, category }, was, since } or { segment: segmentId }',
});

export const isDid = (leaf: object): leaf is DidLeaf => 'did' in leaf;
export const isSend = (leaf: object): leaf is SendLeaf => 'send' in leaf;
export const isSegment = (leaf: object): leaf is SegmentLeaf => 'segment' in leaf;

/** The ids of the segments in a filter. */
export const segmentsIn = (filter: SegmentFilter): string[] => [
  ...new Set(leavesOf(filter).flatMap((leaf) => (isSegment(leaf) ? [leaf.segment] : []))),
];

const idsUnder = (filter: SegmentFilter, prefix: 'list.' | 'topic.'): string[] => [
  ...new Set(
    leavesOf(filter).flatMap((leaf) =>
      'path' in leaf && leaf.path.startsWith(prefix) ? [leaf.path.slice(prefix.length)] : [],
    ),
  ),
];

/** The ids of the lists in a filter. */
export const listsIn = (filter: SegmentFilter): string[] => idsUnder(filter, 'list.');

/** The keys of the topics in a filter. */
export const topicsIn = (filter: SegmentFilter): string[] => idsUnder(filter, 'topic.');

/** The time to which `since` reaches back. Undefined without `since`. */
export function sinceTime(text: string | undefined, now: number): number | undefined {
  const parts = text === undefined ? undefined : parseDuration(text);
  return parts === undefined ? undefined : timeBefore(parts, now);
}
