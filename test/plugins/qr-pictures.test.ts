// time-limit: 300
// Pictures of codes across styles, error corrections and payloads: a second reader (zbar) decodes every accepted code.
// full-run: slow
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createDecoder, type Decoder } from '../../plugins/qr/decode/decoder.ts';
import { glyphs } from '../../plugins/qr/painter/glyphs.ts';
import { drawLetters, missingGlyphs, textWidth } from '../../plugins/qr/painter/lettering.ts';
import { printWidth } from '../../plugins/qr/painter/pdf.ts';
import { type RenderSource, renderCode } from '../../plugins/qr/render.ts';
import { defaultStyle, formats, noFrame } from '../../plugins/qr/schema.ts';
import { frames, hasZbar, pairwisePoints, payloads, readWithZbar, styleGrid } from '../support/qr-grid.ts';
import { mayUse } from '../support/services.ts';

const run = promisify(execFile);
const long = process.env.POSTRIDER_TEST_LONG === '1';
const zbar = await hasZbar();

const test = suite<{ decoder: Decoder }>('pictures of codes');
test.before((context) => {
  context.decoder = createDecoder();
});
test.after(({ decoder }) => decoder.stop());

const plain: RenderSource = { text: payloads.link ?? '', style: defaultStyle, frame: noFrame, logo: undefined };

/** zbar ends its output with a line break, which this removes. */
const withoutEnd = (text: string | undefined): string | undefined => text?.replace(/\n$/, '');

test('a code in any style is decoded to its exact payload, or is refused', async ({ decoder }) => {
  const grid = long ? styleGrid() : pairwisePoints(styleGrid());
  const texts = Object.entries(payloads);
  let readable = 0;
  for (const [index, point] of grid.entries()) {
    const ownTexts = long ? texts : [texts[index % texts.length] as [string, string]];
    for (const [kind, text] of ownTexts) {
      const { style, frame } = point;
      const name = [kind, style.dots, style.corners, style.errorCorrection, frame.kind, style.margin].join(' ');
      try {
        const { bytes } = await renderCode({ text, style, frame, logo: undefined }, 'png', decoder);
        if (zbar) {
          const [decoded] = await readWithZbar([bytes], 'png');
          assert.is(withoutEnd(decoded), withoutEnd(text), name);
        }
        readable += 1;
      } catch (error) {
        if (!isPostriderError(error, 'qr_unreadable')) throw error;
      }
    }
  }
  // Fails if almost every code is refused.
  assert.ok(readable > grid.length * 0.9, `${readable} of ${grid.length} were readable`);
});

test('all formats contain the same code, each in its own size', async ({ decoder }) => {
  const source = { ...plain, frame: frames[2] ?? noFrame };
  for (const format of formats) {
    const { bytes, contentType, width, height } = await renderCode(source, format, decoder);
    if (format === 'pdf') {
      assert.is(bytes.subarray(0, 8).toString('latin1'), '%PDF-1.7');
      continue;
    }
    const about = await sharp(bytes).metadata();
    assert.equal([about.width, about.height], [width, height], format);
    assert.is(width, format === 'png-print' ? 1_181 : 1_024);
    assert.ok(height > width, 'the banner increases the height');
    assert.is(`image/${about.format}`, contentType.replace('+xml', ''));
    if (zbar && format !== 'svg')
      assert.is(withoutEnd((await readWithZbar([bytes], format.slice(0, 4)))[0]), plain.text);
  }
});

test('png-print declares 300 dpi in pHYs', async ({ decoder }) => {
  const { bytes } = await renderCode(plain, 'png-print', decoder);
  const at = bytes.indexOf('pHYs', 0, 'latin1');
  assert.ok(at > 0);
  // Pixels per metre, and the unit metre (PNG specification, section 11.3.4.3).
  assert.equal([bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8), bytes[at + 12]], [11_811, 11_811, 1]);
});

test('the PDF is a vector file with a trim of 100 mm and a bleed of 3 mm, readable when drawn', async ({ decoder }) => {
  const style = { ...defaultStyle, gradient: { from: '#7a1f5c', to: '#24476b', angle: 30 } };
  const { bytes } = await renderCode({ ...plain, style, frame: frames[4] ?? noFrame }, 'pdf', decoder);
  const text = bytes.toString('latin1');
  const box = (name: string): number[] =>
    new RegExp(`/${name} \\[([^\\]]+)\\]`).exec(text)?.[1]?.split(' ').map(Number) ?? [];
  const [trim, bleed, media] = [box('TrimBox'), box('BleedBox'), box('MediaBox')];
  const mm = (points: number): number => (Math.round((points * 254) / 7.2) / 100 / 10) * 10;
  assert.is(mm((trim[2] ?? 0) - (trim[0] ?? 0)), printWidth);
  assert.is(mm((trim[0] ?? 0) - (bleed[0] ?? 0)), 3);
  assert.equal(media.slice(0, 2), [0, 0]);
  assert.not.match(text, '/Image');
  assert.match(text, '/ShadingType 2');
  // Each object starts at the offset in the cross-reference table.
  const table = Number(/startxref\n(\d+)/.exec(text)?.[1]);
  assert.is(text.slice(table, table + 4), 'xref');
  const rows = [...text.slice(table).matchAll(/^(\d{10}) 00000 n/gm)];
  for (const [index, row] of rows.entries())
    assert.is(text.slice(Number(row[1]), Number(row[1]) + 8).split(' ')[0], String(index + 1));

  const printer = await run('pdftoppm', ['-v']).catch(() => undefined);
  const reason = 'pdftoppm is not installed; the package poppler-utils has it';
  if (!mayUse('printing QR codes from PDF', printer !== undefined, reason)) return;
  const folder = await mkdtemp(join(tmpdir(), 'postrider-pdf-'));
  try {
    await writeFile(join(folder, 'code.pdf'), bytes);
    const { stderr } = await run('pdftoppm', ['-r', '150', '-png', 'code.pdf', 'page'], { cwd: folder });
    assert.is(stderr, '');
    const page = await readFile(join(folder, 'page-1.png'));
    const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true });
    const decoded = await decoder.decode({ width: info.width, height: info.height, grey: data });
    assert.is(Buffer.from(decoded ?? []).toString(), plain.text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** A logo of one colour. */
async function squareLogo(side: number) {
  const rgba = new Uint8Array(side * side * 4).map((_, at) => [171, 42, 45, 255][at % 4] ?? 0);
  const png = await sharp(rgba, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
  return { width: side, height: side, rgba, png };
}

test('a logo replaces modules, and a logo larger than the error correction allows is refused', async ({ decoder }) => {
  const logo = await squareLogo(64);
  const renderWith = (errorCorrection: 'L' | 'H') =>
    renderCode({ ...plain, style: { ...defaultStyle, errorCorrection }, logo }, 'png', decoder);
  const { bytes, width } = await renderWith('H');
  const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const middle = (Math.floor(width / 2) * width + Math.floor(width / 2)) * 3;
  assert.equal([...data.subarray(middle, middle + 3)], [171, 42, 45]);
  if (zbar) assert.is(withoutEnd((await readWithZbar([bytes], 'png'))[0]), plain.text);
  const refusal = await renderWith('L').catch((error: unknown) => error);
  assert.ok(isPostriderError(refusal, 'qr_unreadable'));
  assert.is(refusal.details?.[0]?.code, 'logo_too_big');
  const pdf = await renderCode({ ...plain, style: { ...defaultStyle, errorCorrection: 'H' }, logo }, 'pdf', decoder);
  assert.match(pdf.bytes.toString('latin1'), '/SMask');
});

test('colours that scanners cannot distinguish are refused, and the error names the field', async ({ decoder }) => {
  const refusal = async (style: object): Promise<[string, string]> => {
    const error = await renderCode({ ...plain, style: { ...defaultStyle, ...style } }, 'svg', decoder).catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(isPostriderError(error, 'qr_unreadable'));
    return [error.details?.[0]?.path ?? '', error.details?.[0]?.code ?? ''];
  };
  assert.equal(await refusal({ foreground: '#ffee00' }), ['style.foreground', 'contrast']);
  assert.equal(await refusal({ foreground: '#ffffff', background: '#000000' }), ['style.foreground', 'inverted']);
  assert.equal(await refusal({ eyes: '#eeeeee' }), ['style.eyes', 'contrast']);
  const gradient = { from: '#000000', to: '#f0f0f0', angle: 0 };
  assert.equal(await refusal({ gradient }), ['style.gradient.to', 'contrast']);
});

test('a text too long for a code is refused', async ({ decoder }) => {
  const text = 'é'.repeat(700);
  const style = { ...defaultStyle, errorCorrection: 'H' as const };
  const error = await renderCode({ ...plain, text, style }, 'svg', decoder).catch((thrown: unknown) => thrown);
  assert.ok(isPostriderError(error, 'qr_unreadable'));
  assert.is(error.details?.[0]?.code, 'too_long');
  await renderCode({ ...plain, text, style: { ...style, errorCorrection: 'L' } }, 'svg', decoder);
});

test('an SVG contains shapes only', async ({ decoder }) => {
  const source = { ...plain, frame: { kind: 'bubble' as const, text: '<Scan> & "go"', colour: null } };
  const svg = (await renderCode(source, 'svg', decoder)).bytes.toString();
  assert.not.match(svg, /<text|<script|<style|href|&|https?:\/\/(?!www\.w3\.org)/);
});

test('frames support accented Latin letters, and missing letters are reported', () => {
  assert.equal(missingGlyphs('Ångström façade Żółć Ñandú Õ ğ ş ů ű ț'), []);
  assert.equal(missingGlyphs('Сканируй 掃 ok'), [...new Set('Сканируй掃')]);
  for (const sign of Object.keys(glyphs)) assert.ok(textWidth(sign) >= 0);
  // The capitals have the given height, and the text is centred.
  const points = drawLetters('HIH', 50, 20, 7).steps.flatMap(([, ...numbers]) => numbers);
  const [xs, ys] = [points.filter((_, at) => at % 2 === 0), points.filter((_, at) => at % 2 === 1)];
  assert.equal([Math.max(...ys), Math.min(...ys)], [20, 13]);
  assert.ok(Math.abs(Math.max(...xs) + Math.min(...xs) - 100) < 1e-9);
});

test.run();
