// Finds the tool that an unknown name probably meant: models more often guess another verb for the same thing than mistype a
// name. Called by tool-call.ts.
import { didYouMean } from '../contract/errors/suggestion.ts';

/** Other verbs for a verb, the most likely first. */
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

/** The same name with other verbs, in the singular and the plural. */
function* otherwise(name: string): Generator<string> {
  const [verb = '', ...rest] = name.toLowerCase().split('_');
  const thing = rest.join('_');
  const things = [thing, thing.endsWith('s') ? thing.slice(0, -1) : `${thing}s`];
  for (const other of verbs.get(verb) ?? []) for (const one of things) yield `${other}_${one}`;
}

/** ` Did you mean …?`, or an empty text. */
export function nearestTool(name: string, offered: readonly string[]): string {
  const offeredNames = new Set(offered);
  for (const other of otherwise(name)) if (offeredNames.has(other)) return ` Did you mean ${other}?`;
  return didYouMean(name, offered);
}
