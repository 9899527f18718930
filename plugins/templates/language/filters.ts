/**
 * The filters of the language: liquidjs's own, except those that evaluate a text as an expression, use randomness or
 * hash. expression.ts calls them and charges every call by size; some of liquidjs's filters do not charge at all.
 */

import type { Context } from 'liquidjs';
import { filters as liquidFilters } from 'liquidjs';

/** The value that liquidjs binds to a filter's `this`. */
export interface FilterScope {
  context: Context;
  liquid: unknown;
  token: undefined;
}

export type FilterHandler = (this: FilterScope, value: unknown, ...args: unknown[]) => unknown;

/** All filters that a template may use. */
export const FILTER_NAMES: ReadonlySet<string> = new Set([
  ...['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor', 'minus', 'modulo', 'plus', 'round', 'times'],
  ...['append', 'capitalize', 'downcase', 'lstrip', 'normalize_whitespace', 'number_of_words', 'prepend', 'remove'],
  ...['remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'rstrip', 'slice', 'split', 'squish'],
  ...['strip', 'strip_html', 'strip_newlines', 'truncate', 'truncatewords', 'upcase', 'array_to_sentence_string'],
  ...['compact', 'concat', 'find', 'first', 'join', 'last', 'map', 'reject', 'reverse', 'size', 'sort'],
  ...['sort_natural', 'sum', 'uniq', 'where', 'date', 'date_to_long_string', 'date_to_rfc822', 'date_to_string'],
  ...['date_to_xmlschema', 'default', 'json', 'raw', 'to_integer', 'cgi_escape', 'slugify', 'uri_escape', 'url_decode'],
  ...['url_encode', 'escape', 'escape_once', 'xml_escape', 'newline_to_br'],
]);

/** Filters whose result is HTML already: an output that ends with one is not escaped a second time. */
export const ESCAPING_FILTERS: ReadonlySet<string> = new Set(['escape', 'escape_once', 'xml_escape', 'newline_to_br']);

const identity: FilterHandler = (value) => value;

/** The handler of a filter. Plain text is not escaped: there the escaping filters return their value unchanged. */
export function filterHandler(name: string, html: boolean): FilterHandler {
  if (name === 'raw' || (!html && ESCAPING_FILTERS.has(name))) return identity;
  const handler = (liquidFilters as Record<string, unknown>)[name];
  return FILTER_NAMES.has(name) && typeof handler === 'function' ? (handler as FilterHandler) : identity;
}
