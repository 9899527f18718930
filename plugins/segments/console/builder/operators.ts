// The comparisons that the form of a segment offers for each type of value. Translates them to conditions of filters and back.
import type { FilterCondition, FilterValue } from '../../../../core/unstable.ts';
import { type Choices, ConditionFault } from './kinds.ts';

export type ValueType = 'text' | 'number' | 'yes_no' | 'time';

/** An operator of the form. */
interface FormOperator {
  readonly words: string;
  readonly op: FilterCondition['op'];
  /** The content of the value field. (Default: one value of the type) */
  readonly takes?: 'values' | 'days' | 'nothing';
  /** The value of the condition if the field is not used. */
  readonly value?: boolean;
  /** Whether the filter has the condition inside `not`. (Default: false) */
  readonly isNegated?: boolean;
}

const known = {
  exists: { words: 'is known', op: 'exists', takes: 'nothing', value: true },
  missing: { words: 'is not known', op: 'exists', takes: 'nothing', value: false },
} as const satisfies Record<string, FormOperator>;

const oneOf = {
  eq: { words: 'is', op: 'eq' },
  ne: { words: 'is not', op: 'ne' },
  in: { words: 'is one of', op: 'in', takes: 'values' },
  not_in: { words: 'is none of', op: 'in', takes: 'values', isNegated: true },
} as const satisfies Record<string, FormOperator>;

const operators: Readonly<Record<ValueType, Readonly<Record<string, FormOperator>>>> = {
  text: {
    ...oneOf,
    contains: { words: 'contains', op: 'contains' },
    not_contains: { words: 'does not contain', op: 'contains', isNegated: true },
    starts_with: { words: 'begins with', op: 'starts_with' },
    not_starts_with: { words: 'does not begin with', op: 'starts_with', isNegated: true },
    ...known,
  },
  number: {
    ...oneOf,
    gt: { words: 'is more than', op: 'gt' },
    gte: { words: 'is at least', op: 'gte' },
    lt: { words: 'is less than', op: 'lt' },
    lte: { words: 'is at most', op: 'lte' },
    ...known,
  },
  yes_no: {
    yes: { words: 'is yes', op: 'eq', takes: 'nothing', value: true },
    no: { words: 'is no', op: 'eq', takes: 'nothing', value: false },
    not_yes: { words: 'is not yes', op: 'ne', takes: 'nothing', value: true },
    ...known,
  },
  time: {
    within_days: { words: 'was in the last days', op: 'within_days', takes: 'days' },
    not_within_days: { words: 'was not in the last days', op: 'within_days', takes: 'days', isNegated: true },
    older_than_days: { words: 'was more days ago than', op: 'older_than_days', takes: 'days' },
    gte: { words: 'is at or after', op: 'gte' },
    gt: { words: 'is after', op: 'gt' },
    lte: { words: 'is at or before', op: 'lte' },
    lt: { words: 'is before', op: 'lt' },
    ...known,
  },
};

/** A time, or a day, as ISO 8601 writes it. */
const timePattern = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** The operators to choose from. */
export const operatorsFor = (type: ValueType): Choices =>
  Object.entries(operators[type]).map(([name, { words }]) => [name, words]);

/** The operator of a new condition. */
export const firstOperator = (type: ValueType): string => operatorsFor(type)[0]?.[0] ?? '';

function numberOf(text: string): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new ConditionFault(`Write a number instead of “${text}”.`);
  return value;
}

const requireText = (text: string, what: string): string => {
  if (text === '') throw new ConditionFault(`Write ${what}.`);
  return text;
};

function valuesOf(type: ValueType, text: string): FilterValue[] {
  const parts = text.split(type === 'number' ? /[\s,;]+/ : '\n').map((part) => part.trim());
  const present = parts.filter((part) => part !== '');
  requireText(
    present[0] ?? '',
    type === 'number' ? 'at least one number' : 'at least one value, each on a line of its own',
  );
  return type === 'number' ? present.map(numberOf) : present;
}

function oneValue(type: ValueType, text: string): FilterValue {
  if (type === 'number') return numberOf(requireText(text, 'a number'));
  if (type === 'time' && !timePattern.test(text))
    throw new ConditionFault('Write a day or a time, such as 2026-05-01 or 2026-05-01T09:00:00Z.');
  return requireText(text, 'a value');
}

/** A condition, and whether the filter has it inside `not`. */
export interface ValueComparison {
  readonly condition: FilterCondition;
  readonly isNegated: boolean;
}

/** The comparison that the fields contain. @throws ConditionFault */
export function comparisonOf(type: ValueType, path: string, operator: string, written: string): ValueComparison {
  const chosen = Object.hasOwn(operators[type], operator) ? operators[type][operator] : undefined;
  if (chosen === undefined) throw new ConditionFault('Choose how the value is compared.');
  const { op, takes, value, isNegated = false } = chosen;
  const text = written.replaceAll('\r\n', '\n').trim();
  const condition = (compared: FilterCondition['value']): ValueComparison => ({
    condition: { path, op, value: compared },
    isNegated,
  });
  if (takes === 'nothing') return condition(value ?? true);
  if (takes === 'values') return condition(valuesOf(type, text));
  if (takes === 'days') return condition(numberOf(requireText(text, 'a number of days')));
  return condition(oneValue(type, text));
}

const typesInTrialOrder: readonly ValueType[] = ['number', 'yes_no', 'time', 'text'];

const hasType = (type: ValueType, value: FilterCondition['value']): boolean => {
  const values = [value].flat();
  if (type === 'number') return values.every((one) => typeof one === 'number');
  if (type === 'yes_no') return typeof value === 'boolean';
  return values.every((one) => typeof one === 'string' && (type === 'text' || timePattern.test(one)));
};

/** The fields for a comparison; undefined if the fields cannot express it. `type`: only fields of this type. */
export function fieldsOf(
  { condition, isNegated }: ValueComparison,
  type?: ValueType,
): { readonly type: ValueType; readonly operator: string; readonly written: string } | undefined {
  for (const one of type === undefined ? typesInTrialOrder : [type])
    for (const [operator, form] of Object.entries(operators[one])) {
      const { op, takes, value, isNegated: negated = false } = form;
      if (op !== condition.op || negated !== isNegated) continue;
      if (takes === 'nothing') {
        // The condition `exists` belongs to no type, so it is shown as a text.
        if (value !== condition.value || (type === undefined && op === 'exists' && one !== 'text')) continue;
        return { type: one, operator, written: '' };
      }
      if (takes === 'days' ? typeof condition.value !== 'number' : !hasType(one, condition.value)) continue;
      return { type: one, operator, written: [condition.value].flat().join('\n') };
    }
  return undefined;
}

/** Whether the operator needs no value. */
export const needsNoValue = (type: ValueType, operator: string): boolean =>
  Object.hasOwn(operators[type], operator) && operators[type][operator]?.takes === 'nothing';
