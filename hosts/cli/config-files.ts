// The project's own files of which its config consists: the config, the files that it imports by relative paths, and so on. Reads
// text only, so that it works on files that cannot be loaded. Called by config.ts, and by supervise.ts to watch the files.
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g;
const endings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];
const maxEntries = 500;

/** The files to which an import path may refer: as written, with an added ending, or a TypeScript file for a .js path. */
function* candidatesOf(path: string): Generator<string> {
  for (const ending of endings) yield path + ending;
  if (/\.[mc]?js$/.test(path)) yield path.replace(/js$/, 'ts');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Absolute paths with their current content. Missing files, and files outside the project, are left out. */
export async function configFiles(config: string, cwd: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const environment = join(cwd, '.env');
  const text = await readIfThere(environment);
  if (text !== undefined) found.set(environment, text);
  const waiting = [config];
  for (let path = waiting.pop(); path !== undefined && found.size < maxEntries; path = waiting.pop()) {
    for (const candidate of candidatesOf(path)) {
      if (found.has(candidate)) break;
      const content = await readIfThere(candidate);
      if (content === undefined) continue;
      found.set(candidate, content);
      for (const [, , specifier = ''] of content.matchAll(specifiers))
        waiting.push(resolve(dirname(candidate), specifier));
      break;
    }
  }
  return found;
}
