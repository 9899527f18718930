// The built package in `dist`, for the tests that look at it as users get it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { typeCompiler } from './type-compiler.ts';

const run = promisify(execFile);
const root = resolve('.');

/** What a build is made from. */
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

/** When the files and folders below these were written, in milliseconds since the epoch. */
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

/** Whether `dist` was built after the last change of a source, as by the `npm ci` of a clean clone. */
export async function isBuilt(): Promise<boolean> {
  if (!existsSync(join(root, 'dist/core/index.js'))) return false;
  return Math.max(...(await timesOf(...sources))) < Math.min(...(await timesOf('dist')));
}

/** Writes what the package's `dist` holds to `folder`: a copy of what is built, or a build where a source is newer. */
export async function writeBuiltPackage(folder: string): Promise<void> {
  if (await isBuilt()) {
    await cp(join(root, 'dist'), folder, { recursive: true });
    return;
  }
  await run(process.execPath, [typeCompiler, '-p', 'tsconfig.build.json', '--outDir', folder]);
  const builder = join(root, 'test/support/build-package.ts');
  await run(process.execPath, ['--import', import.meta.resolve('tsx'), builder, folder]);
}
