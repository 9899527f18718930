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
function* namesWithOtherVerbs(name: string): Generator<string> {
  const [verb = '', ...otherWords] = name.toLowerCase().split('_');
  const object = otherWords.join('_');
  const objects = [object, object.endsWith('s') ? object.slice(0, -1) : `${object}s`];
  for (const otherVerb of verbs.get(verb) ?? []) for (const noun of objects) yield `${otherVerb}_${noun}`;
}

/** ` Did you mean …?`, or an empty text. */
export function nearestTool(name: string, offered: readonly string[]): string {
  const offeredNames = new Set(offered);
  for (const candidate of namesWithOtherVerbs(name))
    if (offeredNames.has(candidate)) return ` Did you mean ${candidate}?`;
  return didYouMean(name, offered);
}
