// The data of an event in the form of a segment: several comparisons of which all, at least one or none must be true.
import { isCondition } from '../../../../core/unstable.ts';
import type { DidLeaf, SegmentFilter } from '../../filter-schema.ts';
import { type Choices, ConditionFault, type ConditionField, type Values, withoutNot } from './kinds.ts';
import { comparisonOf, fieldsOf, operatorsFor, type ValueType } from './operators.ts';

type Where = NonNullable<DidLeaf['where']>;
type Join = 'all' | 'any' | 'none';

const types: readonly ValueType[] = ['text', 'number', 'yes_no'];
const path = 'event.metadata.';

const operators: Choices = types.flatMap((type) =>
  operatorsFor(type)
    .filter(([name]) => type === 'text' || (name !== 'exists' && name !== 'missing'))
    .map(([name, words]) => [`${type}:${name}`, type === 'number' ? `${words} (a number)` : words] as const),
);

const joins: readonly (readonly [Join, string])[] = [
  ['all', 'all must be true'],
  ['any', 'at least one must be true'],
  ['none', 'none may be true'],
];

/** The maximum number of comparisons of one event. */
const maxRows = 20;

/** The names of the fields of a row. Rows count from 0. */
function namesOf(row: number) {
  const number = row === 0 ? '' : String(row + 1);
  return { name: `data${number}`, operator: `dataOp${number}`, value: `dataValue${number}` };
}

/** The number of rows in the form, at least one. */
function rowCount(values: Values): number {
  let count = 1;
  while (count < maxRows && values[namesOf(count).name] !== undefined) count += 1;
  return count;
}

const rowsOf = (values: Values) =>
  Array.from({ length: rowCount(values) }, (_, row) => {
    const names = namesOf(row);
    return {
      name: (values[names.name] ?? '').trim(),
      operator: values[names.operator] ?? '',
      value: values[names.value] ?? '',
    };
  });

const joinOf = ({ dataJoin }: Values): Join => joins.find(([join]) => join === dataJoin)?.[0] ?? 'all';

/** The fields for the data: for each row a name, a comparison and a value. */
export function dataFields(values: Values): readonly ConditionField[] {
  const count = rowCount(values);
  const rows = Array.from({ length: count }, (_, row): readonly ConditionField[] => {
    const names = namesOf(row);
    const number = row === 0 ? '' : ` ${row + 1}`;
    return [
      { name: names.name, label: `With data${number} (empty: any)`, startsLine: true },
      { name: names.operator, label: `Comparison of the data${number}`, choices: operators },
      { name: names.value, label: `Value of the data${number}`, isLong: true },
    ];
  });
  const join: ConditionField = { name: 'dataJoin', label: 'Of the data', choices: joins, startsLine: true };
  return [...(count > 1 || joinOf(values) === 'none' ? [join] : []), ...rows.flat()];
}

/** The values with one more row, and the name of its first field. If the form already has `maxRows` rows, no row is added. */
export function withDataRow(values: Values): { readonly values: Values; readonly field: string } {
  const { name } = namesOf(Math.min(rowCount(values), maxRows - 1));
  return { values: { ...values, [name]: values[name] ?? '' }, field: name };
}

function comparison({ name, operator: written, value }: ReturnType<typeof rowsOf>[number]): Where {
  const [type, operator = ''] = written.split(':', 2);
  const valueType = types.find((one) => one === type);
  if (valueType === undefined) throw new ConditionFault('Choose how the data is compared.');
  const { condition, isNegated } = comparisonOf(valueType, path + name, operator, value);
  return isNegated ? { not: condition } : condition;
}

/** The filter of the event's data; undefined if there is none. Rows without a name are left out. @throws ConditionFault */
export function whereOf(values: Values): DidLeaf['where'] {
  const parts = rowsOf(values).flatMap((row) => (row.name === '' ? [] : [comparison(row)]));
  const [first] = parts;
  const join = joinOf(values);
  if (first === undefined) return undefined;
  if (join === 'none') return { not: { any: parts } };
  if (parts.length === 1) return first;
  return join === 'any' ? { any: parts } : { all: parts };
}

/** The comparisons in a filter of data, and how the filter joins them. */
function partsOf(where: Where): { readonly join: Join; readonly parts: readonly Where[] } {
  if ('all' in where) return { join: 'all', parts: where.all };
  if ('any' in where) return { join: 'any', parts: where.any };
  if ('not' in where && 'any' in where.not) return { join: 'none', parts: where.not.any };
  return { join: 'all', parts: [where] };
}

/** The fields for a filter of data; undefined if the fields cannot express it. */
export function whereValues(where: DidLeaf['where']): Values | undefined {
  if (where === undefined) return {};
  const { join, parts } = partsOf(where);
  if (parts.length === 0 || parts.length > maxRows) return undefined;
  const values: Record<string, string> = { dataJoin: join };
  for (const [row, part] of parts.entries()) {
    const { inner, isNegated } = withoutNot(part as SegmentFilter);
    const fields = isCondition(inner) ? fieldsOf({ condition: inner, isNegated }) : undefined;
    if (!isCondition(inner) || fields === undefined) return undefined;
    const names = namesOf(row);
    values[names.name] = inner.path.slice(path.length);
    values[names.operator] = `${fields.type}:${fields.operator}`;
    values[names.value] = fields.written;
  }
  return values;
}
