// Joins into one file the chunks that an import of the core loads, because Node.js takes longer to find and open a file than to compile
// most chunks. Called by build-package.ts.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

type Outputs = Metafile['outputs'];

/** An import of another output, as esbuild writes it. */
const importStatement = /^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm;

/** An output and all outputs that it imports statically, directly or indirectly. */
function closureOf(outputs: Outputs, first: string): ReadonlySet<string> {
  const reachable = new Set<string>([first]);
  for (const path of reachable)
    for (const { path: target, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) reachable.add(target);
  return reachable;
}

/** The file into which each chunk is joined */
function targetsOf(outputs: Outputs, first: readonly string[], apart: readonly string[]): ReadonlyMap<string, string> {
  const separateChunks = new Set(apart.flatMap((entry) => [...closureOf(outputs, entry)]));
  const targets = new Map<string, string>();
  for (const entry of first) {
    const chunks = [...closureOf(outputs, entry)].filter(
      (path) => !separateChunks.has(path) && !targets.has(path) && outputs[path]?.entryPoint === undefined,
    );
    const [file] = chunks;
    if (file !== undefined) for (const chunk of chunks) targets.set(chunk, file);
  }
  return targets;
}

/** The name with which the joined file exports an export of a chunk */
const joinedName = (chunk: string, name: string) => `_${basename(chunk, '.js')}_${name}`;

/**
 * For each entry in `first`, in this order, joins the chunks that it loads into one file. Chunks that an entry in `apart` loads
 * stay separate, because those entries do not load the other chunks.
 */
export async function mergeChunks(
  outputs: Outputs,
  { absWorkingDir: folder, ...options }: BuildOptions & { readonly absWorkingDir: string },
  { first, apart }: { readonly first: readonly string[]; readonly apart: readonly string[] },
): Promise<void> {
  const targets = targetsOf(outputs, first, apart);
  const usedNames = new Map<string, Set<string>>();

  /** The source of an output, with imports of the joined files instead of the chunks. Its line numbers stay the same. */
  async function withJoinedImports(path: string, own?: string): Promise<string> {
    const source = await readFile(join(folder, path), 'utf8');
    return source.replaceAll(importStatement, (statement: string, names: string | undefined, target: string) => {
      const chunk = relative(folder, resolve(folder, dirname(path), target));
      const mergedFile = targets.get(chunk);
      if (mergedFile === undefined || mergedFile === own) return statement;
      const from = JSON.stringify(join(dirname(target), basename(mergedFile)).replace(/^(?!\.)/, './'));
      if (names === undefined) return `import ${from};`;
      const renamedImports = names.replaceAll(
        /([\w$]+)( as [\w$]+)?(?=\s*(?:,|$))/g,
        (_, name: string, alias?: string) => {
          const list = usedNames.get(chunk) ?? new Set();
          usedNames.set(chunk, list.add(name));
          return `${joinedName(chunk, name)}${alias ?? ` as ${name}`}`;
        },
      );
      return `import {${renamedImports}} from ${from};`;
    });
  }

  const otherOutputs = Object.keys(outputs).filter((path) => path.endsWith('.js') && !targets.has(path));
  const rewritten = await Promise.all(
    otherOutputs.map(async (path) => ({
      path: join(folder, path),
      contents: (await withJoinedImports(path)) as string | Uint8Array,
    })),
  );
  // The last file is written first: it uses names of earlier files, and each file exports only the names that others use.
  for (const file of [...new Set(targets.values())].reverse()) {
    const chunks = [...targets].flatMap(([chunk, target]) => (target === file ? [chunk] : []));
    const sources = new Map<string, string>();
    for (const chunk of chunks) sources.set(join(folder, chunk), await withJoinedImports(chunk, file));
    const contents = chunks.flatMap((chunk) => {
      const from = JSON.stringify(`./${chunk}`);
      const names = [...(usedNames.get(chunk) ?? [])].map((name) => `${name} as ${joinedName(chunk, name)}`);
      return [`import ${from};`, `export { ${names.join(', ')} } from ${from};`];
    });
    const { outputFiles } = await build({
      ...options,
      absWorkingDir: folder,
      stdin: { contents: contents.join('\n'), resolveDir: folder },
      outfile: file,
      splitting: false,
      write: false,
      plugins: [
        {
          name: 'chunks',
          setup({ onLoad, onResolve }) {
            onResolve({ filter: /./ }, ({ path, resolveDir }) => {
              const target = resolve(resolveDir, path);
              // The package.json in this folder has `sideEffects: false`, which is true only for entries.
              return sources.has(target) ? { path: target, sideEffects: true } : { path, external: true };
            });
            onLoad({ filter: /./ }, ({ path }) => ({ contents: sources.get(path) ?? '', loader: 'js' }));
          },
        },
      ],
    });
    rewritten.push(...outputFiles.map(({ path, contents: bytes }) => ({ path, contents: bytes })));
  }
  await Promise.all(
    [...targets.keys()].flatMap((chunk) => [rm(join(folder, chunk)), rm(join(folder, `${chunk}.map`))]),
  );
  await Promise.all(rewritten.map(({ path, contents }) => writeFile(path, contents)));
}
