// The grammar of filters: comparisons of values at paths, joined by all, any and not. Each plugin that uses filters declares its
// own paths and may add further forms, called leaves. filter-truth.ts evaluates filters.
import * as z from './zod.ts';

/** The limits of a filter: conditions, parts (each all, any, not and {} counts), levels, characters of a text, values of `in`. */
export const filterLimits = { conditions: 50, parts: 250, levels: 5, text: 500, values: 100 } as const;

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

/** A value that a condition compares with. */
export type FilterValue = string | number | boolean;

/** One comparison. Values of different types never match: nothing is converted. */
export interface FilterCondition {
  path: string;
  op: (typeof filterOperators)[number];
  value: FilterValue | FilterValue[];
}

/** A filter. `{}` is always true. `Leaf`: the forms that a plugin adds. */
export type FilterOf<Leaf extends object = never> =
  | Record<string, never>
  | { all: FilterOf<Leaf>[] }
  | { any: FilterOf<Leaf>[] }
  | { not: FilterOf<Leaf> }
  | FilterCondition
  | Leaf;

const scalar = z.union([z.string().max(filterLimits.text), z.number(), z.boolean()]);

/** The fault if the value does not fit the operator; undefined if it does. */
function valueFault({ op, value }: FilterCondition): string | undefined {
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

/** The filters directly inside a filter. */
export function innerFilters<Leaf extends object>(filter: FilterOf<Leaf>): readonly FilterOf<Leaf>[] {
  if ('all' in filter) return filter.all as FilterOf<Leaf>[];
  if ('any' in filter) return filter.any as FilterOf<Leaf>[];
  return 'not' in filter ? [filter.not as FilterOf<Leaf>] : [];
}

/** Whether a filter is one comparison. */
export const isCondition = (filter: object): filter is FilterCondition => 'path' in filter;

/** Whether a filter joins other filters, or is `{}`. */
const isJoin = (filter: object): boolean =>
  'all' in filter || 'any' in filter || 'not' in filter || Object.keys(filter).length === 0;

/** The conditions and leaves of a filter, in order. */
export function leavesOf<Leaf extends object>(filter: FilterOf<Leaf>): (FilterCondition | Leaf)[] {
  if (isJoin(filter)) return innerFilters(filter).flatMap((inner) => leavesOf(inner));
  return [filter as FilterCondition | Leaf];
}

/** The comparisons of a filter, in order. */
export const conditionsOf = <Leaf extends object>(filter: FilterOf<Leaf>): FilterCondition[] =>
  leavesOf(filter).filter((leaf) => isCondition(leaf));

type InsideOf<Leaf extends object> = (leaf: FilterCondition | Leaf) => readonly FilterOf<Leaf>[];

const levelsOf = <Leaf extends object>(filter: FilterOf<Leaf>, insideOf: InsideOf<Leaf>): number => {
  const inner = isJoin(filter) ? innerFilters(filter) : insideOf(filter as FilterCondition | Leaf);
  return 1 + Math.max(0, ...inner.map((innerFilter) => levelsOf(innerFilter, insideOf)));
};

/** The number of parts of a filter: itself, and everything inside of it. */
export function partCountOf<Leaf extends object>(filter: FilterOf<Leaf>, insideOf: InsideOf<Leaf> = () => []): number {
  const inner = isJoin(filter) ? innerFilters(filter) : insideOf(filter as FilterCondition | Leaf);
  return inner.reduce((sum, innerFilter) => sum + partCountOf(innerFilter, insideOf), 1);
}

/** The number of comparisons and leaves of a filter, including the comparisons and leaves inside of leaves. */
const conditionCountOf = <Leaf extends object>(filter: FilterOf<Leaf>, insideOf: InsideOf<Leaf>): number =>
  leavesOf(filter).reduce(
    (sum, leaf) =>
      insideOf(leaf).reduce((count, innerFilter) => count + conditionCountOf(innerFilter, insideOf), sum + 1),
    0,
  );

/** The additions of a plugin to the grammar. */
export interface FilterGrammar<Leaf extends object> {
  /** The beginning of the names in the OpenAPI document: `Note` gives NoteFilter and NoteCondition. */
  readonly name: string;
  /** The schema of paths. */
  readonly path: z.ZodType<string, string>;
  /**
   * The fault if the value does not fit the path or breaks a rule of the plugin; undefined if there is none. (Default: no further
   * rules)
   */
  readonly fault?: (condition: FilterCondition) => string | undefined;
  /** Further forms of filters. (Default: no further forms) */
  readonly leaves?: readonly z.ZodType<Leaf, Leaf>[];
  /** The filters inside of a further form: they count towards the limits. (Default: none) */
  readonly inside?: (leaf: Leaf) => readonly FilterOf<Leaf>[];
  /** Describes the further forms, with a leading comma. (Default: no text) */
  readonly leafWords?: string;
}

/** Makes the schema of filters, at any depth. The limits apply from the outermost filter. */
export function filterGrammar<Leaf extends object = never>({
  name,
  path,
  fault,
  leaves = [],
  inside,
  leafWords = '',
}: FilterGrammar<Leaf>): z.ZodType<FilterOf<Leaf>, FilterOf<Leaf>> {
  const insideOf: InsideOf<Leaf> = (leaf) => (isCondition(leaf) ? [] : (inside?.(leaf as Leaf) ?? []));
  const condition = z
    .strictObject({
      path,
      op: z
        .enum(filterOperators)
        .describe(
          'gt to lte compare numbers, strings and ISO times. contains: a substring, or a member of a list. within_days: a past time at most so many days ago; older_than_days: a time longer ago. For a missing value, only ne and exists false are true.',
        ),
      value: z.union([scalar, z.array(scalar).max(filterLimits.values)]),
    })
    .superRefine((candidate, context) => {
      const message = fault?.(candidate) ?? valueFault(candidate);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message });
    })
    .meta({ id: `${name}Condition` });
  const filter: z.ZodType<FilterOf<Leaf>, FilterOf<Leaf>> = z
    .union([
      // A record without values instead of an empty object. A faulty filter then reports the faults of the form that was meant.
      z.record(z.string(), z.never()),
      z.strictObject({
        get all() {
          return z.array(filter).max(filterLimits.conditions);
        },
      }),
      z.strictObject({
        get any() {
          return z.array(filter).max(filterLimits.conditions);
        },
      }),
      z.strictObject({
        get not() {
          return filter;
        },
      }),
      condition,
      ...leaves,
    ])
    .superRefine((candidate, context) => {
      if (levelsOf(candidate, insideOf) > filterLimits.levels)
        context.addIssue({
          code: 'custom',
          message: `A filter must not be nested more than ${filterLimits.levels} levels deep.`,
        });
      else if (conditionCountOf(candidate, insideOf) > filterLimits.conditions)
        context.addIssue({
          code: 'custom',
          message: `A filter must not have more than ${filterLimits.conditions} conditions.`,
        });
      else if (partCountOf(candidate, insideOf) > filterLimits.parts)
        context.addIssue({
          code: 'custom',
          message: `A filter must not have more than ${filterLimits.parts} parts. Each all, any, not and {} is a part, too.`,
        });
    })
    .meta({
      id: `${name}Filter`,
      description: `{ all: [filter] }, { any: [filter] }, { not: filter } or { path, op, value }${leafWords}; {} is always true. At most ${filterLimits.conditions} conditions and ${filterLimits.levels} levels.`,
    });
  return filter;
}
