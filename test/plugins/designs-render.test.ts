// time-limit: 240
// Pictures of compositions, checked by their pixels: positions, colours, rotation, opacity, cropping, texts, codes, logos, formats,
// limits.
// full-run: slow
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { PictureError } from '../../core/pictures/picture-pool.ts';
import { contrast } from '../../plugins/designs/composing/colours.ts';
import { styleOf } from '../../plugins/designs/composing/compose.ts';
import { composeEmbedded } from '../../plugins/designs/composing/embedded.ts';
import { rasterOf } from '../../plugins/designs/paint/raster.ts';
import { wrap } from '../../plugins/designs/paint/wrap.ts';
import { withPictures } from '../../plugins/designs/picture-process.ts';
import type { Layer } from '../../plugins/designs/schema.ts';
import { canvasSizes } from '../../plugins/designs/sizes.ts';
import { createDecoder } from '../../plugins/qr/decode/decoder.ts';
import { oneDatabase } from '../support/databases.ts';
import { type DesignsBench, openDesignsBench } from '../support/designs-bench.ts';

const decoder = createDecoder({});
const canvas = { width: 200, height: 100 };
const rect = (x: number, y: number, width: number, height: number, fill: string, more: object = {}) => ({
  ...{ kind: 'shape', shape: 'rect', x, y, width, height, fill },
  ...more,
});
const white = rect(0, 0, 200, 100, '#ffffff');

/** Reads the colours of pixels as #rrggbb, followed by the alpha value if the pixel is translucent. */
async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return {
    ...info,
    at(x: number, y: number): string {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray((y * info.width + x) * 4);
      const hex = [red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('');
      return alpha === 255 ? `#${hex}` : alpha === 0 ? 'clear' : `#${hex} ${alpha}`;
    },
    /** The box of the pixels that differ from white: left, top, right, bottom. */
    ink(): number[] {
      const box = [info.width, info.height, -1, -1];
      for (let y = 0; y < info.height; y += 1)
        for (let x = 0; x < info.width; x += 1) {
          const at = (y * info.width + x) * 4;
          if (Math.min(data[at] ?? 255, data[at + 1] ?? 255, data[at + 2] ?? 255) > 200) continue;
          box[0] = Math.min(box[0] ?? 0, x);
          box[1] = Math.min(box[1] ?? 0, y);
          box[2] = Math.max(box[2] ?? 0, x);
          box[3] = Math.max(box[3] ?? 0, y);
        }
      return box;
    },
  };
}

const solid = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

await oneDatabase('pictures of designs', (test, database) => {
  let bench: DesignsBench;
  test.before(async () => {
    bench = await openDesignsBench(database);
  });
  test.after(async () => {
    await decoder.stop();
    await bench.close();
  });

  const draw = async (layers: readonly object[], body?: object) => pixels(await bench.draw(canvas, layers, body));

  test('layers are drawn at their positions, later layers above earlier ones; the canvas is transparent and clips them', async () => {
    const drawn = await draw([
      rect(10, 10, 50, 50, '#ff0000'),
      rect(40, 40, 50, 50, '#00ff00'),
      rect(180, 80, 500, 500, '#0000ff'),
      { kind: 'shape', shape: 'ellipse', x: 100, y: 0, width: 60, height: 60, fill: '#ffff00' },
      { kind: 'shape', shape: 'line', x: 0, y: 95, width: 90, height: 0, stroke: { colour: '#112233', width: 6 } },
    ]);
    assert.equal([drawn.width, drawn.height], [200, 100]);
    assert.equal(
      [drawn.at(5, 5), drawn.at(20, 20), drawn.at(50, 50), drawn.at(80, 80)],
      ['clear', '#ff0000', '#00ff00', '#00ff00'],
    );
    assert.equal(
      [drawn.at(190, 90), drawn.at(130, 30), drawn.at(102, 2), drawn.at(50, 95)],
      ['#0000ff', '#ffff00', 'clear', '#112233'],
    );
  });

  test('a layer turns clockwise around its centre, and has the given opacity', async () => {
    const drawn = await draw([
      white,
      rect(50, 40, 100, 20, '#ff0000', { rotation: 90 }),
      rect(0, 0, 20, 20, '#000000', { opacity: 0.5 }),
      rect(180, 0, 20, 20, '#000000', { opacity: 0 }),
    ]);
    assert.equal(
      [drawn.at(60, 50), drawn.at(100, 50), drawn.at(100, 5), drawn.at(100, 95)],
      ['#ffffff', '#ff0000', '#ff0000', '#ff0000'],
    );
    assert.match(drawn.at(10, 10), /^#(7f7f7f|808080)$/);
    assert.is(drawn.at(190, 10), '#ffffff');
  });

  test('a picture covers its box, is contained in it or is stretched, and is never drawn outside', async () => {
    // Blue in the middle half, red on both sides.
    const stripes = await solid(400, 100, '#ff0000')
      .composite([{ input: await solid(200, 100, '#0000ff').png().toBuffer(), left: 100, top: 0 }])
      .png()
      .toBuffer();
    const assetId = await bench.asset(stripes);
    const image = (fit: string) => draw([white, { kind: 'image', assetId, fit, x: 50, y: 0, width: 100, height: 100 }]);
    const cover = await image('cover');
    assert.equal(
      [cover.at(45, 50), cover.at(55, 50), cover.at(145, 95), cover.at(155, 50)],
      ['#ffffff', '#0000ff', '#0000ff', '#ffffff'],
    );
    const contain = await image('contain');
    assert.equal([contain.at(100, 20), contain.at(100, 50), contain.at(55, 50)], ['#ffffff', '#0000ff', '#ff0000']);
    const fill = await image('fill');
    assert.equal([fill.at(55, 5), fill.at(100, 95), fill.at(145, 5)], ['#ff0000', '#0000ff', '#ff0000']);
  });

  test('a text stays in its box: wrapped, aligned, and shortened with an ellipsis', async () => {
    const text = (more: object) => ({
      kind: 'text',
      text: 'HHHH',
      x: 20,
      y: 20,
      width: 160,
      height: 60,
      size: 20,
      ...more,
    });
    const inks = async (more: object) => (await draw([white, text(more)])).ink();
    const [left = 0] = await inks({});
    const [centre = 0, , centreEnd = 0] = await inks({ align: 'center' });
    const [, , right = 0] = await inks({ align: 'right' });
    assert.ok(left >= 19 && left <= 24, `left ${left}`);
    assert.ok(Math.abs((centre + centreEnd) / 2 - 100) <= 2, `centre ${centre} ${centreEnd}`);
    assert.ok(right >= 175 && right <= 181, `right ${right}`);
    const long = await inks({
      text: 'Words that go on and on and on and on and on and on and on and on and on and on',
    });
    // The widths are those of Helvetica. Another font, which the machine may use instead, may be a little wider.
    assert.ok(long[0] !== undefined && long[0] >= 19 && (long[2] ?? 0) <= 192, `wide ${long}`);
    assert.ok((long[3] ?? 0) > 60 && (long[3] ?? 0) <= 82, `high ${long}`);
    const look = { font: { family: 'Helvetica', fallback: 'sans' as const }, size: 20, weight: 400 };
    assert.equal(wrap('one two three', look, 60, 1_000), ['one', 'two', 'three']);
    assert.equal(wrap('one two three', look, 95, 25), ['one two…']);
    assert.equal(wrap('a\n\nb', look, 60, 1_000), ['a', '', 'b']);
    assert.equal(wrap('mmmmmmmm', look, 60, 1_000), ['mmm', 'mmm', 'mm']);
    assert.equal(wrap('日本語日本語', look, 70, 1_000), ['日本語', '日本語']);
  });

  test('a text is drawn as plain text, whatever characters it contains', async () => {
    const text = `</text><script>alert("1")</script>&amp; 'a' \u0007`;
    const layers = [{ kind: 'text', text, x: 0, y: 0, width: 200, height: 100, size: 10 }];
    const svg = (await bench.draw(canvas, layers, { format: 'svg' })).toString();
    assert.not.match(svg, '<script');
    assert.match(svg, '&lt;/text&gt;&lt;script&gt;');
    assert.match(svg, '&amp;amp; &apos;a&apos;');
    assert.is((await pixels(await bench.draw(canvas, [white, ...layers]))).width, 200);
  });

  test('a scanner can read a QR layer', async () => {
    const payload = 'https://shop.example/menu';
    const style = { gradient: { from: '#000000', to: '#112244', angle: 45 } };
    const { qrId } = (await bench.call('/v1/qr', 'POST', { encodes: { kind: 'static', payload }, style })).body;
    const size = { width: 700, height: 400 };
    const layers = [rect(0, 0, 700, 400, '#88ccaa'), { kind: 'qr', qrId, x: 20, y: 50, width: 300, height: 300 }];
    const png = await bench.draw(size, layers);
    const drawn = await pixels(png);
    assert.is(drawn.at(10, 10), '#88ccaa');
    const { data, info } = await sharp(png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const decoded = await decoder.decode({ width: info.width, height: info.height, grey: new Uint8Array(data) });
    assert.is(Buffer.from(decoded ?? []).toString(), payload);
    const svg = (await bench.draw(size, [...layers, { ...layers[1], x: 380 }], { format: 'svg' })).toString();
    assert.match(svg, 'id="l1g0"');
    assert.match(svg, 'id="l2g0"');
  });

  test('a missing asset or logo is refused with the name of its layer: composition_incomplete', async () => {
    const assetId = await bench.asset(await solid(10, 10, '#ff0000').png().toBuffer());
    const { compositionId } = await bench.create(canvas);
    await bench.change(compositionId, {
      layers: [white, { id: 'photo', kind: 'image', assetId, x: 0, y: 0, width: 10, height: 10 }],
    });
    await bench.call(`/v1/assets/${assetId}`, 'DELETE', undefined);
    const refusal = await bench.render(compositionId, { format: 'svg' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'composition_incomplete']);
    assert.equal(refusal.body.error.details[0].path, 'layers.1.assetId');
    assert.match(refusal.body.error.message, `The layer photo cannot be drawn: The asset ${assetId} no longer exists.`);
    // The missing asset does not prevent other changes.
    const { layers } = (await bench.request(`/v1/compositions/${compositionId}`)).body;
    assert.is((await bench.change(compositionId, { layers: layers.toReversed() })).status, 200);
    const logo = await bench.create(canvas);
    await bench.change(logo.compositionId, { layers: [{ kind: 'logo', x: 0, y: 0, width: 50, height: 50 }] });
    const without = await bench.render(logo.compositionId, { format: 'png' });
    assert.match(without.body.error.message, 'The workspace has no brand, and so no logo.');
  });

  test('a logo that is an asset of the brand is drawn; a logo that is a URL is not fetched', async () => {
    const assetId = await bench.asset(await solid(100, 50, '#ff0000').jpeg().toBuffer());
    const logos = { light: { assetId }, dark: { url: 'https://127.0.0.1:1/logo.png' } };
    const brand = (await bench.call('/v1/brand', 'POST', { name: 'Acme', logos })).body;
    const { compositionId } = await bench.create({ ...canvas, brandId: brand.id });
    const logo = { kind: 'logo', x: 50, y: 0, width: 100, height: 100 };
    await bench.change(compositionId, { layers: [white, logo] });
    const { body } = await bench.render(compositionId, { format: 'png' });
    const drawn = await pixels(Buffer.from(body.dataBase64, 'base64'));
    assert.is(drawn.at(100, 10), '#ffffff');
    assert.match(drawn.at(100, 50), /^#f[ef]0000$/);
    await bench.change(compositionId, { layers: [{ ...logo, variant: 'dark' }] });
    const refusal = await bench.render(compositionId, { format: 'png' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'composition_incomplete']);
  });

  test('each format has its type and size at each scale, and always gives the same bytes', async () => {
    const { compositionId } = await bench.create(canvas);
    const text = { kind: 'text', text: 'Hello', x: 10, y: 10, width: 100, height: 50, size: 20 };
    await bench.change(compositionId, { layers: [rect(100, 0, 100, 100, '#ff0000'), text] });
    for (const format of ['svg', 'png', 'webp', 'jpeg']) {
      const answer = (await bench.render(compositionId, { format, scale: 2.5 })).body;
      assert.equal([answer.width, answer.height, answer.creditsCharged, answer.assetId], [500, 250, 0, null]);
      const bytes = Buffer.from(answer.dataBase64, 'base64');
      assert.is(bytes.length, answer.bytes);
      const metadata = await sharp(bytes).metadata();
      assert.equal([metadata.format, metadata.width, metadata.height], [format, 500, 250]);
      const secondRender = (await bench.render(compositionId, { format, scale: 2.5 })).body;
      assert.is(secondRender.dataBase64, answer.dataBase64);
      const accept = { headers: { accept: answer.contentType } };
      const plain = await bench.render(compositionId, { format }, accept);
      assert.equal([plain.status, plain.headers['Content-Type']], [200, answer.contentType]);
    }
    const jpeg = (await bench.render(compositionId, { format: 'jpeg' })).body;
    assert.match((await pixels(Buffer.from(jpeg.dataBase64, 'base64'))).at(50, 90), /^#f[def]f[def]f[def]$/);
  });

  test('a render is stored in the asset library if the key may write assets', async () => {
    const { compositionId } = await bench.create({ ...canvas, name: 'Sale / spring' });
    await bench.change(compositionId, { layers: [rect(0, 0, 200, 100, '#ff0000')] });
    for (const format of ['svg', 'png', 'webp', 'jpeg']) {
      const { status, body } = await bench.render(compositionId, { format, saveToAssets: true });
      assert.is(status, 200, JSON.stringify(body));
      const asset = (await bench.request(`/v1/assets/${body.assetId}`)).body;
      assert.equal([asset.width, asset.tags, asset.source], [200, ['composition'], 'render']);
    }
    const reader = await bench.keyWith(['compositions:read']);
    assert.is((await bench.render(compositionId, { format: 'svg' }, { key: reader })).status, 200);
    const refusal = await bench.render(compositionId, { format: 'svg', saveToAssets: true }, { key: reader });
    assert.equal([refusal.status, refusal.body.error.code], [403, 'insufficient_scope']);
  });

  test('a composition that needs too much work is refused before it is drawn: composition_too_large', async () => {
    const { compositionId } = await bench.create({ width: 8_192, height: 8_192 });
    const over = await bench.render(compositionId, { format: 'png', scale: 1.1 });
    assert.equal([over.status, over.body.error.code], [422, 'composition_too_large']);
    assert.equal(over.body.error.details[0].path, 'scale');
    const layers = Array.from({ length: 20 }, () => rect(0, 0, 8_192, 8_192, '#ff0000'));
    await bench.change(compositionId, { layers });
    const heavy = await bench.render(compositionId, { format: 'png' });
    assert.equal([heavy.status, heavy.body.error.code], [422, 'composition_too_large']);
  });

  test('characters that no font has are refused, except in SVG: composition_fonts_missing', async () => {
    // This character is reserved for ever, so no font has it.
    const layers = [{ kind: 'text', text: 'A \u{1fffe}', x: 0, y: 0, width: 100, height: 50, size: 20 }];
    const { compositionId } = await bench.create(canvas);
    await bench.change(compositionId, { layers });
    const refusal = await bench.render(compositionId, { format: 'png' });
    assert.equal([refusal.status, refusal.body.error.code], [501, 'composition_fonts_missing']);
    assert.is((await bench.render(compositionId, { format: 'svg' })).status, 200);
  });

  test('an abort signal ends the wait for a large picture', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>';
    const first = rasterOf(svg, 'png', 16_000_000, {});
    try {
      await rasterOf(svg, 'png', 16_000_000, { signal: AbortSignal.abort(new Error('over')) });
      assert.unreachable('the picture was drawn');
    } catch (error) {
      assert.is((error as Error).message, 'over');
    }
    assert.ok((await first).length > 0);
    assert.ok((await rasterOf(svg, 'png', 16_000_000, {})).length > 0);
  });

  test('a workspace can draw four pictures at a time: composition_busy', async () => {
    const { compositionId } = await bench.create(canvas);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => bench.render(compositionId, { format: 'png', scale: 4 })),
    );
    const answers = new Set(all.map(({ status, body }) => (status === 200 ? 'drawn' : body.error.code)));
    assert.equal([...answers].sort(), ['composition_busy', 'drawn']);
  });

  test('a server without the package or its program throws composition_renderer_missing with the reason', async () => {
    const messagePatterns = { package_missing: /npm install sharp/, program_missing: /picture-process\.js/ } as const;
    for (const [fault, pattern] of Object.entries(messagePatterns)) {
      const failing = withPictures(() => Promise.reject(new PictureError(fault as 'busy', '')));
      const error = await failing.then(String, (thrown: Error & { code?: string }) => thrown);
      assert.is((error as { code?: string }).code, 'composition_renderer_missing');
      assert.match((error as Error).message, pattern);
    }
  });

  test('the asset library refuses an SVG that is too large: asset_invalid', async () => {
    const side = 1_600;
    const noise = Buffer.alloc(side * side * 3);
    for (let index = 0, state = 1; index < noise.length; index += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      noise[index] = state >>> 24;
    }
    const raw = { width: side, height: side, channels: 3 as const };
    const assetId = await bench.asset(await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer());
    const { compositionId } = await bench.create({ width: side, height: side });
    await bench.change(compositionId, { layers: [{ kind: 'image', assetId, x: 0, y: 0, width: side, height: side }] });
    const refusal = await bench.render(compositionId, { format: 'svg', saveToAssets: true });
    assert.equal([refusal.status, refusal.body.error.code], [422, 'asset_invalid']);
  });

  test('an embedded composition fits each size, and its texts are readable', async () => {
    const style = { ...styleOf(undefined), name: 'Northwind Traders' };
    const brief = 'Make a banner about our spring sale: 20% off all chairs until Sunday. Free delivery.';
    const extreme = [16, 17, 40, 100, 191, 728, 1_128, 8_192];
    const sizes = [...canvasSizes, ...extreme.flatMap((width) => extreme.map((height) => ({ width, height })))];
    for (const { width, height } of sizes) {
      const at = `${width}×${height}`;
      const { layers } = composeEmbedded({ brief, width, height, style });
      const texts = layers.filter((layer) => layer.kind === 'text');
      assert.ok(texts.length > 0, at);
      for (const [index, text] of texts.entries()) {
        const { x, y } = text;
        assert.ok(
          x >= 0 && y >= -1 && x + text.width <= width + 1 && y + text.height <= height + text.size,
          `${at} ${text.text}`,
        );
        assert.ok(contrast(text.colour, style.palette.primary) >= 4.5, at);
        assert.not.match(wrap(text.text, text, text.width, text.height + 1).join(' '), '…', `${at} ${text.text}`);
        const next = texts[index + 1];
        if (next !== undefined && next.x === x) assert.ok(y + text.height <= next.y + 2, `${at} texts overlap`);
      }
      assert.equal(composeEmbedded({ brief, width, height, style }).layers, layers);
    }
    const story = composeEmbedded({ brief, width: 1_080, height: 1_920, style }).layers as unknown as Layer[];
    const drawn = await pixels(await bench.draw({ cropPresetId: 'ig-story' }, story));
    assert.is(drawn.at(5, 1_900), style.palette.primary);
  });
});
