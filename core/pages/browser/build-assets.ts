// Generates the text of a page's assets.gen.ts. Called by build.ts of its folder; a test of each page checks that it is
// up to date.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The licence notices of bundled packages, as their licences require. */
const licences = '/*! preact, MIT, copyright 2015-present Jason Miller. htm, Apache-2.0, copyright 2018 Google Inc. */';

/** A script or a style with everything that it imports, as one minified file. */
export async function bundle(entry: string, kind: 'js' | 'css'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
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

/** The files of a page, from main.ts, its style and icon.svg in `folder`. */
export async function assetsText(page: {
  readonly folder: string;
  /** The name of the script and the style. */
  readonly name: string;
  readonly style: string;
  /** The program that generates the file, for its first line. */
  readonly maker: string;
}): Promise<string> {
  const { folder, name, style, maker } = page;
  const assets = {
    [`${name}.js`]: { type: 'text/javascript; charset=utf-8', body: await bundle(join(folder, 'main.ts'), 'js') },
    [`${name}.css`]: { type: 'text/css; charset=utf-8', body: await bundle(join(folder, style), 'css') },
    'icon.svg': { type: 'image/svg+xml', body: (await readFile(join(folder, 'icon.svg'), 'utf8')).trim() },
  };
  return `// Made by ${maker}. Do not edit.

/** The page's script, style and icon, by name. */
export const assets: Readonly<Record<string, { readonly type: string; readonly body: string }>> = ${JSON.stringify(assets, null, 2)};
`;
}
