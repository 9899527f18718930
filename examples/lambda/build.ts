// Bundles the function into dist/function.mjs and chunks beside it: npx tsx examples/lambda/build.ts [FOLDER]
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';
import { build } from 'esbuild';

/**
 * Packages for features that this function does not use. They are loaded when such a feature is first used: to publish
 * templates in MJML, to draw QR codes or to serve tools from the function, take theirs out of this list.
 */
const leftOut = [
  'better-sqlite3',
  'mysql2',
  'ioredis',
  'mjml',
  'juice',
  'html-to-text',
  'qrcode',
  'sharp',
  'zxing-wasm',
  'mmdb-lib',
  'twilio',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  'pg-native',
  // What only the command line and a started process use.
  'jiti',
  'node-cron',
];

/** Zod's messages in English only: those of its other languages are a tenth of the bundle. */
const oneLanguage: Plugin = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Writes the bundle; answers what is inside. */
export async function bundleFunction(entry: string, outfile: string): Promise<Metafile> {
  const outdir = dirname(outfile);
  // Chunks are named by their content: those of an earlier build would stay.
  rmSync(join(outdir, 'chunks'), { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { [basename(outfile, '.mjs')]: entry },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    // What is imported when it is first used is a file of its own, which a cold start does not read.
    splitting: true,
    platform: 'node',
    target: 'node20',
    external: leftOut.flatMap((name) => [name, `${name}/*`]),
    // Some packages are CommonJS, which needs a `require`.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    // pg asks for a browser's name where there is none by making a Response, which loads all of fetch at the start.
    define: { navigator: '{"userAgent":"Node.js"}' },
    plugins: [oneLanguage],
    sourcemap: 'external',
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const here = import.meta.dirname;
  const folder = process.argv[2] ?? join(here, 'dist');
  await bundleFunction(join(here, 'function.ts'), join(folder, 'function.mjs'));
}
