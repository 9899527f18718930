// Builds the JavaScript of the package (`npm run build`): every entry of package.json at its own path in dist, and shared code in
// dist/chunks. tsc writes the declarations beside it, and this script removes declarations to which no entry refers. An argument names the
// output folder. (Default: dist)
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleOptions, packageEntries, readManifest, root } from './bundle.ts';
import { mergeChunks } from './merge-chunks.ts';
import { plainSource } from './plain-source.ts';
import { pruneDeclarations } from './prune-declarations.ts';

/**
 * Packages that are bundled without their unused code. Node.js opens all files of an import at once: the files of Kysely (260), zod (95)
 * and libphonenumber-js (93) took half of the time of an import, and more open files than some systems allow.
 */
const bundledPackages = [
  ...['awilix', 'bowser', 'fastest-validator', 'isbot', 'kysely', 'libphonenumber-js', 'linkify-it'],
  ...['liquidjs', 're2js', 'rou3', 'tldts', 'tldts-core', 'uc.micro', 'zod'],
];

/** zod.ts exports zod without its locales, which bundlers do not remove by themselves. zod itself uses English. */
const oneLanguage: Plugin = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/**
 * Lets a file in a chunk find the files that were beside its source. If a program bundles it again, it looks beside the bundle of the
 * program.
 */
const ownPaths: Plugin = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.endsWith('.gen.ts')) return undefined;
      const source = await readFile(path, 'utf8');
      const outputPath = join('/', relative(root, path)).replace(/\.ts$/, '.js');
      // Not `new URL('…', import.meta.url)`: bundlers take it for a file that they must include.
      const ownUrl = `import.meta.url?.replace(/\\/chunks\\/[A-Z0-9]+\\.js[^/]*$/, ${JSON.stringify(outputPath)})`;
      return { contents: source.replaceAll('import.meta.url', ownUrl), loader: 'ts' };
    });
  },
};

/** The exports of a module that contains only data, as JSON, which V8 parses much faster than JavaScript. */
function exportAsJson([name, value]: readonly [string, unknown]): string {
  const text = (data: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(data))})`;
  const isBytes = value instanceof Uint8Array || value instanceof Uint16Array;
  const source =
    typeof value === 'function'
      ? `() => ${text((value as () => unknown)())}`
      : isBytes
        ? `new ${value.constructor.name}(${text([...value])})`
        : text(value);
  return name === 'default' ? `export default ${source};` : `export const ${name} = ${source};`;
}

const dataAsJson: Plugin = {
  name: 'data-as-json',
  setup({ onLoad }) {
    onLoad(
      {
        filter:
          /[\\/](?:metadata\.max\.json\.js|tldts[\\/]dist[\\/]es6[\\/]src[\\/]data[\\/]trie\.js|compiled\.gen\.ts|examples\.gen\.ts)$/,
      },
      async ({ path }) => {
        const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
        return { contents: Object.entries(module).map(exportAsJson).join('\n') };
      },
    );
  },
};

const folder = resolve(process.argv[2] ?? 'dist');
const { dependencies, peerDependencies } = await readManifest();
const external = Object.keys({ ...dependencies, ...peerDependencies }).filter(
  (name) => !bundledPackages.includes(name),
);
// `keepNames` would add thousands of calls, although almost all functions keep their names without it.
const options = { ...bundleOptions, keepNames: false, sourcesContent: false };
const { outputs } = (
  await build({
    ...options,
    entryPoints: await packageEntries(),
    outdir: folder,
    chunkNames: 'chunks/[hash]',
    external: external.flatMap((name) => [name, `${name}/*`]),
    // Node.js takes twice as long to load the CommonJS files that the package.json of these packages names.
    alias: {
      liquidjs: 'liquidjs/dist/liquid.node.mjs',
      tldts: 'tldts/dist/es6/index.js',
      'tldts-core': 'tldts-core/dist/es6/index.js',
    },
    metafile: true,
    plugins: [dataAsJson, oneLanguage, ownPaths],
  })
).metafile;
for (const [path, { inputs }] of Object.entries(outputs)) {
  if (resolve(root, dirname(path)) === join(folder, 'chunks')) continue;
  for (const input of Object.keys(inputs).filter((name) => !name.endsWith('.gen.ts'))) {
    const source = await readFile(join(root, input), 'utf8');
    if (source.includes('import.meta.url'))
      throw new Error(`${input} uses import.meta.url, so it must be in a chunk, but it is part of ${path}.`);
  }
}
// Every program imports the core. A plugin stays a separate file, so that importing one plugin loads no other plugin. The webhook
// receiver, the worker threads, the process that decodes pictures and the command line load less than the core.
const entryAt = (path: string) => relative(root, join(folder, `${path}.js`));
await mergeChunks(outputs, options, {
  first: [entryAt('core/index')],
  apart: [
    ...['core/contract/open', 'plugins/webhook-receiver', 'hosts/cli/main'],
    ...['plugins/templates/compiler/compile-worker', 'plugins/qr/decode/decode-worker'],
    'core/pictures/picture-process',
    'core/pages/markdown/markdown-worker',
  ].map(entryAt),
});
for (const name of await readdir(folder, { recursive: true })) {
  if (!name.endsWith('.js')) continue;
  const path = join(folder, name);
  await writeFile(path, plainSource(path, await readFile(path, 'utf8')));
}
for (const name of bundledPackages) {
  const packagePath = join(root, 'node_modules', name);
  for (const licence of (await readdir(packagePath)).filter((file) => file.startsWith('LICENSE')))
    await copyFile(join(packagePath, licence), join(folder, `chunks/${licence.replace(/\.md$/, '')}-${name}`));
}
await pruneDeclarations(folder);
