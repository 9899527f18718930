// Removes the declarations that no entry of the package leads to: no program can import them, and they would be half of what is
// installed. Called by build-package.ts, after tsc has written them.
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageEntries } from './bundle.ts';

/** What a declaration imports, exports again or extends from files beside it. */
const named = /(?:\bfrom|\bimport\(|\bimport|\bdeclare module)\s*(['"])(\.{1,2}\/[^'"]+)\1/g;

/** `./a.js` and `./a.ts` as the declaration that stands for them. */
const declarationOf = (path: string): string => path.replace(/(?:\.d)?\.[jt]s$/, '.d.ts');

/** @throws Error for a declaration that is named and is not there */
export async function pruneDeclarations(folder: string): Promise<void> {
  const reached = new Set((await packageEntries()).map(declarationOf));
  // A set gives what is added while it is walked, too.
  for (const path of reached) {
    const text = await readFile(join(folder, path), 'utf8');
    for (const [, , name = ''] of text.matchAll(named)) reached.add(declarationOf(join(dirname(path), name)));
  }
  const files = await readdir(folder, { recursive: true });
  for (const path of files) if (path.endsWith('.d.ts') && !reached.has(path)) await rm(join(folder, path));
}
