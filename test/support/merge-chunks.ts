// Joins the chunks that an import of the core loads into one file: Node.js takes longer to find and open a file than to compile
// most chunks. Called by build-package.ts.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

type Outputs = Metafile['outputs'];

/** An import of another output, as esbuild writes it. */
const importStatement = /^import (?:\{([^}]*)\} from )?"(\.[^"]+)";$/gm;

/** An output and all outputs that it imports statically, directly or indirectly. */
function closureOf(outputs: Outputs, first: string): ReadonlySet<string> {
  const found = new Set<string>([first]);
  for (const path of found)
    for (const { path: target, kind, external } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) found.add(target);
  return found;
}

/** The file that each chunk becomes part of. */
function placesOf(outputs: Outputs, first: readonly string[], apart: readonly string[]): ReadonlyMap<string, string> {
  const kept = new Set(apart.flatMap((entry) => [...closureOf(outputs, entry)]));
  const targets = new Map<string, string>();
  for (const entry of first) {
    const chunks = [...closureOf(outputs, entry)].filter(
      (path) => !kept.has(path) && !targets.has(path) && outputs[path]?.entryPoint === undefined,
    );
    const [file] = chunks;
    if (file !== undefined) for (const chunk of chunks) targets.set(chunk, file);
  }
  return targets;
}

/** The name under which the joined file exports a chunk's export. */
const joinedName = (chunk: string, name: string) => `_${basename(chunk, '.js')}_${name}`;

/**
 * Joins the chunks that each entry in `first` loads into one file per entry, in this order. Chunks that an entry in `apart` loads
 * stay separate, because those entries do not load the rest.
 */
export async function mergeChunks(
  outputs: Outputs,
  { absWorkingDir: folder, ...options }: BuildOptions & { readonly absWorkingDir: string },
  { first, apart }: { readonly first: readonly string[]; readonly apart: readonly string[] },
): Promise<void> {
  const targets = placesOf(outputs, first, apart);
  const used = new Map<string, Set<string>>();

  /** The source of an output, with imports of the joined files instead of chunks. Its line numbers stay the same. */
  async function withPlaces(path: string, own?: string): Promise<string> {
    const source = await readFile(join(folder, path), 'utf8');
    return source.replaceAll(importStatement, (statement: string, names: string | undefined, target: string) => {
      const chunk = relative(folder, resolve(folder, dirname(path), target));
      const place = targets.get(chunk);
      if (place === undefined || place === own) return statement;
      const from = JSON.stringify(join(dirname(target), basename(place)).replace(/^(?!\.)/, './'));
      if (names === undefined) return `import ${from};`;
      const renamed = names.replaceAll(/([\w$]+)( as [\w$]+)?(?=\s*(?:,|$))/g, (_, name: string, alias?: string) => {
        const list = used.get(chunk) ?? new Set();
        used.set(chunk, list.add(name));
        return `${joinedName(chunk, name)}${alias ?? ` as ${name}`}`;
      });
      return `import {${renamed}} from ${from};`;
    });
  }

  const others = Object.keys(outputs).filter((path) => path.endsWith('.js') && !targets.has(path));
  const written = await Promise.all(
    others.map(async (path) => ({
      path: join(folder, path),
      contents: (await withPlaces(path)) as string | Uint8Array,
    })),
  );
  // The last file comes first: it uses names of earlier files, and each file exports only the names that others use.
  for (const file of [...new Set(targets.values())].reverse()) {
    const chunks = [...targets].flatMap(([chunk, target]) => (target === file ? [chunk] : []));
    const sources = new Map<string, string>();
    for (const chunk of chunks) sources.set(join(folder, chunk), await withPlaces(chunk, file));
    const contents = chunks.flatMap((chunk) => {
      const from = JSON.stringify(`./${chunk}`);
      const names = [...(used.get(chunk) ?? [])].map((name) => `${name} as ${joinedName(chunk, name)}`);
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
              // The folder's package.json has `sideEffects: false`, which is true only of entries.
              return sources.has(target) ? { path: target, sideEffects: true } : { path, external: true };
            });
            onLoad({ filter: /./ }, ({ path }) => ({ contents: sources.get(path) ?? '', loader: 'js' }));
          },
        },
      ],
    });
    written.push(...outputFiles.map(({ path, contents: bytes }) => ({ path, contents: bytes })));
  }
  await Promise.all(
    [...targets.keys()].flatMap((chunk) => [rm(join(folder, chunk)), rm(join(folder, `${chunk}.map`))]),
  );
  await Promise.all(written.map(({ path, contents }) => writeFile(path, contents)));
}
