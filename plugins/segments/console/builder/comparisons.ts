// The kinds of conditions that compare a value of the contact: an attribute of any name, or one of the fields that every contact has.
import { isCondition } from '../../../../core/unstable.ts';
import type { SegmentFilter } from '../../filter-schema.ts';
import {
  ConditionFault,
  type ConditionField,
  type ConditionKind,
  negatedIf,
  type Values,
  withoutNot,
} from './kinds.ts';
import { comparisonOf, fieldsOf, firstOperator, operatorsFor, type ValueType } from './operators.ts';

const attribute = 'contact.attributes.';

const valueLabels: Readonly<Record<ValueType, string>> = {
  text: 'Value (several: one a line)',
  number: 'Number (several: with spaces)',
  yes_no: '',
  time: 'Days, or a day such as 2026-05-01',
};

/** The fields for the operator and the value of a comparison. */
export function comparisonFields(type: ValueType): readonly ConditionField[] {
  const operator = { name: 'op', label: 'Comparison', choices: operatorsFor(type) };
  const value = { name: 'value', label: valueLabels[type], isLong: type === 'text' };
  return type === 'yes_no' ? [operator] : [operator, value];
}

const filterFrom = (type: ValueType, path: string, { op = '', value = '' }: Values): SegmentFilter => {
  const { condition, isNegated } = comparisonOf(type, path, op, value);
  return negatedIf(isNegated, condition);
};

function readFrom(filter: SegmentFilter, type?: ValueType) {
  const { inner, isNegated } = withoutNot(filter);
  if (!isCondition(inner)) return undefined;
  const fields = fieldsOf({ condition: inner, isNegated }, type);
  return fields === undefined ? undefined : { ...fields, path: inner.path };
}

const typeWords: Readonly<Record<ValueType, string>> = {
  text: 'a text',
  number: 'a number',
  yes_no: 'yes or no',
  time: 'a time',
};

const attributeKind = (type: ValueType): ConditionKind => ({
  group: 'Attributes',
  title: `Attribute, ${typeWords[type]}`,
  initial: { op: firstOperator(type) },
  fields: (_, { attributes }) => [
    { name: 'name', label: 'Attribute', proposals: attributes },
    ...comparisonFields(type),
  ],
  toFilter(values) {
    const name = (values['name'] ?? '').trim();
    if (name === '') throw new ConditionFault('Write the name of the attribute.');
    return filterFrom(type, attribute + name, values);
  },
  fromFilter(filter) {
    const read = readFrom(filter);
    if (read?.type !== type || !read.path.startsWith(attribute)) return undefined;
    return { name: read.path.slice(attribute.length), op: read.operator, value: read.written };
  },
});

/** For `created_at` and `updated_at`, a day without a time means the beginning of the day in UTC. */
const wholeTime = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()}T00:00:00Z` : text);

const fieldKind = (path: string, title: string, type: ValueType): ConditionKind => ({
  group: 'The contact',
  title,
  initial: { op: firstOperator(type) },
  fields: () => comparisonFields(type),
  toFilter: ({ op = '', value = '' }) =>
    filterFrom(type, path, { op, value: type === 'time' ? wholeTime(value) : value }),
  fromFilter(filter) {
    const read = readFrom(filter, type);
    return read === undefined || read.path !== path ? undefined : { op: read.operator, value: read.written };
  },
});

export const comparisonKinds: Readonly<Record<string, ConditionKind>> = {
  attribute_text: attributeKind('text'),
  attribute_number: attributeKind('number'),
  attribute_yes_no: attributeKind('yes_no'),
  attribute_time: attributeKind('time'),
  email: fieldKind('contact.email', 'Address', 'text'),
  external_id: fieldKind('contact.external_id', 'External id', 'text'),
  subscribed: fieldKind('contact.subscribed', 'Gets marketing mail', 'yes_no'),
  created_at: fieldKind('contact.created_at', 'Created', 'time'),
  updated_at: fieldKind('contact.updated_at', 'Changed', 'time'),
};
