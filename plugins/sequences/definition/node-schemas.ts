// The kinds of nodes, as callers write them. Their behavior is in interpreter/; the scopes that they need are in definition/scopes.ts.
import { canonicalLocale, z } from '../../../core/index.ts';
import { activitiesOf, dataPath, filterSchema } from './filter-schema.ts';
import { kindFault } from './node-kinds.ts';
import { duration, offsetDuration } from './time-schemas.ts';

const id = z
  .string()
  .regex(/^[a-z0-9_-]{1,60}$/, 'The id of a node has 1 to 60 characters of a–z, 0–9, - and _.')
  .describe('Unique in the sequence: a-z, 0-9, - and _, at most 60.');
const resourceId = z.string().min(1).max(100);
const templateKey = z.string().min(1).max(200);
const eventType = z
  .string()
  .min(1)
  .max(100)
  .describe('A custom event, or one of the service: send.clicked, contact.updated, list_member.confirmed.');
const variables = z
  .record(z.string().min(1).max(64), z.unknown())
  .default({})
  .describe(
    'Strings are Liquid over contact, event and variables, such as Hello {{ contact.attributes.name }}; if a string is only one {{ path }}, the variable has the type of the value, and is left out if the value is missing.',
  );

const delay = z.strictObject({
  id,
  kind: z.literal('delay'),
  for: duration.optional().describe('How long, as ISO 8601: PT2H, P1D, P1M; at most P365D.'),
  until: z
    .strictObject({
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time of day is HH:MM.')
        .describe('HH:MM in the zone of the contact.'),
      weekdays: z
        .array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
        .min(1)
        .max(7)
        .optional()
        .describe('Only on these days. (Default: every day)'),
    })
    .optional()
    .describe('The next such time, strictly later than now.'),
  relativeTo: z
    .strictObject({
      path: dataPath.describe("The path of a time. A time without a UTC offset is in the contact's time zone."),
      offset: offsetDuration.describe('How long before or after that time: -P1D, PT2H.'),
    })
    .optional()
    .describe(
      'Before or after a time of the contact, the event or the variables. If that moment has passed, the run continues at once. If the time is missing, the step fails with time_missing.',
    ),
});

const waitForEvent = z.strictObject({
  id,
  kind: z.literal('wait_for_event'),
  type: eventType,
  filter: filterSchema.optional().describe('Which events count; event.… is the event itself. (Default: all)'),
  ofNode: id
    .optional()
    .describe(
      'Only events about what this node of the same run sent, whenever they happened, such as a click before the wait began.',
    ),
  since: z
    .enum(['previous_wait', 'run', 'node'])
    .optional()
    .describe(
      'From when events count. previous_wait: from when the run left its last delay or wait, or began. run: from when the run began. node: from when the run is at this node. The event that started the run, or ended another wait, never counts. Not with ofNode. (Default: previous_wait)',
    ),
  timeout: duration.describe('How long at most, as ISO 8601; at most P365D.'),
});

const branch = z.strictObject({
  id,
  kind: z.literal('branch'),
  conditions: z
    .array(z.strictObject({ filter: filterSchema }))
    .min(1)
    .max(10)
    .describe(
      'The run follows the edge branch:n of the first condition that is true (n counts from 0), or the edge else if none is true.',
    ),
});

const split = z.strictObject({
  id,
  kind: z.literal('split'),
  weights: z
    .array(z.int().min(1).max(99))
    .min(2)
    .max(10)
    .refine((weights) => weights.reduce((sum, weight) => sum + weight, 0) === 100, 'The weights add up to 100.')
    .describe('Percentages of contacts for the edges split:n, counted from 0. A contact always takes the same one.'),
});

const sendEmail = z.strictObject({
  id,
  kind: z.literal('send_email'),
  templateKey,
  variables,
  locale: z
    .string()
    .min(1)
    .max(200)
    .refine(
      (text) => text.includes('{{') || text.includes('{%') || canonicalLocale(text) !== undefined,
      'This is neither a language tag (BCP 47), such as de or pt-BR, nor Liquid that renders one.',
    )
    .optional()
    .describe(
      "The language (BCP 47) of the template that is sent, or Liquid for one. (Default: the contact's attribute locale)",
    ),
  from: z
    .strictObject({ email: z.email().max(320), name: z.string().max(200).optional() })
    .optional()
    .describe("(Default: the workspace's sender)"),
  replyTo: z.email().max(320).optional(),
  tags: z.array(z.string().min(1).max(64)).max(10).optional(),
});

const sendSms = z.strictObject({
  id,
  kind: z.literal('send_sms'),
  templateKey,
  variables,
  to: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("A number, or Liquid for one. (Default: the contact's attribute phone)"),
  consentProofId: resourceId.optional().describe('(Default: the latest consent of the number)'),
});

const socialEvent = z.strictObject({
  id,
  kind: z.literal('social_event'),
  eventKey: templateKey,
  variables,
  outcome: z.enum(['draft', 'publish']),
});

const webhook = z.strictObject({
  id,
  kind: z.literal('webhook'),
  webhookId: resourceId.describe('The subscription that gets sequence_run.node_reached. The run does not wait for it.'),
});

const attributeValue = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const updateContact = z.strictObject({
  id,
  kind: z.literal('update_contact'),
  attributes: z
    .record(z.string().min(1).max(64), z.union([attributeValue, z.array(attributeValue).max(100), z.null()]))
    .describe('Merged into the existing attributes; null removes an attribute. Strings are Liquid, as in variables.'),
});

const listNode = <const K extends string>(kind: K) => z.strictObject({ id, kind: z.literal(kind), listId: resourceId });

const enroll = z.strictObject({
  id,
  kind: z.literal('enroll'),
  sequenceKey: templateKey.describe('The sequence to enroll in; it may be this one. The current run continues.'),
  variables,
});

const goal = z.strictObject({
  id,
  kind: z.literal('goal').describe('Ends the run as completed, wherever the run is. No edge leads to it.'),
  filter: filterSchema
    .optional()
    .describe(
      'Without a type, a filter over the contact: the run is completed when it is true. With a type: only events for which it is true count.',
    ),
  type: eventType.optional(),
});

const exit = z.strictObject({
  id,
  kind: z.literal('exit'),
  reason: z.string().min(1).max(200).optional().describe('Shown as the exitReason of the run.'),
});

const nodeUnion = z.discriminatedUnion(
  'kind',
  [
    delay,
    waitForEvent,
    branch,
    split,
    sendEmail,
    sendSms,
    socialEvent,
    webhook,
    updateContact,
    listNode('add_to_list'),
    listNode('remove_from_list'),
    enroll,
    goal,
    exit,
  ],
  { error: ({ input }) => kindFault(input) },
);

/** The message for a filter over a single event that contains an activity condition. */
export const activityInEventMessage =
  'This filter compares one event, so it cannot contain did. Put a branch with { did: … } after it.';

/** The fault if a node has fields that exclude each other, or if required fields are missing. */
function combinationFault(node: z.output<typeof nodeUnion>): string | undefined {
  if (node.kind === 'delay') {
    const timings = [node.for, node.until, node.relativeTo].filter((one) => one !== undefined);
    return timings.length === 1 ? undefined : 'A delay has exactly one of for, until and relativeTo.';
  }
  if (node.kind === 'goal' && node.filter === undefined && node.type === undefined)
    return 'A goal has a filter, or an event type, or both.';
  if (node.kind === 'wait_for_event') {
    if (node.ofNode !== undefined && node.since !== undefined)
      return 'Leave out `since`: with `ofNode`, all events about what that node sent count.';
    if (node.filter !== undefined && activitiesOf(node.filter).length > 0) return activityInEventMessage;
  }
  return undefined;
}

export const sequenceNode = nodeUnion
  .superRefine((node, context) => {
    const message = combinationFault(node);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({ id: 'SequenceNode' });

export type SequenceNode = z.output<typeof sequenceNode>;
export type NodeKind = SequenceNode['kind'];
export type NodeOf<K extends NodeKind> = Extract<SequenceNode, { kind: K }>;

export const nodeId = id;
export const nodeKinds = (): readonly NodeKind[] => nodeUnion.options.map(({ shape }) => shape.kind.value);
