// The tool that an unknown name probably meant: models guess another verb for the same thing more often than they mistype. Called by
// tool-call.ts.
import { didYouMean } from '../contract/suggestion.ts';

/** What else a job is called, in the order of likelihood. */
const verbs: ReadonlyMap<string, readonly string[]> = new Map([
  ['add', ['create', 'upsert']],
  ['change', ['update']],
  ['create', ['upsert', 'add']],
  ['delete', ['archive', 'cancel']],
  ['edit', ['update']],
  ['fetch', ['read', 'list']],
  ['find', ['list', 'read']],
  ['get', ['read', 'list']],
  ['make', ['create', 'upsert']],
  ['remove', ['delete', 'archive']],
  ['search', ['list']],
  ['show', ['read', 'list']],
  ['update', ['upsert']],
]);

/** The same name with another verb, in the singular or the plural. */
function* otherwise(name: string): Generator<string> {
  const [verb = '', ...rest] = name.toLowerCase().split('_');
  const thing = rest.join('_');
  const things = [thing, thing.endsWith('s') ? thing.slice(0, -1) : `${thing}s`];
  for (const other of verbs.get(verb) ?? []) for (const one of things) yield `${other}_${one}`;
}

/** ` Did you mean …?`, or an empty text. */
export function nearTool(name: string, offered: readonly string[]): string {
  const known = new Set(offered);
  for (const other of otherwise(name)) if (known.has(other)) return ` Did you mean ${other}?`;
  return didYouMean(name, offered);
}
