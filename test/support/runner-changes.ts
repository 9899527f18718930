// The test files that a change reaches. Called by the runner for `npm test -- --changed`. When unsure it names more.
// Changed is what differs from the newest commit that this branch shares with origin/main or main, and what Git does not
// know yet. A file reaches what it names in a string: what it imports, starts or reads, by a path from its own folder or from the
// root; by a folder it reaches all below it. Documents reach what they name, too.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectSelfNames, type SelfNames } from '../guards/imports.ts';

/** Files that every test depends on. */
const ofAll = new Set(['package.json', 'package-lock.json', 'tsconfig.json', 'test/support/group-process.ts']);

/** The package's own sources, which read nothing else; what they say of tests and documents is for people. */
const isPackage = /^(?:core|plugins|adapters|hosts)(?:\/|$)/;

/**
 * The list of all plugins. A bench composes them all for the sake of one: what changes in one reaches through this list only
 * tests that compose them by themselves.
 */
const allPlugins = 'plugins/index.ts';
const isBench = (file: string): boolean => file.startsWith('test/') && !file.endsWith('.test.ts');

/** What is read for the names in it. */
const isRead = (file: string): boolean => /\.(ts|tsx|mts|js|mjs|md)$/.test(file) && !file.endsWith('.gen.ts');

/** The test files under `root` that the present change reaches, by their paths from there. */
export async function reachedFiles(root: string): Promise<ReadonlySet<string>> {
  const changed = changedFiles(root);
  const tracked = gitPaths(root, ['ls-files', '--cached', '--others', '--exclude-standard']);
  const existing = tracked.filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile());
  const sources = new Map(existing.filter(isRead).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  return testFilesReached(changed, existing, sources, projectSelfNames());
}

/** The changed files, those that are gone included. */
export function changedFiles(root: string): string[] {
  const known = gitPaths(root, ['diff', '--name-only', baseOf(root)]);
  return [...new Set([...known, ...gitPaths(root, ['ls-files', '--others', '--exclude-standard'])])];
}

/**
 * The test files that `changed` reaches. `files` are all there are, `sources` the texts of those that may name others.
 */
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
  // A set's iteration has what is added to it on the way.
  for (const file of reached) {
    const isPassedOn = file !== allPlugins || changed.includes(file);
    for (const name of [file, ...foldersOf(file)])
      for (const by of namedBy.get(name) ?? []) if (isPassedOn || !isBench(by)) reached.add(by);
  }
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const all = [...reached].some((file) => ofAll.has(file));
  return new Set(all ? tests : tests.filter((file) => reached.has(file)));
}

/** The files and folders that a file names. */
function namesIn(file: string, source: string, paths: ReadonlySet<string>, selfNames: SelfNames): Set<string> {
  const here = posix.dirname(file);
  const code = source.replace(typesOnly, '').replace(comments, '');
  const names = new Set<string>();
  const isTest = file.startsWith('test/');
  const add = (path: string): void => {
    const name = posix.normalize(path).replace(/\/$/, '');
    // The folder that it lies in names nothing: it is where paths start.
    if (!paths.has(name) || name === file || here.startsWith(name)) return;
    if (isPackage.test(name) || !isPackage.test(file)) names.add(name);
  };
  for (const [path] of code.matchAll(/[\w@.-]+(?:\/[\w@.-]+)*\/[\w@.-]*\w/g)) add(path);
  if (file.endsWith('.md')) return names;
  for (const [, text = ''] of code.matchAll(/['"`]([\w@./-]+\$?)/g)) {
    // What a template begins with is a folder.
    const path = text.endsWith('$') ? posix.dirname(`${text}.`) : text;
    add(selfNames(path) ?? posix.join(here, path));
    // A word alone is a folder of the root where tests say it.
    if (isTest || path.includes('.')) add(path);
  }
  return names;
}

/** What is gone at run time. */
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
      // There is no such branch here.
    }
  }
  return 'HEAD';
}

const gitPaths = (root: string, command: readonly string[]): string[] =>
  execFileSync('git', [...command, '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\0')
    .filter(Boolean);
