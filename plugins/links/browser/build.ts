// Makes assets.gen.ts of this folder: `npx tsx plugins/links/browser/build.ts`. A test checks that it is up to date.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assetsText } from '../../../core/pages/browser/build-assets.ts';

const folder = import.meta.dirname;

/** The text of assets.gen.ts as it should be. */
export const assetsFile = (): Promise<string> =>
  assetsText({ folder, name: 'links-console', style: 'console.css', maker: 'plugins/links/browser/build.ts' });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(join(folder, '../assets.gen.ts'), await assetsFile());
