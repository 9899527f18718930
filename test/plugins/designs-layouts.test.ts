// The six layouts of designs: texts of any script stay in their boxes, apart from each other and on the canvas, measured with the fonts
// that draw them.
// full-run: slow
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast } from '../../plugins/designs/composing/colours.ts';
import { type DesignLayoutName, layoutFor, layoutNames } from '../../plugins/designs/composing/layouts.ts';
import { copyFrom } from '../../plugins/designs/composing/picture-copy.ts';
import { measuredRulers } from '../../plugins/designs/paint/measure.ts';
import { writeSvg } from '../../plugins/designs/paint/svg.ts';
import { lineHeight, wrap } from '../../plugins/designs/paint/wrap.ts';
import { designSizes, designTexts, layOutCopy } from '../support/designs-cases.ts';

const test = suite('the layouts of designs');
const font = { family: 'Helvetica', fallback: 'sans' as const };

const words = {
  latin: ['Sale', 'Rechtsschutzversicherungsgesellschaften', 'WWWWWWWWWW', 'a', 'iiiiiiii', 'Ünïcödé', '50 %'],
  greek: ['Προσφορά', 'Κυριακή', 'ηλεκτροεγκεφαλογράφημα'],
  cyrillic: ['Распродажа', 'воскресенье', 'Превысокомногорассмотрительствующий'],
  arabic: ['عروض', 'الربيع', 'فسيكفيكهم', '20%'],
  hebrew: ['מבצע', 'אביב', 'הסתדרויותיהם'],
  japanese: ['春の', '「新商品」', 'フェア。', '全品二〇パーセント引き'],
} as const;

/** Texts that are random but the same in each run. */
function* randomTexts(): Generator<{ heading: string; line: string; brand: string }> {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (const list of Object.values(words))
    for (let round = 0; round < 3; round += 1) {
      const text = (count: number) => Array.from({ length: count }, () => list[next(list.length)] ?? '').join(' ');
      const { heading, line } = copyFrom(text(1 + next(9)), text(next(14)));
      yield { heading, line, brand: text(1) };
    }
}

async function check(copy: { heading: string; line: string; brand: string }, layout: DesignLayoutName) {
  for (const size of designSizes) {
    const { layers, rulers } = await layOutCopy(copy, size, layout);
    const texts = layers.flatMap((layer) => (layer.kind === 'text' ? [layer] : []));
    const place = `${layout} ${size.cropPresetId} ${copy.heading}`;
    assert.ok(texts.length > 0, place);
    for (const text of texts) {
      const { x, y, width, height } = text;
      assert.ok(x >= 0 && y >= 0 && x + width <= size.width + 1 && y + height <= size.height + 1, `outside: ${place}`);
      const lines = wrap(text.text, text, width, height, rulers);
      const ruler = rulers(text.font, text.weight);
      for (const line of lines) assert.ok(ruler.widthOf(line) * text.size <= width + 1, `too wide: ${line} ${place}`);
      assert.ok(lines.length * text.size * lineHeight <= height + text.size * 0.05, `too high: ${place}`);
      assert.ok(text.size >= 10, `unreadable: ${text.size} ${place}`);
      assert.not.match(lines.join(''), /…[.…]|[.,;:]…/u);
      for (const other of texts) {
        const isApart = other.y >= y + height - 1 || other.y + other.height <= y + 1 || other.x >= x + width - 1;
        assert.ok(other === text || isApart || other.x + other.width <= x + 1, `overlaps: ${place}`);
      }
    }
    const [ground] = layers;
    const fill = ground?.kind === 'shape' ? (ground.fill ?? '') : '';
    for (const { colour } of texts) assert.ok(contrast(colour, fill) >= 4.5, place);
  }
}

for (const layout of layoutNames)
  test(`in the layout ${layout}, no text leaves its box or the canvas, or lies on another text`, async () => {
    for (const copy of [...Object.values(designTexts), ...randomTexts()]) await check(copy, layout);
  });

test('in a banner, the line below the heading is there, whole, and easy to read', async () => {
  for (const layout of layoutNames)
    for (const [script, { heading, line, brand }] of Object.entries(designTexts))
      for (const size of designSizes.filter(({ width, height }) => width > 2.2 * height)) {
        const { layers, rulers } = await layOutCopy({ heading, line, brand }, size, layout);
        const place = `${layout}, ${size.cropPresetId}, ${script}`;
        const lineLayer = layers.find((each) => each.kind === 'text' && each.text === line);
        assert.ok(lineLayer?.kind === 'text', `missing: ${place}`);
        assert.ok(lineLayer.size >= size.height * 0.06, `tiny: ${lineLayer.size} of ${size.height}, ${place}`);
        const lines = wrap(line, lineLayer, lineLayer.width, lineLayer.height, rulers);
        assert.not.match(lines.join(''), '…', place);
      }
});

/** The left and right edges of the dark pixels. */
async function inkOf(svg: string): Promise<readonly [number, number]> {
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [left, right] = [info.width, -1];
  for (let at = 0; at < data.length; at += 1)
    if ((data[at] ?? 255) < 128) {
      left = Math.min(left, at % info.width);
      right = Math.max(right, at % info.width);
    }
  return [left, right];
}

const layer = {
  kind: 'text' as const,
  id: 'a',
  x: 0,
  y: 0,
  width: 900,
  height: 100,
  rotation: 0,
  opacity: 1,
  font,
  colour: '#000000',
};
const drawn = (text: string, more: { align: 'left' | 'center' | 'right'; size: number; weight: number }) =>
  writeSvg({ width: 900, height: 100, layers: [{ ...layer, text, ...more }] }, { width: 900, height: 100 }, new Map());

test('a measured width is the width of the drawn text, in each script and weight', async () => {
  for (const text of ['Donaudampfschiff', 'WWiill', 'Распродажа', 'عروض الربيع', 'מבצע אביב', '春の新商品フェア'])
    for (const weight of [400, 700]) {
      const rulers = await measuredRulers([{ text, font, weight }], {});
      const [left, right] = await inkOf(drawn(text, { align: 'left', size: 60, weight }));
      const width = rulers(font, weight).widthOf(text) * 60;
      assert.ok(
        width >= right - left - 2 && width <= right - left + 14,
        `${text} ${weight}: ${width} for ${right - left}`,
      );
    }
});

test('Arabic and Hebrew are flush right, and their sentence ends at the left', async () => {
  for (const text of ['عروض الربيع!', 'מבצע אביב!']) {
    const [, right] = await inkOf(drawn(text, { align: 'right', size: 60, weight: 400 }));
    assert.ok(right > 885 && right < 900, `${right}`);
    const [left] = await inkOf(drawn(text, { align: 'left', size: 60, weight: 400 }));
    assert.ok(left >= 0 && left < 15, `${left}`);
    for (const size of designSizes) {
      const { layers } = await layOutCopy({ heading: text, line: '', brand: '' }, size, 'circles');
      const heading = layers.find(({ kind }) => kind === 'text');
      assert.is(heading?.kind === 'text' ? heading.align : undefined, 'right');
    }
  }
});

test('a line of Japanese begins with no closing punctuation, and only a cut text ends with an ellipsis', async () => {
  const look = { font, size: 20, weight: 400 };
  for (let width = 60; width < 260; width += 10)
    for (const line of wrap('春の「新商品」フェア。全品、二〇パーセント引き！', look, width, 1_000))
      assert.not.match(line, /^[」。、！ー]|[「]$|…/u);
  assert.equal(wrap('One two three.', look, 1_000, 24), ['One two three.']);
  assert.equal(wrap('One two. Three four five', look, 104, 24), ['One two…']);
  assert.is(copyFrom('Wait for it....', '').heading, 'Wait for it…');
});

test('the same text always has the same layout, and different texts use all six layouts', () => {
  const names = Array.from({ length: 100 }, (_, index) => layoutFor(`Spring sale ${index}`));
  assert.equal([...new Set(names)].sort(), [...layoutNames].sort());
  assert.is(layoutFor('Spring sale'), layoutFor('Spring sale'));
});

test.run();
