// The rules for the pages and entries that plugins add to the console. Called by registry.ts.
import type { ConsoleEntry } from '../contract/declaration/console.ts';
import type { Plugin } from '../contract/declaration/plugin.ts';

const pagePathPattern = /^[a-z0-9-]+(\/([a-z0-9-]+|\{\w+\})){0,3}$/;

/** The name by which two entries collide: a path without the names of its parameters, or the path of a page elsewhere. */
export const consoleEntryName = (entry: ConsoleEntry): string =>
  'path' in entry ? entry.path.replace(/\{\w+\}/g, '{}') : entry.url;

/** Every reason why the plugin's entries cannot be composed. */
export function consoleEntryFaults(
  { id, console: entries, publicRoutes }: Pick<Plugin, 'id' | 'console' | 'publicRoutes'>,
  scopes: ReadonlySet<string>,
): string[] {
  return entries.flatMap((entry) => {
    const label = `The console page ${consoleEntryName(entry)} of ${id}`;
    const faults: string[] = [];
    if (entry.area.trim() === '' || entry.title.trim() === '') faults.push(`${label} has no area or no title.`);
    if ('path' in entry && entry.scopes.length === 0)
      faults.push(`${label} names no scope: name the scopes that its reader needs.`);
    for (const scope of [...entry.scopes, ...('unless' in entry ? entry.unless : [])])
      if (!scopes.has(scope)) faults.push(`${label} names the undeclared scope ${scope}.`);
    if ('path' in entry) {
      if (!pagePathPattern.test(entry.path))
        faults.push(
          `${label} has an invalid path: give one to four segments without a slash at the ends, such as notes/{noteId}.`,
        );
    } else if (!publicRoutes.some(({ method, path }) => method === 'GET' && path === entry.url))
      faults.push(`${label} leads to ${entry.url}, which is not a public route of ${id}.`);
    return faults;
  });
}
