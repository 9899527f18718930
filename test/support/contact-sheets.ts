// Puts the pictures of a folder on contact sheets, for a review by eye: `npx tsx test/support/contact-sheets.ts FOLDER`. The tests with
// POSTRIDER_TEST_SCREENSHOTS=FOLDER take the pictures. Pictures whose names begin and end alike are on the same sheets:
// `ar-blog-320-dark.png` is on `sheets/ar-320-dark-1.png`.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the pictures.');
/** Pixels of a sheet: larger sheets are hard to look at. */
const [sheetWidth, sheetHeight, gap, labelHeight] = [1_990, 1_520, 10, 20];

/** What is shown of a picture: at most this much of a long page, at this scale. */
const viewOf = (name: string) =>
  /-320-/.test(name) ? { width: 320, maxHeight: 1_470, scale: 1 } : { width: 1_280, maxHeight: 1_480, scale: 0.5 };

const groupOf = (name: string): string => {
  const [, language = '', look = ''] = /^(?:mail-)?([^-]+)-.*?((?:-\d+)?-(?:light|dark))\.png$/.exec(name) ?? [];
  return `${name.startsWith('mail-') ? 'mail-' : ''}${language}${look}`;
};

const label = (name: string, width: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${labelHeight}"><text x="2" y="15" font-family="sans-serif" font-size="13" font-weight="700" fill="#ffffff">${name.replace(/\.png$/, '')}</text></svg>`,
  );

async function writeSheet(path: string, tiles: readonly OverlayOptions[]): Promise<void> {
  const background = '#5b6270';
  await sharp({ create: { width: sheetWidth, height: sheetHeight, channels: 3, background } })
    .composite([...tiles])
    .png()
    .toFile(path);
  console.log(path);
}

const groups = new Map<string, string[]>();
for (const name of (await readdir(folder)).filter((each) => each.endsWith('.png')).sort())
  groups.set(groupOf(name), [...(groups.get(groupOf(name)) ?? []), name]);
const sheets = join(folder, 'sheets');
await mkdir(sheets, { recursive: true });
for (const [group, names] of groups) {
  let [tiles, left, top, rowHeight, number]: [OverlayOptions[], number, number, number, number] = [[], gap, gap, 0, 1];
  for (const name of names) {
    const picture = sharp(join(folder, name));
    const { width = 1, height = 1 } = await picture.metadata();
    const { maxHeight, scale } = viewOf(name);
    const shown = { width, height: Math.min(height, maxHeight) };
    const size = { width: Math.round(shown.width * scale), height: Math.round(shown.height * scale) };
    if (left + size.width + gap > sheetWidth) [left, top, rowHeight] = [gap, top + rowHeight + gap, 0];
    if (top + size.height + labelHeight + gap > sheetHeight && tiles.length > 0) {
      await writeSheet(join(sheets, `${group}-${number}.png`), tiles);
      [tiles, left, top, rowHeight, number] = [[], gap, gap, 0, number + 1];
    }
    const input = await picture
      .extract({ left: 0, top: 0, ...shown })
      .resize(size)
      .png()
      .toBuffer();
    tiles.push({ input: label(name, size.width), left, top }, { input, left, top: top + labelHeight });
    left += size.width + gap;
    rowHeight = Math.max(rowHeight, size.height + labelHeight);
  }
  if (tiles.length > 0) await writeSheet(join(sheets, `${group}-${number}.png`), tiles);
}
