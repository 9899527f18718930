// Finds Bun among the development dependencies. Its install script moves the program into the package bun; package managers may
// skip that script.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The path of the Bun executable. Prints a line and returns undefined if Bun is not available for this machine. */
export function bunProgram(): string | undefined {
  const name = process.platform === 'win32' ? 'bun.exe' : 'bun';
  const builds = [`bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`];
  const paths = [
    'node_modules/bun/bin/bun.exe',
    ...[...builds, ...builds.flatMap((build) => [`${build}-musl`, `${build}-baseline`])].map(
      (build) => `node_modules/@oven/${build}/bin/${name}`,
    ),
  ].map((path) => resolve(path));
  // Before the script has run, this path contains a few lines of shell.
  const program = paths.find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000);
  if (program === undefined) console.log('# left out: the tests on Bun (there is no Bun for this machine)');
  return program;
}
