// The built package in `dist`, for tests that check the package as users install it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { typeCompiler } from './type-compiler.ts';

const run = promisify(execFile);
const root = resolve('.');

/** The inputs of a build. */
const sources = [
  'core',
  'plugins',
  'adapters',
  'hosts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'test/support/build-package.ts',
  'test/support/bundle.ts',
  'test/support/prune-declarations.ts',
];

/** The modification times of the files and folders below these names, in milliseconds since the epoch. */
async function timesOf(...names: readonly string[]): Promise<number[]> {
  const paths = await Promise.all(
    names.map(async (name) => {
      const path = join(root, name);
      const isFolder = (await stat(path)).isDirectory();
      return [path, ...(isFolder ? (await readdir(path, { recursive: true })).map((inner) => join(path, inner)) : [])];
    }),
  );
  return Promise.all(paths.flat().map(async (path) => (await stat(path)).mtimeMs));
}

/** True if `dist` was built after the last change of a source, for example by `npm ci` in a clean clone */
export async function isBuilt(): Promise<boolean> {
  if (!existsSync(join(root, 'dist/core/index.js'))) return false;
  return Math.max(...(await timesOf(...sources))) < Math.min(...(await timesOf('dist')));
}

/** Writes the content of the package's `dist` to `folder`: copies `dist`, or builds it if a source is newer. */
export async function writeBuiltPackage(folder: string): Promise<void> {
  if (await isBuilt()) {
    await cp(join(root, 'dist'), folder, { recursive: true });
    return;
  }
  await run(process.execPath, [typeCompiler, '-p', 'tsconfig.build.json', '--outDir', folder]);
  const builder = join(root, 'test/support/build-package.ts');
  await run(process.execPath, ['--import', import.meta.resolve('tsx'), builder, folder]);
}
