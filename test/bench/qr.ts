/*
 * Rendering a QR code as SVG and as PNG, decoded before it is returned, in process. For comparison, the code that a program would
 * write by hand with the same packages: `qrcode`'s SVG, and that SVG through `sharp`, without reading the result. The rounds take
 * turns. Prints a table and one JSON line.
 */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import qrcode from 'qrcode';
import sharp from 'sharp';
import { createDecoder } from '../../plugins/qr/decode/decoder.ts';
import { renderCode } from '../../plugins/qr/render.ts';
import { defaultStyle, noFrame } from '../../plugins/qr/schema.ts';
import { describeMachine } from './machine.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const text = 'https://go.shop.example/aB3xZ9q?s=qr';
const source = { text, style: defaultStyle, frame: noFrame, logo: undefined };
const decoder = createDecoder();

/** By hand: the package's own SVG, and the same SVG as pixels. */
const bareSvg = () => qrcode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', width: 1_024 });
const barePng = async () =>
  sharp(Buffer.from(await bareSvg()))
    .png()
    .toBuffer();

const contestants: Readonly<Record<string, () => Promise<unknown>>> = {
  'svg, bare': bareSvg,
  'svg, ours': () => renderCode(source, 'svg', decoder),
  'png, bare': barePng,
  'png, ours': () => renderCode(source, 'png', decoder),
};

/** Renderings per second, one after another. */
async function measureRate(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let doneCount = 0;
  while (performance.now() - start < seconds * 1_000) {
    await work();
    doneCount += 1;
  }
  return (doneCount * 1_000) / (performance.now() - start);
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

const machine = await describeMachine(tmpdir());
for (const work of Object.values(contestants)) await work();
const foundRates: Record<string, number[]> = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1)
  for (const [name, work] of Object.entries(contestants)) foundRates[name]?.push(await measureRate(work));
await decoder.stop();

const rows = Object.entries(foundRates).map(([name, list]) => {
  const bare = foundRates[name.replace('ours', 'bare')] ?? list;
  const ratio = median(list.map((value, at) => value / (bare[at] ?? value)));
  return {
    name,
    'renders/s': Math.round(median(list) * 10) / 10,
    min: Math.round(Math.min(...list) * 10) / 10,
    max: Math.round(Math.max(...list) * 10) / 10,
    '× bare': Math.round(ratio * 1_000) / 1_000,
  };
});
console.table(rows);
console.log(JSON.stringify({ bench: 'qr', machine, rows }));
