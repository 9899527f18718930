// The files that a document shows: a code block right after a line that consists only of a path in backticks.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const filePattern = /^`([\w./[\]-]+\.(?:ts|mjs|json))`\n\n```\w+\n(.*?)^```$/gms;

/** A file that a document shows, and its position in the document. */
export interface DocumentFile {
  readonly path: string;
  readonly code: string;
  readonly at: number;
}

/** The files that a document's text shows, in order. */
export const filesInDocument = (text: string): DocumentFile[] =>
  [...text.matchAll(filePattern)].map(({ 1: path = '', 2: code = '', index: at }) => ({ path, code, at }));

/** Writes a document's files below a folder. Returns their paths. */
export async function writeDocumentFiles(document: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, code } of filesInDocument(await readFile(document, 'utf8'))) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code);
    paths.push(path);
  }
  return paths;
}

/** The document's last ts block: the program that uses the document's files. */
export async function lastProgram(document: string): Promise<string> {
  const text = await readFile(document, 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '');
  return blocks.at(-1) ?? '';
}
