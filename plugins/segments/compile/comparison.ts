// Comparisons of attributes and columns of the contact as conditions of a statement. They mean the same as `compares` of the core.
import {
  allOf,
  always,
  anyOf,
  type Condition,
  daysToMs,
  type FilterCondition,
  type FilterValue,
  type IsoTime,
  isNull,
  type JsonOperator,
  negated,
  never,
  readIsoTime,
  sure,
} from '../../../core/unstable.ts';
import { contactColumn, type Target } from './columns.ts';

/** The parts of a comparison that depend on the kind of value: attribute, column or flag. */
interface Subject {
  readonly exists: Condition;
  equals(value: FilterValue): Condition;
  order(operator: JsonOperator, value: FilterValue): Condition;
  contains(value: FilterValue): Condition;
  startsWith(text: string): Condition;
  /** Whether the subject is a time between these moments; undefined means no limit. */
  isBetween(from: number | undefined, to: number | undefined): Condition;
}

const orders: Readonly<Partial<Record<FilterCondition['op'], JsonOperator>>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** The condition of a comparison. */
function comparison(subject: Subject, { op, value }: FilterCondition, now: number): Condition {
  const single = Array.isArray(value) ? undefined : value;
  const order = orders[op];
  if (order !== undefined) return single === undefined ? never : sure(subject.order(order, single));
  switch (op) {
    case 'exists':
      return value === true ? sure(subject.exists) : negated(sure(subject.exists));
    case 'eq':
      return single === undefined ? never : sure(subject.equals(single));
    case 'ne':
      return single === undefined ? always : negated(sure(subject.equals(single)));
    case 'in':
      return Array.isArray(value) ? sure(anyOf(value.map((each) => subject.equals(each)))) : never;
    case 'contains':
      return single === undefined ? never : sure(subject.contains(single));
    case 'starts_with':
      return typeof single === 'string' ? sure(subject.startsWith(single)) : never;
    case 'within_days':
      return sure(subject.isBetween(now - daysToMs(Number(single)), now));
    default:
      return sure(subject.isBetween(undefined, now - daysToMs(Number(single)) - 1));
  }
}

/** The numbers of a stored time: the moment, and the first and last local time of it (`localSpan`). */
type SpanAt = (index: number) => ReturnType<Target['json']['at']>;

/** Compares a stored time with the time of a text. A text without an offset is local to the contact. */
function compareTime(
  { json }: Target,
  at: SpanAt,
  operator: JsonOperator,
  { wallClock: shown, offsetMs }: IsoTime,
): Condition {
  const [moment, from, to] = [at(0).number, at(1).number, at(2).number];
  if (offsetMs !== undefined) return json.compareNumber(moment, operator, shown - offsetMs);
  switch (operator) {
    case '=':
      return allOf([json.compareNumber(from, '<=', shown), json.compareNumber(to, '>=', shown)]);
    case '>':
      return json.compareNumber(from, '>', shown);
    case '>=':
      return json.compareNumber(to, '>=', shown);
    case '<':
      return json.compareNumber(to, '<', shown);
    default:
      return json.compareNumber(from, '<=', shown);
  }
}

/** An attribute of the contact. Times among the attributes are stored in a column of their own. */
function attribute(target: Target, name: string): Subject {
  const { json } = target;
  const [values, times] = [contactColumn('attributes'), contactColumn('attribute_times')];
  const value = json.at(values, name);
  const span: SpanAt = (index) => json.at(times, name, index);
  const compareText = (operator: JsonOperator, text: string): Condition => {
    const asText = json.compareText(value.text, operator, text);
    const time = readIsoTime(text);
    if (time === undefined) return allOf([value.isText, asText]);
    const asTime = compareTime(target, span, operator, time);
    // A text that is not a time is different from every time.
    if (operator === '=') return allOf([value.isText, asTime]);
    return allOf([value.isText, anyOf([sure(asTime), allOf([isNull(span(0).number), asText])])]);
  };
  const hasElement = (sought: FilterValue): Condition => {
    if (typeof sought === 'number')
      return json.some(values, [name], (element) => sure(json.compareNumber(element.number, '=', sought)));
    if (typeof sought === 'boolean') return json.some(values, [name], (element) => sure(element.is(sought)));
    const time = readIsoTime(sought);
    if (time !== undefined) return json.some(times, [name], (_, at) => sure(compareTime(target, at, '=', time)));
    return json.some(values, [name], (element) =>
      sure(allOf([element.isText, json.compareText(element.text, '=', sought)])),
    );
  };
  return {
    exists: value.isNotNull,
    equals: (other) => {
      if (typeof other === 'number') return json.compareNumber(value.number, '=', other);
      return typeof other === 'boolean' ? value.is(other) : compareText('=', other);
    },
    order: (operator, other) => {
      if (typeof other === 'number') return json.compareNumber(value.number, operator, other);
      return typeof other === 'string' ? compareText(operator, other) : never;
    },
    contains: (other) => {
      const inList = allOf([sure(value.isList), hasElement(other)]);
      if (typeof other !== 'string') return inList;
      const inText = other === '' ? value.isText : allOf([value.isText, json.contains(value.text, other)]);
      return anyOf([sure(inText), inList]);
    },
    startsWith: (text) => (text === '' ? value.isText : allOf([value.isText, json.startsWith(value.text, text)])),
    isBetween: (from, to) =>
      allOf([
        value.isText,
        ...(from === undefined ? [] : [json.compareNumber(span(0).number, '>=', from)]),
        ...(to === undefined ? [] : [json.compareNumber(span(0).number, '<=', to)]),
      ]),
  };
}

/** A text column of the contact, which is never a time. */
function textColumn({ json }: Target, name: string): Subject {
  const column = contactColumn(name);
  const text = json.column(column);
  const compare = (operator: JsonOperator, other: FilterValue): Condition =>
    typeof other === 'string' ? json.compareText(text, operator, other) : never;
  const exists = negated(isNull(column));
  return {
    exists,
    equals: (other) => compare('=', other),
    order: compare,
    contains: (other) => (typeof other !== 'string' ? never : other === '' ? exists : json.contains(text, other)),
    startsWith: (other) => (other === '' ? exists : json.startsWith(text, other)),
    isBetween: () => never,
  };
}

/** A time column of the contact. The grammar compares it only with moments. */
function timeColumn({ json }: Target, name: string): Subject {
  const column = contactColumn<number>(name);
  const compare = (operator: JsonOperator, other: FilterValue): Condition => {
    const time = typeof other === 'string' ? readIsoTime(other) : undefined;
    return time === undefined ? never : json.compareNumber(column, operator, time.wallClock - (time.offsetMs ?? 0));
  };
  return {
    exists: always,
    equals: (other) => compare('=', other),
    order: compare,
    contains: () => never,
    startsWith: () => never,
    isBetween: (from, to) =>
      allOf([
        ...(from === undefined ? [] : [json.compareNumber(column, '>=', from)]),
        ...(to === undefined ? [] : [json.compareNumber(column, '<=', to)]),
      ]),
  };
}

/** A condition that is true or false for every contact. */
function flag(isTrue: Condition): Subject {
  return {
    exists: always,
    equals: (other) => (other === true ? isTrue : other === false ? negated(isTrue) : never),
    order: () => never,
    contains: () => never,
    startsWith: () => never,
    isBetween: () => never,
  };
}

/** The condition of a comparison of an attribute. */
export const compareAttribute = (target: Target, name: string, condition: FilterCondition): Condition =>
  comparison(attribute(target, name), condition, target.now);

/** The condition of a comparison of a text column. */
export const compareTextColumn = (target: Target, name: string, condition: FilterCondition): Condition =>
  comparison(textColumn(target, name), condition, target.now);

/** The condition of a comparison of a time column. */
export const compareTimeColumn = (target: Target, name: string, condition: FilterCondition): Condition =>
  comparison(timeColumn(target, name), condition, target.now);

/** The condition of a comparison of something that is true or false. */
export const compareFlag = (target: Target, isTrue: Condition, condition: FilterCondition): Condition =>
  comparison(flag(isTrue), condition, target.now);
