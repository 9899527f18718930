// Finds the test files that a change reaches. Called by the runner for `npm test -- --changed`. If unsure, it names more files.
// The change is the difference from the newest commit that this branch shares with origin/main or main, and the files that are
// unknown to Git. A file reaches the paths in its strings: the files that it imports, starts or reads, by a path from its own folder or
// from the root. A folder's path reaches all files below it. Documents reach the files that they name, too.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectSelfNames, type SelfNames } from '../guards/imports.ts';

/** Files that every test depends on. */
const filesOfAllTests = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'test/support/group-process.ts',
]);

/** The package's own sources. They read no other files; tests and documents that they name are information for people. */
const packagePath = /^(?:core|plugins|adapters|hosts)(?:\/|$)/;

/**
 * The list of all plugins. A bench composes them all although it tests one plugin: through this list, a change in a plugin reaches
 * only tests that import the list themselves.
 */
const allPlugins = 'plugins/index.ts';
const isBench = (file: string): boolean => file.startsWith('test/') && !file.endsWith('.test.ts');

/** Files that are searched for names. */
const isRead = (file: string): boolean => /\.(ts|tsx|mts|js|mjs|md)$/.test(file) && !file.endsWith('.gen.ts');

/** The test files under `root` that the current change reaches, by their paths from `root`. */
export async function reachedFiles(root: string): Promise<ReadonlySet<string>> {
  const changed = changedFiles(root);
  const tracked = gitPaths(root, ['ls-files', '--cached', '--others', '--exclude-standard']);
  const existing = tracked.filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile());
  const sources = new Map(existing.filter(isRead).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  return testFilesReached(changed, existing, sources, projectSelfNames());
}

/** The changed files, including deleted files. */
export function changedFiles(root: string): string[] {
  const known = gitPaths(root, ['diff', '--name-only', baseOf(root)]);
  return [...new Set([...known, ...gitPaths(root, ['ls-files', '--others', '--exclude-standard'])])];
}

/** The test files that `changed` reaches. `files` contains all files, `sources` the texts of the files that may name others. */
export function testFilesReached(
  changed: readonly string[],
  files: readonly string[],
  sources: ReadonlyMap<string, string>,
  selfNames: SelfNames,
): Set<string> {
  const known = new Set([...files, ...changed]);
  const paths = new Set([...known, ...[...known].flatMap(foldersOf)]);
  const namedBy = new Map<string, string[]>();
  for (const [file, source] of sources)
    for (const name of namesIn(file, source, paths, selfNames)) {
      const by = namedBy.get(name);
      if (by === undefined) namedBy.set(name, [file]);
      else by.push(file);
    }
  const reached = new Set(changed);
  // Iterating a set includes the items that are added meanwhile.
  for (const file of reached) {
    const isPassedOn = file !== allPlugins || changed.includes(file);
    for (const name of [file, ...foldersOf(file)])
      for (const by of namedBy.get(name) ?? []) if (isPassedOn || !isBench(by)) reached.add(by);
  }
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const all = [...reached].some((file) => filesOfAllTests.has(file));
  return new Set(all ? tests : tests.filter((file) => reached.has(file)));
}

/** The files and folders that a file names. */
function namesIn(file: string, source: string, paths: ReadonlySet<string>, selfNames: SelfNames): Set<string> {
  const folderOfFile = posix.dirname(file);
  const code = source.replace(typesOnly, '').replace(comments, '');
  const names = new Set<string>();
  const isTest = file.startsWith('test/');
  const add = (path: string): void => {
    const name = posix.normalize(path).replace(/\/$/, '');
    // The file's own folder is not a name: relative paths start there.
    if (!paths.has(name) || name === file || folderOfFile.startsWith(name)) return;
    if (packagePath.test(name) || !packagePath.test(file)) names.add(name);
  };
  for (const [path] of code.matchAll(/[\w@.-]+(?:\/[\w@.-]+)*\/[\w@.-]*\w/g)) add(path);
  if (file.endsWith('.md')) return names;
  for (const [, text = ''] of code.matchAll(/['"`]([\w@./-]+\$?)/g)) {
    // For a template string, use the folder in its fixed beginning.
    const path = text.endsWith('$') ? posix.dirname(`${text}.`) : text;
    add(selfNames(path) ?? posix.join(folderOfFile, path));
    // In a test, a single word may be a folder of the root.
    if (isTest || path.includes('.')) add(path);
  }
  return names;
}

/** Imports and exports that do not exist at run time. */
const typesOnly = /^(?:im|ex)port type [^;]*?;$/gm;
const comments = /^ *(?:\/\/|\/?\*).*$/gm;

/** The folders above a path, without the root. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

function baseOf(root: string): string {
  for (const branch of ['origin/main', 'main']) {
    try {
      return execFileSync('git', ['merge-base', 'HEAD', branch], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
    } catch {
      // The branch does not exist here.
    }
  }
  return 'HEAD';
}

const gitPaths = (root: string, command: readonly string[]): string[] =>
  execFileSync('git', [...command, '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\0')
    .filter(Boolean);
