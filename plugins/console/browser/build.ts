// Generates assets.gen.ts in the folder above: `npx tsx plugins/console/browser/build.ts`. A test checks that it is up to date.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assetsText } from '../../../core/pages/browser/build-assets.ts';

const folder = import.meta.dirname;

/** The text of assets.gen.ts as it should be. */
export const assetsFile = (): Promise<string> =>
  assetsText({ folder, name: 'console', style: 'console.css', maker: 'plugins/console/browser/build.ts' });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(join(folder, '../assets.gen.ts'), await assetsFile());
