// Finds the test files that the runner's arguments name, the settings in their leading comments (time limit, own process, full run
// only), and the files that share a process. Called by runner.ts.
// Never skips silently: an argument that matches no test becomes a complaint.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The files to run, and a sentence for each argument that matches no test. */
export interface Selection {
  files: string[];
  complaints: string[];
}

/** Resolves files and folders to `*.test.ts` files, each once, in a stable order. Paths stay relative to `root`. */
export function selectTestFiles(names: readonly string[], root: string): Selection {
  if (names.length === 0) return { files: [], complaints: ['Name at least one test file or folder.'] };
  const files = new Set<string>();
  const complaints: string[] = [];
  for (const name of names) {
    const path = join(root, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      complaints.push(`There is no file or folder named ${name}.`);
    } else if (stats.isDirectory()) {
      const foundFiles = testFilesIn(path);
      if (foundFiles.length === 0) complaints.push(`The folder ${name} has no test file: none in it ends in .test.ts.`);
      for (const file of foundFiles) files.add(relative(root, file));
    } else if (name.endsWith('.test.ts')) {
      files.add(relative(root, path));
    } else {
      complaints.push(`${name} is not a test file: its name does not end in .test.ts.`);
    }
  }
  return { files: [...files], complaints };
}

function testFilesIn(folder: string): string[] {
  const foundFiles: string[] = [];
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) foundFiles.push(...testFilesIn(path));
    } else if (entry.name.endsWith('.test.ts')) {
      foundFiles.push(path);
    }
  }
  return foundFiles;
}

/**
 * The maximum duration of a file in seconds. Its leading comment `// time-limit: 300` raises the default, and never lowers it.
 * Throws if such a comment contains no whole number.
 */
export function timeLimitOf(source: string, defaultSeconds: number): number {
  const comment = leadingComment(source, 'time-limit');
  if (comment === undefined) return defaultSeconds;
  const seconds = Number(comment);
  if (!Number.isInteger(seconds) || seconds < 1) throw new Error(`not a whole number of seconds: ${comment}`);
  return Math.max(seconds, defaultSeconds);
}

/** True if the leading comment `// own-process: why` keeps a file out of the groups. */
export function wantsOwnProcess(source: string): boolean {
  return leadingComment(source, 'own-process') !== undefined;
}

/**
 * Why a file runs only in the full run. `slow`: the quick run has no time for it. `long`: the full run has no time for it either,
 * except with POSTRIDER_TEST_LONG=1.
 */
const fullRunReasons = ['browser', 'fuzz', 'kill', 'long', 'packaging', 'slow'] as const;

export type FullRunReason = (typeof fullRunReasons)[number];

/** The reason in its leading comment `// full-run: slow`; undefined if the quick run includes the file. Throws on an unknown reason. */
export function fullRunOf(source: string): FullRunReason | undefined {
  const comment = leadingComment(source, 'full-run');
  if (comment === undefined) return undefined;
  const reason = fullRunReasons.find((word) => word === comment);
  if (reason === undefined) throw new Error(`full-run is one of ${fullRunReasons.join(', ')}, not ${comment}`);
  return reason;
}

function leadingComment(source: string, name: string): string | undefined {
  for (const line of source.split('\n')) {
    const comment = /^\s*\/\/(.*)$/.exec(line)?.[1]?.trim();
    if (comment === undefined) return undefined;
    if (comment.startsWith(`${name}:`)) return comment.slice(name.length + 1).trim();
  }
  return undefined;
}

/** The properties of a file that decide its order. */
export interface FileNeeds {
  /** Its time limit in seconds. */
  limit: number;
  /** True if the file runs in its own process. */
  alone: boolean;
}

/**
 * The processes to run, each with its files. Files with a raised time limit come first, the highest limit first, so that no slow file
 * runs alone at the end. The others keep their order. A process runs up to `size` of them, all from one folder.
 */
export function groupIntoProcesses(
  files: readonly string[],
  needsOf: (file: string) => FileNeeds,
  size: number,
): string[][] {
  const needs = new Map(files.map((file) => [file, needsOf(file)]));
  const limitOf = (file: string) => needs.get(file)?.limit ?? 0;
  const processes: string[][] = [];
  let group: string[] = [];
  for (const file of [...files].sort((a, b) => limitOf(b) - limitOf(a))) {
    if (needs.get(file)?.alone) {
      processes.push([file]);
      continue;
    }
    const [first] = group;
    if (first === undefined || group.length === size || dirname(first) !== dirname(file)) {
      group = [];
      processes.push(group);
    }
    group.push(file);
  }
  return processes;
}
