// Writes the files that `init` plans. Existing files are not overwritten; lines for git are appended to .gitignore.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { PlannedFile } from './files.ts';

/** The outcome for a file. */
export interface WriteResult {
  readonly path: string;
  readonly note: string;
  readonly written: boolean;
}

/** Writes a file unless it exists. */
export async function writeNew(cwd: string, { path, note, content }: PlannedFile): Promise<WriteResult> {
  const file = join(cwd, path);
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, content, { flag: 'wx' });
    return { path, note, written: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { path, note: 'exists already', written: false };
  }
}

/** Adds the missing paths to .gitignore. */
export async function addIgnored(cwd: string, paths: readonly string[]): Promise<WriteResult> {
  const file = join(cwd, '.gitignore');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const lines = new Set(text?.split('\n').map((line) => line.trim().replace(/^\//, '')));
  const missing = paths.filter((path) => ![path, path.replace(/\/$/, ''), `${path}*`].some((line) => lines.has(line)));
  if (missing.length === 0) return { path: '.gitignore', note: `has ${paths.join(', ')} already`, written: false };
  const end = text?.includes('\r\n') ? '\r\n' : '\n';
  const separator = text === undefined || text === '' || text.endsWith('\n') ? '' : end;
  await appendFile(file, separator + missing.map((path) => path + end).join(''));
  return { path: '.gitignore', note: missing.join(', '), written: true };
}

/** Whether a file of variables assigns this variable. */
export async function assigns(cwd: string, path: string, name: string): Promise<boolean> {
  const text = await readFile(join(cwd, path), 'utf8').catch(() => '');
  return Object.hasOwn(parseEnv(text), name);
}
