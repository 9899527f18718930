// The source tree for the guards: paths and texts, read once, and the reporting of faults. Called by every guard.
// Never changes a file. A missing folder counts as empty.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A file of the project: its path from the root with forward slashes, and its text. */
export interface SourceText {
  path: string;
  source: string;
}

/** A broken rule, and where it is broken. */
export interface Fault {
  path: string;
  /** Counted from 1; absent if the whole file is at fault. */
  line?: number;
  /** The rule, as a sentence that says what to do. */
  rule: string;
}

/** The project's root folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folders that contain the project's code. */
export const codeFolders = ['core', 'plugins', 'adapters', 'hosts', 'examples', 'test'] as const;

const code = /\.(ts|mts|js|mjs)$/;

/** The paths of all files in `folders`, without node_modules, dist and names that start with a dot. */
export function listFiles(folders: readonly string[] = codeFolders): string[] {
  return folders.flatMap(filesUnder);
}

/** The hand-written code files in `folders`. */
export function readSources(folders: readonly string[] = codeFolders): SourceText[] {
  return listFiles(folders)
    .filter((path) => code.test(path) && !path.endsWith('.gen.ts'))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
}

function filesUnder(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

const parsedFiles = new WeakMap<SourceText, ts.SourceFile>();

/** The syntax tree of a file. Each file is parsed once. */
export function parse(file: SourceText): ts.SourceFile {
  let tree = parsedFiles.get(file);
  if (tree === undefined) {
    tree = ts.createSourceFile(file.path, file.source, ts.ScriptTarget.Latest, true);
    parsedFiles.set(file, tree);
  }
  return tree;
}

/** Visits `node` and every node below it. */
export function visit(node: ts.Node, visitNode: (node: ts.Node) => void): void {
  visitNode(node);
  ts.forEachChild(node, (child) => visit(child, visitNode));
}

/** The line that contains `position`, counted from 1. */
export function lineAt(tree: ts.SourceFile, position: number): number {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
}

/** Throws if there are faults. The error names the file and the rule of each. */
export function assertNoFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, line, rule }) => `${path}${line ? `:${line}` : ''}  ${rule}`);
  const error = new Error(lines.join('\n    '));
  // The message is complete, and uvu would print it again as the head of the stack.
  error.stack = error.name;
  throw error;
}

/** Throws unless `faults` has exactly one fault in each of `places` (`path` or `path:line`), in that order. */
export function assertFaultsAt(faults: readonly Fault[], expectedFaults: readonly string[]): void {
  const foundPlaces = faults.map(({ path, line }) => (line ? `${path}:${line}` : path));
  if (foundPlaces.join('\n') === expectedFaults.join('\n')) return;
  const list = (lines: readonly string[]) => lines.join(', ') || 'none';
  throw new Error(`expected faults at ${list(expectedFaults)}; found them at ${list(foundPlaces)}`);
}
