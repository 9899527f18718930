// The Node versions that Postrider supports, which .ci/run installs from npm in addition to the version that runs the tests. For
// test/package. Never downloads anything.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Node of one major version. */
export interface Runtime {
  readonly major: number;
  /** The path of its program. */
  readonly node: string;
}

const majors = [20, 22, 24, 26];
const ownMajor = Number.parseInt(process.versions.node, 10);

const programOf = (major: number): string =>
  major === ownMajor
    ? process.execPath
    : join(resolve('.'), 'node_modules/.cache/runtimes', String(major), 'node_modules/node/bin/node');

/** The installed versions. One line names the missing versions. @throws if POSTRIDER_TEST_SERVICES requires all */
export function installedRuntimes(): readonly Runtime[] {
  const missing = majors.filter((major) => !existsSync(programOf(major)));
  if (missing.length > 0) {
    const message = `Node ${missing.join(', ')}: not in node_modules/.cache/runtimes, where .ci/run installs them`;
    if (process.env.POSTRIDER_TEST_SERVICES === 'required') throw new Error(`There is no ${message}.`);
    console.log(`# left out: ${message}`);
  }
  return majors.filter((major) => !missing.includes(major)).map((major) => ({ major, node: programOf(major) }));
}
