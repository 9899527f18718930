// Filters as callers write them. Triggers, waits, branches, goals and exits share one grammar. Evaluated in interpreter/filter.ts.
import { z } from '../../../core/index.ts';

/** The limits of a filter: number of conditions, levels of nesting, characters of a text, values of `in`. */
export const filterLimits = { conditions: 50, levels: 5, text: 500, values: 100 } as const;

/** A value that a condition compares with. */
export type FilterValue = string | number | boolean;

/** One comparison. Values of different types never match: nothing is converted. */
export interface FilterCondition {
  path: string;
  op: (typeof filterOperators)[number];
  value: FilterValue | FilterValue[];
}

/** A filter. `{}` is always true. */
export type Filter = Record<string, never> | { all: Filter[] } | { any: Filter[] } | { not: Filter } | FilterCondition;

export const filterOperators = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'contains',
  'starts_with',
  'exists',
  'within_days',
  'older_than_days',
] as const;

const names = String.raw`[^\s.]{1,64}(\.[^\s.]{1,64}){0,9}`;
// Control characters are written by code: some clients read tool schemas with regex engines that do not support \p{Cc}.
const pathForm = new RegExp(
  `^(contact\\.(email|external_id|subscribed|attributes\\.[^\\u0000-\\u001f\\u007f-\\u009f]{1,64})|event\\.(metadata|data)\\.${names}|variables\\.${names}|list\\.[\\w-]{1,100})$`,
  'u',
);

/** A path to a value that a sequence can read. */
export const dataPath = z
  .string()
  .max(500)
  .regex(
    pathForm,
    'A path is contact.attributes.x, contact.email, contact.external_id, contact.subscribed, event.metadata.x.y, event.data.x, variables.x or list.<listId>.',
  )
  .describe(
    'What is compared: contact.attributes.x, contact.email, contact.external_id, contact.subscribed, event.metadata.x.y, event.data.x, variables.x, or list.<listId>, which exists for confirmed members.',
  );

const scalar = z.union([z.string().max(filterLimits.text), z.number(), z.boolean()]);

const liquid = /\{\{.*\}\}|\{%.*%\}/s;

/** The fault if the value does not fit the operator; undefined if it does. */
function valueFault({ path, op, value }: FilterCondition): string | undefined {
  if ([value].flat().some((one) => typeof one === 'string' && liquid.test(one)))
    return 'A value is compared as it stands: Liquid in it is not read. Give a constant, or compute the comparison in your program and store its result as an attribute.';
  if (path.startsWith('list.') && op !== 'exists') return 'A list is only compared with exists.';
  switch (op) {
    case 'in':
      return Array.isArray(value) ? undefined : 'in takes a list of values.';
    case 'exists':
      return typeof value === 'boolean' ? undefined : 'exists takes true or false.';
    case 'within_days':
    case 'older_than_days':
      return typeof value === 'number' && value >= 0 && value <= 36_500 ? undefined : `${op} takes a number of days.`;
    case 'starts_with':
      return typeof value === 'string' ? undefined : 'starts_with takes a string.';
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'number' || typeof value === 'string'
        ? undefined
        : `${op} takes a number, a string or an ISO time.`;
    default:
      return Array.isArray(value) ? `${op} takes one value.` : undefined;
  }
}

const condition = z
  .strictObject({
    path: dataPath,
    op: z
      .enum(filterOperators)
      .describe(
        'gt to lte compare numbers, strings and ISO times. contains: a substring, or a member of a list. within_days: a time at most so many days ago, and none in the future; older_than_days: a time longer ago. Of a missing value only ne and exists false are true.',
      ),
    value: z.union([scalar, z.array(scalar).max(filterLimits.values)]),
  })
  .superRefine((given, context) => {
    const message = valueFault(given);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message });
  })
  .meta({ id: 'SequenceCondition' });

/** The filters directly inside a filter. */
export function innerFilters(filter: Filter): readonly Filter[] {
  if ('all' in filter) return filter.all;
  if ('any' in filter) return filter.any;
  return 'not' in filter ? [filter.not] : [];
}

const levelsOf = (filter: Filter): number => 1 + Math.max(0, ...innerFilters(filter).map((inner) => levelsOf(inner)));

/** Whether a filter is one comparison. */
export const isCondition = (filter: Filter): filter is FilterCondition => 'path' in filter;

/** The conditions of a filter, in order. */
export function conditionsOf(filter: Filter): FilterCondition[] {
  return isCondition(filter) ? [filter] : innerFilters(filter).flatMap((inner) => conditionsOf(inner));
}

/** A filter, at any depth. The limits apply from the outermost filter. */
export const filterSchema: z.ZodType<Filter, Filter> = z
  .union([
    // A record without values instead of an empty object. A faulty filter then reports the faults of the form that was meant.
    z.record(z.string(), z.never()),
    z.strictObject({
      get all() {
        return z.array(filterSchema).max(filterLimits.conditions);
      },
    }),
    z.strictObject({
      get any() {
        return z.array(filterSchema).max(filterLimits.conditions);
      },
    }),
    z.strictObject({
      get not() {
        return filterSchema;
      },
    }),
    condition,
  ])
  .superRefine((filter, context) => {
    if (levelsOf(filter) > filterLimits.levels)
      context.addIssue({ code: 'custom', message: `A filter is nested at most ${filterLimits.levels} levels deep.` });
    else if (conditionsOf(filter).length > filterLimits.conditions)
      context.addIssue({ code: 'custom', message: `A filter has at most ${filterLimits.conditions} conditions.` });
  })
  .meta({
    id: 'SequenceFilter',
    description: `{ all: [filter] }, { any: [filter] }, { not: filter } or { path, op, value }; {} is always true. At most ${filterLimits.conditions} conditions and ${filterLimits.levels} levels.`,
  });
