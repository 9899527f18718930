// Bundles the sources into a few JavaScript files with esbuild: for the package, and for tests that start many processes.
// Used by build-package.ts and compiled.ts.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** The repository. */
export const root = resolve(import.meta.dirname, '../..');

/** The sources below these folders, without browser sources. Paths from the root, sorted. */
export async function sourceFiles(folders: readonly string[]): Promise<string[]> {
  const filesByFolder = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => /(?<!\.d)\.ts$/.test(name) && !/(^|\/)(browser|node_modules)\//.test(name))
        .map((name) => join(folder, name)),
    ),
  );
  return filesByFolder.flat().sort();
}

/** The fields of package.json that the bundle reads. */
export interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export const readManifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;

/** The sources of the package's exports and programs, found by `exports` and `bin` in package.json. */
export async function packageEntries(): Promise<string[]> {
  const { bin, exports } = await readManifest();
  const targets = [
    ...Object.values(exports).map((entry) => (typeof entry === 'string' ? entry : entry.default)),
    ...Object.values(bin),
  ];
  const patterns = targets.flatMap((target) => {
    const [, path] = /^(?:\.\/)?dist\/(.+)\.js$/.exec(target) ?? [];
    return path === undefined ? [] : [new RegExp(`^${path.replaceAll('.', '\\.').replace('*', '.+')}\\.ts$`)];
  });
  const files = await sourceFiles(['core', 'plugins', 'adapters', 'hosts']);
  const isPart = partsAmong(files);
  return files.filter((file) => patterns.some((pattern) => pattern.test(file)) && !isPart(file));
}

/**
 * Recognises files that match the patterns of `exports` but that programs do not import: folders of a plugin other than its port and its
 * test kit, and parts of an adapter, such as `sqlite-writer.ts` beside `sqlite.ts`. A connector is not a part of an adapter.
 */
function partsAmong(files: readonly string[]): (file: string) => boolean {
  const all = new Set(files);
  return (file) => {
    if (/^plugins\/[^/]+\/(?!(?:port|testing)\/index)[^/]+\/index\.ts$/.test(file)) return true;
    if (!/^adapters\/(?!kit\/)/.test(file) || file.endsWith('-connector.ts')) return false;
    const [first = '', ...words] = file.replace(/\.ts$/, '').split('-');
    return words.some((_, count) => all.has(`${[first, ...words.slice(0, count)].join('-')}.ts`));
  };
}

/**
 * Options for bundles in which all entries share one copy of each module. Each entry keeps its path. Functions and classes keep their
 * names, and source maps point to the sources.
 */
export const bundleOptions = {
  absWorkingDir: root,
  outbase: '.',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  sourcemap: 'linked',
  logLevel: 'silent',
} as const satisfies BuildOptions;
