/**
 * The filters of the language: liquidjs's own filters, without those that evaluate a text as an expression, use randomness or
 * compute a hash. expression.ts calls them and charges every call by size, because some of liquidjs's filters charge nothing.
 */

import { type Context, filters as liquidFilters, toValue } from 'liquidjs';
import { WholeFraction } from './decimals.ts';
import { OWN_FILTERS } from './own-filters.ts';

/** The value that liquidjs binds to a filter's `this`. */
export interface FilterScope {
  context: Context;
  liquid: unknown;
  token: undefined;
}

export type FilterHandler = (this: FilterScope, value: unknown, ...args: unknown[]) => unknown;

/** All filters that a template may use, with their minimum and maximum number of arguments. */
const ARGUMENTS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  ...counted(0, 0, [
    'abs',
    'capitalize',
    'ceil',
    'downcase',
    'escape',
    'escape_once',
    'first',
    'floor',
    'last',
    'lstrip',
  ]),
  ...counted(0, 0, ['newline_to_br', 'normalize_whitespace', 'raw', 'reverse', 'rstrip', 'size', 'squish', 'strip']),
  ...counted(0, 0, ['strip_html', 'strip_newlines', 'to_integer', 'upcase', 'url_decode', 'url_encode', 'cgi_escape']),
  ...counted(0, 0, ['uri_escape', 'xml_escape', 'date_to_rfc822', 'date_to_xmlschema']),
  ...counted(0, 1, [
    'array_to_sentence_string',
    'compact',
    'default',
    'join',
    'json',
    'number_of_words',
    'round',
    'sort',
  ]),
  ...counted(0, 1, ['sort_natural', 'sum', 'uniq']),
  ...counted(0, 2, ['date', 'date_to_long_string', 'date_to_string', 'slugify', 'truncate', 'truncatewords']),
  ...counted(1, 1, ['append', 'at_least', 'at_most', 'concat', 'divided_by', 'map', 'minus', 'modulo', 'plus']),
  ...counted(1, 1, ['prepend', 'remove', 'remove_first', 'remove_last', 'split', 'times']),
  ...counted(1, 2, ['find', 'find_index', 'has', 'reject', 'replace', 'replace_first', 'slice', 'where']),
  ...counted(2, 2, ['replace_last']),
};

function counted(least: number, most: number, names: readonly string[]): Record<string, readonly [number, number]> {
  return Object.fromEntries(names.map((name) => [name, [least, most] as const]));
}

export const FILTER_NAMES: ReadonlySet<string> = new Set(Object.keys(ARGUMENTS));

/** Returns, as a sentence, why a filter cannot be called with this number of unnamed arguments. */
export function argumentFault(name: string, count: number): string | undefined {
  const [least, most] = ARGUMENTS[name] ?? [0, 0];
  if (count >= least && count <= most) return undefined;
  const countText = least === most ? `${most || 'no'}` : `${least} to ${most}`;
  return `The filter \`${name}\` takes ${countText} argument${most === 1 ? '' : 's'}, not ${count}.`;
}

/** Filters whose result is HTML already: an output that ends with one is not escaped a second time. */
export const ESCAPING_FILTERS: ReadonlySet<string> = new Set(['escape', 'escape_once', 'xml_escape', 'newline_to_br']);

/** Filters of liquidjs that would read an object as the text `[object Object]`. */
const OF_TEXTS: ReadonlySet<string> = new Set([
  ...['append', 'capitalize', 'downcase', 'lstrip', 'normalize_whitespace', 'number_of_words', 'prepend', 'remove'],
  ...['remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'rstrip', 'squish', 'strip'],
  ...['strip_html', 'strip_newlines', 'truncatewords', 'upcase', 'cgi_escape', 'slugify', 'uri_escape', 'url_decode'],
  ...['escape', 'escape_once', 'xml_escape', 'newline_to_br'],
]);

const ofText = (handler: FilterHandler): FilterHandler =>
  function (input, ...args) {
    const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
    if ([input, ...args].some((value) => isObject(toValue(value)))) throw new TypeError('An object has no text.');
    return handler.call(this, input instanceof WholeFraction ? String(input) : input, ...args);
  };

const identity: FilterHandler = (value) => value;

/**
 * Returns the handler of a filter. Plain text is not escaped, so the escaping filters return their value unchanged
 * there.
 */
export function filterHandler(name: string, html: boolean): FilterHandler {
  if (name === 'raw' || (!html && ESCAPING_FILTERS.has(name))) return identity;
  const ownFilter = OWN_FILTERS.get(name);
  if (ownFilter) return ownFilter;
  const handler = (liquidFilters as Record<string, unknown>)[name];
  if (!FILTER_NAMES.has(name) || typeof handler !== 'function') return identity;
  return OF_TEXTS.has(name) ? ofText(handler as FilterHandler) : (handler as FilterHandler);
}
