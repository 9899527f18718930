/**
 * Filters that follow Shopify's Liquid or Unicode where liquidjs does not: arithmetic, dates, cutting texts between
 * characters, lists. Called by filters.ts and expression.ts. A handler throws for values that it cannot handle.
 */
import { filters as liquidFilters, toValue } from 'liquidjs';
import type { Decimal } from './decimals.ts';
import * as decimals from './decimals.ts';
import type { FilterHandler } from './filters.ts';
import { type DateParts, strftime } from './strftime.ts';

const { fromDecimal, toDecimal, WholeFraction } = decimals;

const isNil = (value: unknown): boolean => value === undefined || value === null;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of an element in a list. */
function textOf(given: unknown): string {
  const value: unknown = toValue(given);
  if (isObject(value)) throw new TypeError('An object has no text.');
  return isNil(value)
    ? ''
    : Array.isArray(value)
      ? value.map(textOf).join('')
      : String(given instanceof WholeFraction ? given : value);
}

function integerOf(given: unknown): number {
  const value: unknown = toValue(given);
  const number = typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw new TypeError('This is not a whole number.');
  return number;
}

const ofTwo =
  (compute: (one: Decimal, other: Decimal) => Decimal): FilterHandler =>
  (value, other) =>
    fromDecimal(compute(toDecimal(value), toDecimal(other)));

/** The argument of `round` may be a fraction; only its whole part counts. */
const places = (value: unknown): number => {
  const { digits, scale } = toDecimal(value);
  return Number(digits / 10n ** BigInt(scale));
};
/** The maximum number of decimal places, because more would only add zeros. */
const PLACES = 100;
const rounded = (value: unknown, to: unknown): unknown =>
  fromDecimal(decimals.round(toDecimal(value), Math.max(-PLACES, Math.min(PLACES, places(to)))));

const arithmetic: Readonly<Record<string, FilterHandler>> = {
  plus: ofTwo(decimals.add),
  minus: ofTwo(decimals.subtract),
  times: ofTwo(decimals.multiply),
  divided_by: ofTwo(decimals.divide),
  modulo: ofTwo(decimals.modulo),
  at_least: ofTwo((a, b) => (decimals.compare(a, b) < 0 ? b : a)),
  at_most: ofTwo((a, b) => (decimals.compare(a, b) > 0 ? b : a)),
  abs: (value) => {
    const decimal = toDecimal(value);
    return fromDecimal(decimal.digits < 0n ? { ...decimal, digits: -decimal.digits } : decimal);
  },
  round: (value, to) => rounded(value, to),
  floor: (value) => fromDecimal(decimals.floor(toDecimal(value))),
  ceil: (value) => {
    const decimal = toDecimal(value);
    const { digits } = decimals.floor({ ...decimal, digits: -decimal.digits });
    return fromDecimal({ digits: -digits, scale: 0, isFraction: false });
  },
};

const points = (text: string): string[] => Array.from(text);
const SURROGATE = /[\ud800-\udfff]/;

/** Counts the characters of a text. A character beyond 16 bits counts once. */
export function countCharacters(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** The first characters of a text. */
function beginning(text: string, count: number): string {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left -= 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, at);
}

function sliced(given: unknown, from: unknown, count: unknown = 1): unknown {
  const value: unknown = toValue(given);
  const text = Array.isArray(value) ? '' : textOf(given);
  // A text without surrogates can be sliced directly.
  const items = Array.isArray(value) ? value : SURROGATE.test(text) ? points(text) : text;
  const begin = integerOf(from);
  const at = begin < 0 ? items.length + begin : begin;
  const slice = at < 0 ? items.slice(0, 0) : items.slice(at, at + Math.max(0, integerOf(count)));
  return typeof slice === 'string' || Array.isArray(value) ? slice : slice.join('');
}

function truncated(value: unknown, length: unknown = 50, end: unknown = '...'): string {
  const text = textOf(value);
  const limit = integerOf(length);
  const tail = textOf(end);
  if (countCharacters(text) <= limit) return text;
  return beginning(text, limit - countCharacters(tail)) + tail;
}

function splitText(value: unknown, separator: unknown): unknown {
  const [text, sign] = [textOf(value), textOf(separator)];
  if (text === '') return [];
  if (sign === '') return points(text);
  const parts = sign === ' ' ? text.trimStart().split(/\s+/) : text.split(sign);
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

const texts: Readonly<Record<string, FilterHandler>> = {
  slice: (value, from, count) => sliced(value, from, count),
  truncate: (value, length, end) => truncated(value, length, end),
  split: (value, separator) => splitText(value, separator),
  // RFC 3986 also reserves these signs, but encodeURIComponent leaves them as they are.
  url_encode: (value) =>
    encodeURIComponent(textOf(value).replace(/\p{Surrogate}/gu, '\ufffd'))
      .replace(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+'),
  size: (given) => {
    const value: unknown = toValue(given);
    if (typeof value === 'string') return countCharacters(value);
    if (Array.isArray(value)) return value.length;
    return isObject(value) ? Object.keys(Object(value)).length : 0;
  },
};

const listOf = (given: unknown): unknown[] => {
  const value: unknown = toValue(given);
  if (Array.isArray(value)) return value.flat(Number.POSITIVE_INFINITY);
  return isNil(value) ? [] : [value];
};

const ownProperty = (holder: unknown, key: string): unknown => {
  const value: unknown = Object.hasOwn(Object(holder), key) ? (holder as Record<string, unknown>)[key] : undefined;
  return typeof value === 'function' ? undefined : value;
};

/** A property of an element, or a path of properties: `address.city`. */
function propertyOf(item: unknown, name: unknown): unknown {
  if (!isObject(item)) throw new TypeError('An element is not an object.');
  const key = textOf(name);
  const value = ownProperty(item, key);
  return value !== undefined || !key.includes('.') ? value : key.split('.').reduce(ownProperty, item);
}

/**
 * Makes a test for elements: the property equals the target, or, without a target, is neither nil nor false. A text
 * matches if it contains the name.
 */
function matcher(property: unknown, target: unknown): (item: unknown) => boolean {
  const targetValue: unknown = toValue(target);
  return (item) => {
    const name = textOf(property);
    const value = isObject(item)
      ? propertyOf(item, name)
      : typeof item === 'string' && item.includes(name)
        ? name
        : null;
    const propertyValue: unknown = toValue(value);
    return isNil(targetValue) ? !isNil(propertyValue) && propertyValue !== false : propertyValue === targetValue;
  };
}

/** liquidjs's filter, or, if a property is given, the same filter by that property of the elements. */
const byProperty = (name: string, choose: (items: readonly unknown[], property: unknown) => unknown[]): FilterHandler =>
  function (value, property) {
    const handler = (liquidFilters as unknown as Record<string, FilterHandler>)[name];
    return isNil(property) ? handler?.call(this, value) : choose(listOf(value), property);
  };

const lists: Readonly<Record<string, FilterHandler>> = {
  join: (value, separator = ' ') => listOf(value).map(textOf).join(textOf(separator)),
  map: function (value, property) {
    const items = listOf(value);
    if (!items.every(isObject)) throw new TypeError('An element is not an object.');
    const handler = (liquidFilters as unknown as Record<string, FilterHandler>).map;
    return handler?.call(this, items, property);
  },
  sum: (value, property) =>
    fromDecimal(
      listOf(value)
        .map((item) => toDecimal(isNil(property) ? item : propertyOf(item, property)))
        .reduce(decimals.add, toDecimal(0)),
    ),
  concat: (value, other) => {
    const otherItems: unknown = toValue(other);
    if (!Array.isArray(otherItems)) throw new TypeError('The argument is not a list.');
    return [...listOf(value), ...otherItems];
  },
  compact: byProperty('compact', (items, property) => items.filter((item) => !isNil(propertyOf(item, property)))),
  uniq: byProperty('uniq', (items, property) => {
    const seen = new Set<unknown>();
    return items.filter((item) => {
      const key = propertyOf(item, property);
      return !seen.has(key) && seen.add(key);
    });
  }),
  where: (value, property, target) => listOf(value).filter(matcher(property, target)),
  reject: (value, property, target) => {
    const matches = matcher(property, target);
    return listOf(value).filter((item) => !matches(item));
  },
  find: (value, property, target) => listOf(value).find(matcher(property, target)) ?? null,
  find_index: (value, property, target) => {
    const index = listOf(value).findIndex(matcher(property, target));
    return index < 0 ? null : index;
  },
  has: (value, property, target) => listOf(value).some(matcher(property, target)),
  default: (value, other, ...options) => {
    const plain: unknown = toValue(value);
    const optionsByName = new Map(options as readonly [string, unknown][]);
    if (plain === false) return toValue(optionsByName.get('allow_false')) === true ? plain : other;
    const isEmpty = plain === '' || (typeof plain === 'object' && plain !== null && Object.keys(plain).length === 0);
    return isNil(plain) || isEmpty ? other : value;
  },
};

/** Reads a date and its time zone from liquidjs. liquidjs's own date parts depend on the machine's time zone. */
const dateParts = (shown: unknown): DateParts | undefined => {
  const [, seconds, milliseconds, sign, hours, minutes, zone = ''] =
    typeof shown === 'string' ? (/^(-?\d+)\|(\d+)\|([-+])(\d\d)(\d\d)\|(.*)$/.exec(shown) ?? []) : [];
  if (seconds === undefined) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const date = new Date((Number(seconds) + offset * 60) * 1000);
  return {
    ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
    ...{ millisecond: Number(milliseconds), offset },
    zone: zone === '' || offset === 0 ? 'UTC' : zone,
  };
};

const DATE = '%s|%L|%z|%Z';
/** The maximum number of characters of a format. */
const FORMAT_LIMIT = 1_000;
const readDate = liquidFilters.date as unknown as FilterHandler;

const dated = (format: (...options: unknown[]) => string): FilterHandler =>
  function (value, ...options) {
    const parts = dateParts(readDate.call(this, value, DATE));
    return parts === undefined ? value : strftime(parts, format(...options));
  };

const ordinal = (day: number): string =>
  Math.floor(day / 10) === 1 ? 'th' : (({ 1: 'st', 2: 'nd', 3: 'rd' } as Record<number, string>)[day % 10] ?? 'th');

const named = (month: string): FilterHandler =>
  function (value, type, style) {
    const parts = dateParts(readDate.call(this, value, DATE));
    if (parts === undefined) return value;
    if (type !== 'ordinal') return strftime(parts, `%d ${month} %Y`);
    const day = `%-d${ordinal(parts.day)}`;
    return strftime(parts, style === 'US' ? `${month} ${day}, %Y` : `${day} ${month} %Y`);
  };

/** Converts an offset such as `+02:00` to the minutes that liquidjs expects; a zone name stays as it is. */
function zoneOf(zone: unknown): unknown {
  const [, sign, hours, minutes] = typeof zone === 'string' ? (/^([-+])(\d\d):?(\d\d)$/.exec(zone.trim()) ?? []) : [];
  return sign === undefined ? zone : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? 1 : -1);
}

const dates: Readonly<Record<string, FilterHandler>> = {
  date: function (value, format, zone) {
    const formatValue: unknown = toValue(format);
    const parts = dateParts(readDate.call(this, value, DATE, ...(isNil(toValue(zone)) ? [] : [zoneOf(toValue(zone))])));
    if (parts === undefined) return value;
    if (typeof formatValue === 'string' && formatValue.length > FORMAT_LIMIT)
      throw new TypeError('The format is too long.');
    return strftime(parts, isNil(formatValue) ? '%A, %B %-d, %Y at %-l:%M %P %z' : textOf(formatValue));
  },
  date_to_xmlschema: dated(() => '%Y-%m-%dT%H:%M:%S%:z'),
  date_to_rfc822: dated(() => '%a, %d %b %Y %H:%M:%S %z'),
  date_to_string: named('%b'),
  date_to_long_string: named('%B'),
};

export const OWN_FILTERS: ReadonlyMap<string, FilterHandler> = new Map(
  Object.entries({ ...arithmetic, ...texts, ...lists, ...dates }),
);
