// Writes the files that `init` plans. Existing files are not overwritten; a line for git is added at the end of its
// file.
import { access, appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PlannedFile } from './files.ts';

/** The outcome for a file. */
export interface Outcome {
  readonly path: string;
  readonly what: string;
  readonly written: boolean;
}

/** Writes a file unless it exists. */
export async function writeNew(cwd: string, { path, what, content }: PlannedFile): Promise<Outcome> {
  const file = join(cwd, path);
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, content, { flag: 'wx' });
    return { path, what, written: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { path, what: 'is there already', written: false };
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Adds what is missing to .gitignore, where git is used. */
export async function addIgnored(cwd: string, paths: readonly string[]): Promise<Outcome | undefined> {
  const file = join(cwd, '.gitignore');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined && !(await isThere(join(cwd, '.git')))) return undefined;
  const lines = new Set(text?.split('\n').map((line) => line.trim().replace(/^\//, '')));
  const missing = paths.filter((path) => ![path, path.replace(/\/$/, ''), `${path}*`].some((line) => lines.has(line)));
  if (missing.length === 0) return { path: '.gitignore', what: `has ${paths.join(', ')} already`, written: false };
  const end = text?.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === undefined || text === '' || text.endsWith('\n') ? '' : end;
  await appendFile(file, gap + missing.map((path) => path + end).join(''));
  return { path: '.gitignore', what: missing.join(', '), written: true };
}
