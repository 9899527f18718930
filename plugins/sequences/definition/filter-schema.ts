// The paths of filters in sequences. Triggers, waits, branches, goals and exits share one grammar, core/contract/schemas/filters.ts.
import { z } from '../../../core/index.ts';
import {
  conditionsOf,
  type FilterCondition,
  type FilterOf,
  type FilterValue,
  filterGrammar,
  isCondition,
  leavesOf,
} from '../../../core/unstable.ts';
import { duration } from './time-schemas.ts';

export type { FilterCondition, FilterValue };
export { conditionsOf, isCondition };

/** Whether the contact had a custom event, and how often. */
export interface ActivityCondition {
  did: string;
  since?: string | undefined;
  atLeast?: number | undefined;
  where?: Filter | undefined;
}

/** A filter. `{}` is always true. */
export type Filter = FilterOf<ActivityCondition>;

const namesPattern = String.raw`[^\s.]{1,64}(\.[^\s.]{1,64}){0,9}`;
// The pattern names control characters by their codes, because some clients read tool schemas with regex engines that do not support \p{Cc}.
const pathPattern = new RegExp(
  `^(contact\\.(email|external_id|subscribed|attributes\\.[^\\u0000-\\u001f\\u007f-\\u009f]{1,64})|event\\.(metadata|data)\\.${namesPattern}|variables\\.${namesPattern}|list\\.[\\w-]{1,100})$`,
  'u',
);

/** A path to a value that a sequence can read. */
export const dataPath = z
  .string()
  .max(500)
  .regex(
    pathPattern,
    'A path is contact.attributes.x, contact.email, contact.external_id, contact.subscribed, event.metadata.x.y, event.data.x, variables.x or list.<listId>.',
  )
  .describe(
    'What is compared: contact.attributes.x, contact.email, contact.external_id, contact.subscribed, event.metadata.x.y, event.data.x, variables.x, or list.<listId>, which exists for confirmed members.',
  );

const liquid = /\{\{.*\}\}|\{%.*%\}/s;

/** The fault if the value does not fit a sequence; undefined if it does. */
function valueFault({ path, op, value }: FilterCondition): string | undefined {
  if ([value].flat().some((one) => typeof one === 'string' && liquid.test(one)))
    return 'A value is compared unchanged: Liquid in it is not rendered. Give a constant, or compute the comparison in your program and store its result as an attribute.';
  return path.startsWith('list.') && op !== 'exists' ? 'A list is only compared with exists.' : undefined;
}

/** Whether a filter asks if the contact had an event. */
export const isActivity = (filter: object): filter is ActivityCondition => 'did' in filter;

/** The activities that a filter asks for, in order. */
export const activitiesOf = (filter: Filter): ActivityCondition[] =>
  leavesOf(filter).filter((leaf) => isActivity(leaf));

const activity: z.ZodType<ActivityCondition, ActivityCondition> = z
  .strictObject({
    did: z.string().min(1).max(200).describe('The type of a custom event: an event of your program.'),
    since: z
      .union([z.literal('run'), duration])
      .optional()
      .describe(
        'run: since the run began, without the event that started it. Or a duration before now, as ISO 8601: P30D; days have 24 hours, months are counted in UTC. (Default: as far back as events are kept)',
      ),
    atLeast: z.int().min(1).max(1_000).optional().describe('How many such events. (Default: 1)'),
    get where() {
      return filterSchema
        .optional()
        .describe('Which events count; event.metadata.x is the event itself. (Default: all)');
    },
  })
  .superRefine(({ where }, context) => {
    if (where === undefined) return;
    const fault = (message: string) => context.addIssue({ code: 'custom', path: ['where'], message });
    if (activitiesOf(where).length > 0) fault('where compares one event, so it cannot contain did.');
    const otherCondition = conditionsOf(where).find(({ path }) => !path.startsWith('event.metadata.'));
    if (otherCondition !== undefined)
      fault(`where compares one event, and ${otherCondition.path} is not a value of the event. Use event.metadata.x.`);
  })
  .meta({
    id: 'SequenceActivity',
    description:
      '{ did, since, atLeast, where }: the contact had this custom event. In branches, goals and exitWhen. Put { not: … } around it to ask for its absence.',
  });

/** A filter, at any depth. */
export const filterSchema: z.ZodType<Filter, Filter> = filterGrammar<ActivityCondition>({
  name: 'Sequence',
  path: dataPath,
  fault: valueFault,
  leaves: [activity],
  inside: ({ where }) => (where === undefined ? [] : [where]),
  leafWords: ', or { did, since, atLeast, where }',
});
