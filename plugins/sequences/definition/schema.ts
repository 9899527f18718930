// A sequence as callers write it: trigger, nodes, edges, settings. Graph rules that Zod cannot express are in the graph
// check.
import { z } from '../../../core/index.ts';
import { isTimeZone, quietHoursSchema } from '../../../core/unstable.ts';
import { activitiesOf, filterSchema } from './filter-schema.ts';
import { activityInEventMessage, nodeId, sequenceNode } from './node-schemas.ts';
import { duration } from './time-schemas.ts';

export type { ActivityCondition, Filter, FilterCondition, FilterValue } from './filter-schema.ts';
export type { NodeKind, NodeOf, SequenceNode } from './node-schemas.ts';

/** The maximum numbers of nodes and edges, and the maximum size of a definition in bytes of JSON. */
export const maxNodes = 200;
export const maxEdges = 400;
export const maxDefinitionBytes = 262_144;

export const edgeWhen = z
  .string()
  .regex(
    /^(next|matched|timeout|branch:[0-9]|else|split:[0-9]|failed)$/,
    'An edge is next, matched, timeout, branch:n, else, split:n or failed.',
  )
  .describe('next, matched, timeout, branch:n, else, split:n (n from 0) or failed.');

export const sequenceEdge = z
  .strictObject({
    from: nodeId.describe('The node that is left.'),
    to: nodeId.describe('The node that comes next.'),
    when: edgeWhen.default('next'),
  })
  .meta({ id: 'SequenceEdge' });

export const sequenceTrigger = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('manual') }),
    z.strictObject({
      kind: z.literal('event'),
      type: z.string().min(1).max(100),
      filter: filterSchema.optional(),
    }),
    z.strictObject({ kind: z.literal('list_joined'), listId: z.string().min(1).max(100) }),
    z.strictObject({
      kind: z.literal('form_submitted'),
      pageId: z.string().min(1).max(100),
      formId: z.string().min(1).max(100).optional(),
    }),
    z.strictObject({
      kind: z.enum(['segment_entered', 'segment_left']),
      segmentId: z.string().min(1).max(100),
      includeCurrent: z
        .boolean()
        .optional()
        .describe(
          'Of segment_entered: publishing also enrols the contacts that are inside, and so does a changed filter of the segment. (Default: false)',
        ),
    }),
  ])
  .superRefine((trigger, context) => {
    if (trigger.kind === 'segment_left' && trigger.includeCurrent === true)
      context.addIssue({
        code: 'custom',
        path: ['includeCurrent'],
        message: 'includeCurrent enrols the contacts that are inside a segment: it belongs to segment_entered.',
      });
    if (trigger.kind === 'event' && trigger.filter !== undefined && activitiesOf(trigger.filter).length > 0)
      context.addIssue({ code: 'custom', path: ['filter'], message: activityInEventMessage });
  })
  .describe(
    'What starts runs, besides enrolling: an event, joining a list, a form (both once confirmed), entering or leaving a segment, or nothing.',
  )
  .meta({ id: 'SequenceTrigger' });

/** The settings of a sequence, without their defaults. */
export const settingFields = {
  reentry: z
    .enum(['never', 'after_completion', 'always'])
    .describe('Whether a contact may enter again; always: at most 5 active runs a contact.'),
  cap: z
    .strictObject({
      channel: z.enum(['email', 'sms']),
      max: z.int().min(1).max(1_000),
      per: z.enum(['day', 'week', 'month']).describe('The last 24 hours, 7 days or 30 days.'),
    })
    .describe('The maximum number of messages of all sequences to one contact. Further messages are skipped: capped.'),
  quietHours: quietHoursSchema.describe(
    "Sends wait for the end of these hours, in the contact's zone; from after to: over midnight.",
  ),
  timezone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'No such time zone (IANA), such as Europe/Vienna.')
    .describe("Used if the contact's attribute timezone is not a valid time zone."),
  overdue: z
    .enum(['run', 'skip', 'latest'])
    .describe(
      'The handling of a send that is late after a pause, an outage or an exhausted budget. run: it is sent if it is late by at most overdueAfter, and later delays count from then; otherwise it is skipped. skip: it is skipped if it is more than 60 minutes late. latest: if several are late, only the last is sent.',
    ),
  overdueAfter: duration.describe(
    'With overdue run: a send that comes later than this is skipped. ISO 8601, at most P365D.',
  ),
  exitWhen: filterSchema.describe('Checked before each step; true: the run exits.'),
  variables: z
    .record(z.string(), z.unknown())
    .describe('The contract of the variables of a run, as the JSON Schema that templates use. (Default: any)'),
  onFailure: z
    .enum(['stop', 'continue'])
    .describe(
      'If a step has failed permanently and its node has no edge failed: the run fails, or continues along next.',
    ),
} as const;

export const sequenceSettings = z
  .strictObject({
    reentry: settingFields.reentry.default('after_completion'),
    cap: settingFields.cap.optional(),
    quietHours: settingFields.quietHours.optional(),
    timezone: settingFields.timezone.default('UTC'),
    overdue: settingFields.overdue.default('run'),
    overdueAfter: settingFields.overdueAfter.default('P1D'),
    exitWhen: settingFields.exitWhen.optional(),
    variables: settingFields.variables.optional(),
    onFailure: settingFields.onFailure.default('stop'),
  })
  .meta({ id: 'SequenceSettings' });

export const definitionFields = {
  trigger: sequenceTrigger,
  nodes: z.array(sequenceNode).max(maxNodes),
  edges: z.array(sequenceEdge).max(maxEdges),
  settings: sequenceSettings,
} as const;

export const definitionSchema = z.strictObject(definitionFields);

export type SequenceEdge = z.output<typeof sequenceEdge>;
export type SequenceTrigger = z.output<typeof sequenceTrigger>;
export type SequenceSettings = z.output<typeof sequenceSettings>;
/** A definition as the interpreter uses it, with defaults filled in. */
export interface Definition extends z.output<typeof definitionSchema> {}
/** A definition as callers write it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
