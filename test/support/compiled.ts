// The sources, compiled into a few JavaScript files, and their declarations. A process starts three times faster from these files. They
// are compiled once for each state of the sources and stored in node_modules/.cache, where packages can be found. Used by tests that
// start many processes or check programs, and by the runner for the test files themselves.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Plugin } from 'esbuild';
import { isBuilt } from './built-package.ts';
import { bundleOptions, packageEntries, root, sourceFiles } from './bundle.ts';
import { typeCompiler } from './type-compiler.ts';

const run = promisify(execFile);

const cache = join(root, 'node_modules/.cache/postrider-compiled');
const folders = ['core', 'plugins', 'adapters', 'hosts', 'test', 'examples'];

/** The programs that fault tests start. */
const faultPrograms = /^test\/faults\/.*-process\.ts$/;

async function stateOf(files: readonly string[], entryPoints: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(`${root}\0${entryPoints.join('\0')}\n`);
  for (const file of ['tsconfig.json', ...files]) {
    const { mtimeMs, size } = await stat(join(root, file));
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** The entry files of worker threads and child processes. */
const threadPrograms = [
  'plugins/templates/compiler/compile-worker.ts',
  'plugins/qr/decode/decode-worker.ts',
  'core/pictures/picture-process.ts',
  'core/pages/markdown/markdown-worker.ts',
];

/**
 * Makes compiled code use the path of its source as its own: data files are beside the source, and processes start from there. Code in
 * the folder of a thread's entry file uses its compiled path instead, because plain Node.js cannot run the TypeScript entry file.
 */
const ownPaths = (target: string): Plugin => ({
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return { contents: source, loader: 'ts' };
      const compiledPath = join(target, relative(root, path)).replace(/\.ts$/, '.js');
      const startsThreads = threadPrograms.some((program) => dirname(path) === dirname(join(root, program)));
      const visiblePath = startsThreads ? compiledPath : path;
      const [url, filename, folder] = [pathToFileURL(visiblePath).href, visiblePath, dirname(visiblePath)].map((text) =>
        JSON.stringify(text),
      );
      const ownConstants = `const own_url = ${url}, own_filename = ${filename}, own_dirname = ${folder};`;
      return { contents: `${ownConstants}${source}`, loader: 'ts' };
    });
  },
});

/** Packages of hundreds of small modules, which every process would otherwise find and read one by one */
const bundledPackages = /^(kysely|libphonenumber-js|zod)(\/|$)/;

/** Examples import the sources by the name of the package. `paths` in tsconfig.json lead to them. */
const ownPackage = /^postrider(\/|$)/;

/** Leaves all other packages as imports. */
const otherPackages: Plugin = {
  name: 'other-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || bundledPackages.test(path) || ownPackage.test(path)
        ? undefined
        : { path, external: true },
    );
  },
};

async function compile(entryPoints: readonly string[], draft: string, folder: string): Promise<void> {
  // Imported lazily, because it is not needed if everything is compiled already.
  const { build } = await import('esbuild');
  await build({
    ...bundleOptions,
    entryPoints: [...new Set([...entryPoints, ...threadPrograms])],
    outdir: draft,
    plugins: [otherPackages, ownPaths(folder)],
    define: {
      'import.meta.url': 'own_url',
      'import.meta.filename': 'own_filename',
      'import.meta.dirname': 'own_dirname',
    },
  });
  await writeFile(join(draft, 'package.json'), '{ "type": "module" }');
}

/** Removes compilations that have not been used for a day. */
async function removeOld(): Promise<void> {
  const yesterday = Date.now() - 86_400_000;
  for (const name of existsSync(cache) ? await readdir(cache) : []) {
    const { mtimeMs } = await stat(join(cache, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < yesterday) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/** The folder for this state of `files`. If it does not exist, `write` fills it. */
async function folderFor(
  files: readonly string[],
  entryPoints: readonly string[],
  write = (draft: string, folder: string): Promise<unknown> => compile(entryPoints, draft, folder),
): Promise<string> {
  const target = join(cache, await stateOf(files, entryPoints));
  if (existsSync(target)) {
    const now = new Date();
    await utimes(target, now, now);
    return target;
  }
  await removeOld();
  const draft = `${target}-${process.pid}`;
  await mkdir(draft, { recursive: true });
  await write(draft, target);
  try {
    await rename(draft, target);
  } catch (error) {
    // Another process has written the folder first.
    if (!existsSync(target)) throw error;
    await rm(draft, { recursive: true });
  }
  return target;
}

/** The folder with the compiled exports of `core`, `plugins`, `adapters` and `hosts`, and the programs of the fault tests. */
export function compiledSources(): Promise<string> {
  sources ??= (async () => {
    const files = await sourceFiles(folders);
    return folderFor(
      files.filter((file) => !file.endsWith('.test.ts')),
      [...(await packageEntries()), ...files.filter((file) => faultPrograms.test(file))],
    );
  })();
  return sources;
}

/** Cached for this process, so that it checks the thousands of sources for changes only once */
let sources: Promise<string> | undefined;
let types: Promise<string> | undefined;

/** The folder with these test files compiled at once: `x.test.js` for `x.test.ts`. */
export async function compiledTests(testFiles: readonly string[]): Promise<string> {
  return folderFor(await sourceFiles(folders), testFiles);
}

/**
 * The folder with the declarations of `core`, `plugins`, `adapters` and `hosts`, as users get them. Checking a program against them is
 * twenty times faster than against the sources, which `npm run types` checks.
 */
export function compiledTypes(): Promise<string> {
  types ??= (async () => {
    if (await isBuilt()) return join(root, 'dist');
    const files = await sourceFiles(['core', 'plugins', 'adapters', 'hosts']);
    return folderFor(files, ['types'], (draft) =>
      run(process.execPath, [typeCompiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', draft], { cwd: root }),
    );
  })();
  return types;
}

/** `paths` of a tsconfig.json with which a program finds `postrider` as those declarations. */
export async function typePaths(): Promise<Record<string, string[]>> {
  const folder = await compiledTypes();
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, string[]> };
  };
  const declaration = (source: string) => join(folder, source.replace(/\.ts$/, '.d.ts'));
  return Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, targets]) => [name, targets.map(declaration)]),
  );
}
