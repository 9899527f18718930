// Builds assets.gen.ts of this folder: `npx tsx plugins/inbox/browser/build.ts`. A test checks that it is up to date.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assetsText } from '../../../core/pages/browser/build-assets.ts';

const folder = import.meta.dirname;

/** The expected text of assets.gen.ts. */
export const assetsFile = (): Promise<string> =>
  assetsText({ folder, name: 'inbox', style: 'inbox.css', maker: 'plugins/inbox/browser/build.ts' });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeFile(join(folder, '../assets.gen.ts'), await assetsFile());
