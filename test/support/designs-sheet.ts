// Draws the contact sheets of designs: each of the six layouts in eight sizes, one sheet for each script. Run it with
// `npm run designs:sheet -- folder`, and look at the pictures.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { layoutNames } from '../../plugins/designs/composing/layouts.ts';
import { writeSvg } from '../../plugins/designs/paint/svg.ts';
import { designSizes, designTexts, layOutCopy } from './designs-cases.ts';

const [folder = 'node_modules/.cache/designs'] = process.argv.slice(2);
const [cellWidth, cellHeight, gap] = [300, 300, 8];

await mkdir(folder, { recursive: true });
for (const [script, copy] of Object.entries(designTexts)) {
  const tiles: OverlayOptions[] = [];
  for (const [row, layout] of layoutNames.entries())
    for (const [column, size] of designSizes.entries()) {
      const { layers, rulers } = await layOutCopy(copy, size, layout);
      const scale = Math.min((cellWidth - gap) / size.width, (cellHeight - gap) / size.height);
      const drawnSize = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
      const svg = writeSvg({ ...size, layers }, drawnSize, new Map(), rulers);
      tiles.push({ input: Buffer.from(svg), left: column * cellWidth + gap / 2, top: row * cellHeight + gap / 2 });
    }
  const file = join(folder, `${script}.png`);
  const sheet = { width: cellWidth * designSizes.length, height: cellHeight * layoutNames.length };
  await sharp({ create: { ...sheet, channels: 3, background: '#9aa0a6' } })
    .composite(tiles)
    .png()
    .toFile(file);
  console.log(file);
}
