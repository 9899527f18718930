// Takes the screenshots of the documentation: `npm run docs:screenshots`. Pages of the console with the samples of `postrider dev`, and
// pages that visitors see, in Chromium.
import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { openSamples } from './console-samples.ts';
import { visitUnderBasePath } from './console-visit.ts';
import { openBrowser } from './page-browser.ts';
import { encodePalettePng } from './palette-png.ts';
import { openVisitorSamples } from './visitor-samples.ts';

const folder = new URL('../../docs/screenshots/', import.meta.url).pathname;

/** Decodes a picture's pixels in a page, since the browser has a decoder. */
const readPixels = (png: string) => `(async () => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let text = '';
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return { width, height, pixels: btoa(text) };
})()`;

/** Writes a screenshot with few colours, so that the file is small. `decoder`: a page without a content security policy. */
async function takeScreenshot(page: Page, decoder: Page, name: string): Promise<void> {
  const png = (await page.screenshot()).toString('base64');
  const { width, height, pixels } = await decoder.evaluate<{ width: number; height: number; pixels: string }>(
    readPixels(png),
  );
  await writeFile(`${folder}${name}.png`, encodePalettePng(width, height, Buffer.from(pixels, 'base64')));
}

for (const name of ['console', 'visitors']) await mkdir(`${folder}${name}`, { recursive: true });
const browser = await openBrowser();
const samples = await openSamples();
const { calls, workspaceId } = samples;
const [segment] = (await calls.segments.list()).data;
const [report] = (await calls.broadcasts.list({ status: 'sent' })).data;
const [reader] = (await calls.contacts.list({ email: 'grace@example.com' })).data;
const [sequence] = (await calls.sequences.list()).data;
const pictures = [
  { name: 'overview', path: 'overview', width: 1280 },
  { name: 'contact', path: `contacts/${reader?.id}`, width: 1280 },
  { name: 'segment', path: `segments/${segment?.segmentId}/edit`, width: 1280 },
  { name: 'broadcast', path: `broadcasts/${report?.broadcastId}`, width: 1280 },
  { name: 'phone', path: 'sends', width: 390 },
  { name: 'templates', path: 'templates', width: 1280 },
  { name: 'approvals', path: 'approvals', width: 1280 },
  { name: 'sequence', path: `sequences/${sequence?.key}`, width: 1280 },
] as const;
await visitUnderBasePath(browser, samples, { deviceScaleFactor: 1 }, async ({ page, origin }) => {
  const decoder = await browser.newPage();
  for (const { name, path, width } of pictures) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${origin}/console/${workspaceId}/${path}?side=sandbox`);
    await page.waitForLoadState('networkidle');
    await takeScreenshot(page, decoder, `console/${name}`);
  }
});
const { bench, paths } = await openVisitorSamples();
const small = { viewport: { width: 900, height: 700 }, deviceScaleFactor: 1 };
await visitUnderBasePath(browser, bench, small, async ({ page, origin }) => {
  const decoder = await browser.newPage();
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${origin}/p/${bench.workspaceId}${path}`);
    await page.waitForLoadState('networkidle');
    await takeScreenshot(page, decoder, `visitors/${name}`);
  }
});
await browser.close();
