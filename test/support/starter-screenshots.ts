// Takes the screenshots in docs/starters.md: `npx tsx test/support/starter-screenshots.ts`. Each starter with its full example, in
// light mode, in dark mode and 320 px wide, from the mail that a live send delivers.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { MailBrowser, type MailColourScheme } from './mail-browser.ts';
import { encodePalettePng } from './palette-png.ts';
import { exampleCases, sendStarters } from './starter-mails.ts';

const folder = new URL('../../docs/screenshots/starters/', import.meta.url).pathname;

const pictures: readonly { name: string; width: number; look: MailColourScheme }[] = [
  { name: 'light', width: 640, look: 'light' },
  { name: 'dark', width: 640, look: 'dark' },
  { name: '320', width: 320, look: 'light' },
];

/** Decodes a picture's pixels in the page, since the browser has a decoder. */
const readPixels = (png: string) => `(async () => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let text = '';
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return { width, height, pixels: btoa(text) };
})()`;

async function takePicture(page: Page): Promise<Buffer> {
  const shot = await page.screenshot({ fullPage: true });
  const script = readPixels(shot.toString('base64'));
  const { width, height, pixels } = await page.evaluate<{ width: number; height: number; pixels: string }>(script);
  return encodePalettePng(width, height, Buffer.from(pixels, 'base64'));
}

mkdirSync(folder, { recursive: true });
const browser = await MailBrowser.open();
let total = 0;
for (const { key, html } of await sendStarters(exampleCases.filter(({ name }) => name === 'full'))) {
  for (const { name, width, look } of pictures) {
    const png = await browser.show(html, width, look, takePicture);
    writeFileSync(join(folder, `${key}-${name}.png`), png);
    total += png.length;
    console.log(`${key}-${name}.png ${png.length}`);
  }
}
console.log(`${total} bytes`);
await browser.close();
