// Evaluates filters. Types are never converted: values of different types are unequal, and neither is greater. Statements that
// search rows by a filter must give the same results.
import { type FilterCondition, type FilterOf, type FilterValue, isCondition } from '../schemas/filters.ts';
import { parseIsoTime } from './iso-time.ts';

const dayMs = 86_400_000;

/** The values that a filter reads. */
export interface FilterValues<Leaf extends object = never> {
  readonly now: number;
  /** The zone of times without an offset. */
  readonly zone: string;
  /** The value at a path; undefined if it is missing. */
  read(path: string): unknown;
  /** Whether the texts at this path are never times, such as names and addresses. */
  isPlain(path: string): boolean;
  /** Whether a leaf is true. Needed if the grammar has leaves. */
  leaf?(leaf: Leaf): boolean;
}

/** The order of texts by code points, as databases have it: surrogate pairs come after all other characters. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [leftUnit, rightUnit] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (leftUnit === rightUnit) continue;
    const isPair = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    if (isPair(leftUnit) !== isPair(rightUnit)) return isPair(leftUnit) ? 1 : -1;
    return leftUnit - rightUnit;
  }
  return left.length - right.length;
}

/** The zone of times without an offset; undefined if the compared texts are never times. */
type Zone = string | undefined;

/** Negative, 0 or positive; undefined if the values cannot be compared. Texts that are both ISO times are compared as times. */
function compare(left: unknown, right: FilterValue, zone: Zone): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  if (zone === undefined) return compareTexts(left, right);
  const [first, second] = [parseIsoTime(left, zone), parseIsoTime(right, zone)];
  return first !== undefined && second !== undefined ? first - second : compareTexts(left, right);
}

function equal(left: unknown, right: FilterValue, zone: Zone): boolean {
  return typeof left === 'boolean' ? left === right : compare(left, right, zone) === 0;
}

/** The milliseconds of this many days, rounded down to a whole number. */
export const daysToMs = (days: number): number => Math.floor(days * dayMs);

/** The time that has passed since a time; undefined if the value is not a time, or is in the future. */
function passedSince(value: unknown, zone: Zone, now: number): number | undefined {
  const at = typeof value === 'string' && zone !== undefined ? parseIsoTime(value, zone) : undefined;
  return at === undefined || at > now ? undefined : now - at;
}

/** Whether a comparison is true. */
export function conditionIsTrue<Leaf extends object>(
  { path, op, value }: FilterCondition,
  values: FilterValues<Leaf>,
): boolean {
  const actual = values.read(path);
  if (op === 'exists') return (actual !== undefined) === value;
  if (actual === undefined) return op === 'ne';
  const zone = values.isPlain(path) ? undefined : values.zone;
  if (Array.isArray(value)) return op === 'in' && value.some((member) => equal(actual, member, zone));
  const order = () => compare(actual, value, zone);
  switch (op) {
    case 'eq':
      return equal(actual, value, zone);
    case 'ne':
      return !equal(actual, value, zone);
    case 'gt':
      return (order() ?? 0) > 0;
    case 'gte':
      return (order() ?? -1) >= 0;
    case 'lt':
      return (order() ?? 0) < 0;
    case 'lte':
      return (order() ?? 1) <= 0;
    case 'contains':
      if (Array.isArray(actual)) return actual.some((member) => equal(member, value, zone));
      return typeof actual === 'string' && typeof value === 'string' && actual.includes(value);
    case 'starts_with':
      return typeof actual === 'string' && typeof value === 'string' && actual.startsWith(value);
    case 'within_days':
      return (passedSince(actual, zone, values.now) ?? Number.POSITIVE_INFINITY) <= daysToMs(Number(value));
    case 'older_than_days':
      return (passedSince(actual, zone, values.now) ?? Number.NEGATIVE_INFINITY) > daysToMs(Number(value));
    default:
      return false;
  }
}

/** Whether a filter is true. `{}` and an undefined filter are always true. */
export function filterIsTrue<Leaf extends object>(
  filter: FilterOf<Leaf> | undefined,
  values: FilterValues<Leaf>,
): boolean {
  if (filter === undefined) return true;
  if ('all' in filter) return (filter.all as FilterOf<Leaf>[]).every((part) => filterIsTrue(part, values));
  if ('any' in filter) return (filter.any as FilterOf<Leaf>[]).some((part) => filterIsTrue(part, values));
  if ('not' in filter) return !filterIsTrue(filter.not as FilterOf<Leaf>, values);
  if (isCondition(filter)) return conditionIsTrue(filter, values);
  return Object.keys(filter).length === 0 || values.leaf?.(filter as Leaf) === true;
}
