// Writes the generated files of the reference: `npm run docs`, after an operation, an error, a scope or the page changed.
import { readFile, writeFile } from 'node:fs/promises';
import { referenceFiles } from './reference-files.ts';

for (const { path, content } of await referenceFiles()) {
  const before = await readFile(path, 'utf8').catch(() => '');
  if (before !== content) await writeFile(path, content);
  console.log(`${before === content ? 'unchanged' : 'written  '} ${path}`);
}
