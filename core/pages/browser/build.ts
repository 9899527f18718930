// Makes console-style.gen.ts of the folder above: `npx tsx core/pages/browser/build.ts`. A test checks that it is up to date.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './build-assets.ts';

const folder = import.meta.dirname;

/** The expected text of console-style.gen.ts. */
export async function consoleStyleFile(): Promise<string> {
  const [style, bar] = await Promise.all(
    ['plain.css', 'start-bar.css'].map((file) => bundle(join(folder, file), 'css')),
  );
  return `// Made by core/pages/browser/build.ts. Do not edit.

/** The style of pages without a script, in the look of the pages with a script. */
export const consoleStyle = ${JSON.stringify(style)};

/** The style of the bar with the link to the start page, for pages with a style of their own. */
export const startBarStyle = ${JSON.stringify(bar)};
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(join(folder, '../console-style.gen.ts'), await consoleStyleFile());
