// The Bun of the development dependencies. Its install script moves the program into the package bun; package managers may leave
// that script out.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Its program; undefined where there is none for this machine, and then a line says so. */
export function bunProgram(): string | undefined {
  const name = process.platform === 'win32' ? 'bun.exe' : 'bun';
  const builds = [`bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`];
  const places = [
    'node_modules/bun/bin/bun.exe',
    ...[...builds, ...builds.flatMap((build) => [`${build}-musl`, `${build}-baseline`])].map(
      (build) => `node_modules/@oven/${build}/bin/${name}`,
    ),
  ].map((path) => resolve(path));
  // What stands there before the script has run is a few lines of shell.
  const found = places.find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000);
  if (found === undefined) console.log('# left out: the tests on Bun (there is no Bun for this machine)');
  return found;
}
