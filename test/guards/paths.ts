// The rules for names of files and folders, and for the lock file. Called by the guard of the house.
import type { Fault } from './sources.ts';

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const document = /^[A-Z][A-Z-]*\.md$/;
const vagueNames = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers', 'base', 'misc']);
const abbreviatedWords = new Set([
  'cfg',
  'conf',
  'mgr',
  'impl',
  'svc',
  'msg',
  'str',
  'num',
  'tmp',
  'lib',
  'req',
  'res',
]);

/** The faults in a list of paths, at most one per file. Fixtures of tests may have any name. */
export function pathFaults(paths: readonly string[]): Fault[] {
  return paths.flatMap((path) => {
    const segments = path.split('/');
    if (segments.includes('fixtures')) return [];
    for (const segment of segments) {
      if (document.test(segment)) continue;
      if (!kebab.test(segment)) return [{ path, rule: `Files and folders are kebab-case: ${segment} is not.` }];
      const words = segment.split(/[-.]/);
      const empty = words.find((word) => vagueNames.has(word));
      if (empty !== undefined) return [{ path, rule: `A name says what is in it: "${empty}" does not.` }];
      const short = words.find((word) => abbreviatedWords.has(word));
      if (short !== undefined) return [{ path, rule: `Names are not abbreviated: "${short}" is.` }];
    }
    return [];
  });
}

/** Faults for registry addresses in a lock file, which must also work with another registry. */
export function lockFaults(path: string, source: string): Fault[] {
  const rule =
    'A lock file must not contain registry addresses: run npm install with omit-lockfile-registry-resolved=true (.npmrc).';
  return source
    .split('\n')
    .flatMap((text, index) => (/"resolved": *"https?:/.test(text) ? [{ path, line: index + 1, rule }] : []));
}
