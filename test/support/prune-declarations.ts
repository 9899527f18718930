// Removes the declarations to which no entry of the package refers: no program can import them, and they would be half of the installed
// files. Called by build-package.ts, after tsc has written them.
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageEntries } from './bundle.ts';

/** Matches the files that a declaration imports, re-exports or augments with relative paths. */
const relativeImport = /(?:\bfrom|\bimport\(|\bimport|\bdeclare module)\s*(['"])(\.{1,2}\/[^'"]+)\1/g;

/** Comments, whose examples may import files that do not exist. */
const comment = /^\s*\/\*\*[\s\S]*?\*\//gm;

/** The declaration file for `./a.js` or `./a.ts`. */
const declarationOf = (path: string): string => path.replace(/(?:\.d)?\.[jt]s$/, '.d.ts');

/** Removes unused declarations from `folder`. @throws Error if a file refers to a declaration that does not exist */
export async function pruneDeclarations(folder: string): Promise<void> {
  const reachable = new Set((await packageEntries()).map(declarationOf));
  // Iterating a set includes the items that are added meanwhile.
  for (const path of reachable) {
    const text = (await readFile(join(folder, path), 'utf8')).replaceAll(comment, '');
    for (const [, , name = ''] of text.matchAll(relativeImport))
      reachable.add(declarationOf(join(dirname(path), name)));
  }
  const files = await readdir(folder, { recursive: true });
  for (const path of files) if (path.endsWith('.d.ts') && !reachable.has(path)) await rm(join(folder, path));
}
