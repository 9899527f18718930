// The project's own files that form its config: the config itself, and the files that it imports by relative paths, recursively. Reads
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
  const filesByPath = new Map<string, string>();
  const environment = join(cwd, '.env');
  const text = await readIfThere(environment);
  if (text !== undefined) filesByPath.set(environment, text);
  const pathsToRead = [config];
  for (let path = pathsToRead.pop(); path !== undefined && filesByPath.size < maxEntries; path = pathsToRead.pop()) {
    for (const candidate of candidatesOf(path)) {
      if (filesByPath.has(candidate)) break;
      const content = await readIfThere(candidate);
      if (content === undefined) continue;
      filesByPath.set(candidate, content);
      for (const [, , specifier = ''] of content.matchAll(specifiers))
        pathsToRead.push(resolve(dirname(candidate), specifier));
      break;
    }
  }
  return filesByPath;
}
