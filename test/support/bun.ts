// The Bun of the development dependencies, without its install script, which package managers may leave out.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Its program; undefined where there is none for this machine, and then a line says so. */
export function bunProgram(): string | undefined {
  const name = process.platform === 'win32' ? 'bun.exe' : 'bun';
  const builds = [`bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`];
  const found = [...builds, ...builds.flatMap((build) => [`${build}-musl`, `${build}-baseline`])]
    .map((build) => resolve('node_modules/@oven', build, 'bin', name))
    .find((path) => existsSync(path));
  if (found === undefined) console.log('# left out: the tests on Bun (there is no Bun for this machine)');
  return found;
}
