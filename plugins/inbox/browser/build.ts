// Makes assets.gen.ts of this folder: `npx tsx plugins/inbox/browser/build.ts`. A test holds that it is fresh.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const target = join(folder, '../assets.gen.ts');

/** What is bundled besides our own code, as its licences ask. */
const licences = '/*! preact, MIT, copyright 2015-present Jason Miller. htm, Apache-2.0, copyright 2018 Google Inc. */';

async function bundle(entry: string, kind: 'js' | 'css'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    banner: kind === 'js' ? { js: licences } : {},
    logLevel: 'error',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

/** The text of assets.gen.ts as it should be. */
export async function assetsFile(): Promise<string> {
  const assets = {
    'inbox.js': { type: 'text/javascript; charset=utf-8', body: await bundle('main.ts', 'js') },
    'inbox.css': { type: 'text/css; charset=utf-8', body: await bundle('inbox.css', 'css') },
    'icon.svg': { type: 'image/svg+xml', body: (await readFile(join(folder, 'icon.svg'), 'utf8')).trim() },
  };
  return `// Made by plugins/inbox/browser/build.ts. Do not edit.

/** The page's script, style and icon, by name. */
export const assets: Readonly<Record<string, { readonly type: string; readonly body: string }>> = ${JSON.stringify(assets, null, 2)};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeFile(target, await assetsFile());
