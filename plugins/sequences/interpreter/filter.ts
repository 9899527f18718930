// Evaluates filters. Types are never converted: values of different types are unequal, and neither is greater.
import { isCondition } from '../definition/filter-schema.ts';
import type { Filter, FilterCondition, FilterValue } from '../definition/schema.ts';
import { parseIsoTime } from './calendar.ts';
import { type Known, readPath } from './paths.ts';

const dayMs = 86_400_000;

/** Negative, 0 or positive; undefined if the values cannot be compared. Texts that are both ISO times are compared as times. */
function compare(left: unknown, right: FilterValue, zone: string): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  const [first, second] = [parseIsoTime(left, zone), parseIsoTime(right, zone)];
  if (first !== undefined && second !== undefined) return first - second;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function equal(left: unknown, right: FilterValue, zone: string): boolean {
  return typeof left === 'boolean' ? left === right : compare(left, right, zone) === 0;
}

/** Days since a time; undefined if the value is not a time, or is in the future. */
function daysSince(value: unknown, { now, zone }: Known): number | undefined {
  const at = typeof value === 'string' ? parseIsoTime(value, zone) : undefined;
  return at === undefined || at > now ? undefined : (now - at) / dayMs;
}

function compares({ path, op, value }: FilterCondition, known: Known): boolean {
  const found = readPath(path, known);
  if (op === 'exists') return (found !== undefined) === value;
  if (found === undefined) return op === 'ne';
  if (Array.isArray(value)) return op === 'in' && value.some((one) => equal(found, one, known.zone));
  const order = () => compare(found, value, known.zone);
  switch (op) {
    case 'eq':
      return equal(found, value, known.zone);
    case 'ne':
      return !equal(found, value, known.zone);
    case 'gt':
      return (order() ?? 0) > 0;
    case 'gte':
      return (order() ?? -1) >= 0;
    case 'lt':
      return (order() ?? 0) < 0;
    case 'lte':
      return (order() ?? 1) <= 0;
    case 'contains':
      if (Array.isArray(found)) return found.some((one) => equal(one, value, known.zone));
      return typeof found === 'string' && typeof value === 'string' && found.includes(value);
    case 'starts_with':
      return typeof found === 'string' && typeof value === 'string' && found.startsWith(value);
    case 'within_days':
      return (daysSince(found, known) ?? Number.POSITIVE_INFINITY) <= Number(value);
    case 'older_than_days':
      return (daysSince(found, known) ?? Number.NEGATIVE_INFINITY) > Number(value);
    default:
      return false;
  }
}

/** Whether a filter is true. `{}` and an undefined filter are always true. */
export function isTrue(filter: Filter | undefined, known: Known): boolean {
  if (filter === undefined) return true;
  if ('all' in filter) return filter.all.every((one) => isTrue(one, known));
  if ('any' in filter) return filter.any.some((one) => isTrue(one, known));
  if ('not' in filter) return !isTrue(filter.not, known);
  return isCondition(filter) ? compares(filter, known) : true;
}
