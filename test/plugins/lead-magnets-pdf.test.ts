// The PDF of lead magnets: pages, outline, tags, links, the same bytes for the same content, and refused content.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPainter } from '../../plugins/lead-magnets/pdf/painter.ts';

const test = suite('the PDF of lead magnets');
const signal = new AbortController().signal;
const text =
  'Feed it **daily**: [how](https://bakery.example/how).\n\n- [ ] Flour\n- Water\n\n> Wait.\n\n## Then\n\n`bake`';
const book = {
  title: 'Sourdough',
  format: 'guide' as const,
  covers: 2,
  chapters: [
    { heading: 'Your starter', summary: 'Flour.', text },
    { heading: 'Your bread', summary: '', text: 'Bake it.' },
  ],
  style: undefined,
  logo: undefined,
};

test('a PDF has covers, contents and chapters, with bookmarks, tags and links', async () => {
  const pdf = (await createPainter({ language: 'de' }).paint(book, signal)).toString('latin1');
  assert.is(pdf.match(/\/Type \/Page\n/g)?.length, 5);
  for (const part of ['/Lang (de)', '/Marked true', '/Outlines', '(Your starter)', 'https://bakery.example/how'])
    assert.ok(pdf.includes(part), part);
  for (const tag of [
    'Document',
    'Sect',
    'H1',
    'H2',
    'H3',
    'P',
    'TOC',
    'TOCI',
    'L',
    'LI',
    'Lbl',
    'LBody',
    'Link',
    'BlockQuote',
  ])
    assert.match(pdf, new RegExp(`/S /${tag}\\n`), tag);
  const without = (await createPainter({}).paint({ ...book, covers: 0 }, signal)).toString('latin1');
  assert.is(without.match(/\/Type \/Page\n/g)?.length, 3);
});

/** The number of empty boxes that screen readers read. */
const boxesIn = (pdf: Buffer): number =>
  pdf.toString('latin1').split('/ActualText (\u00fe\u00ff\u0026\u0010)').length - 1;

test('in a checklist, items of every bullet list have a box; in other formats only items of task lists have one', async () => {
  const lists = '- Flour\n- Water\n  - warm\n- [ ] Salt\n\n1. Mix\n2. Wait\n\n> - Bake';
  const boxes = async (format: 'checklist' | 'guide') => {
    const chapters = [{ heading: 'Bread', summary: '', text: lists }];
    return boxesIn(await createPainter({}).paint({ ...book, format, chapters }, signal));
  };
  assert.is(await boxes('checklist'), 5);
  assert.is(await boxes('guide'), 1);
});

test('a table has rows and cells, even over several pages; a table with very many columns becomes lines', async () => {
  const pdfOf = async (table: string) => {
    const chapters = [{ heading: 'Days', summary: '', text: table }];
    const pdf = (await createPainter({}).paint({ ...book, covers: 0, chapters }, signal)).toString('latin1');
    const count = (part: RegExp) => pdf.match(part)?.length ?? 0;
    return {
      cells: ['TR', 'TH', 'TD'].map((name) => count(new RegExp(`/S /${name}\\n`, 'g'))),
      pages: count(/\/Type \/Page\n/g),
    };
  };
  assert.equal(await pdfOf('| Month | Days |\n|---|---|\n| May | **12** |\n| June | |'), {
    cells: [3, 2, 4],
    pages: 2,
  });
  const long = `| Month | Days |\n|---|---|\n| May | ${'twelve days '.repeat(1_000)} |`;
  const { cells, pages } = await pdfOf(long);
  assert.equal(cells, [2, 2, 2]);
  assert.ok(pages > 3, `${pages}`);
  const wide = [...Array(12).keys()].join(' | ');
  assert.equal(await pdfOf(`| ${wide} |\n|${'---|'.repeat(12)}\n| ${wide} |`), { cells: [0, 0, 0], pages: 2 });
});

test('the same content gives the same bytes', async () => {
  const { paint } = createPainter({});
  assert.ok((await paint(book, signal)).equals(await paint(book, signal)));
  assert.not.ok((await paint(book, signal)).equals(await paint({ ...book, covers: 1 }, signal)));
});

test('characters that no font has are refused, and the error names each with its position', async () => {
  try {
    await createPainter({}).paint({ ...book, title: 'Bread 🍞' }, signal);
    assert.unreachable();
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { path: string }[] };
    assert.equal([code, details[0]?.path], ['lead_magnet_characters', 'title']);
    assert.match(message, '🍞');
  }
});

test('if a font cannot be read, the call answers lead_magnet_renderer_missing', async () => {
  for (const regular of ['/nowhere/font.ttf', new Uint8Array([1, 2, 3])])
    try {
      await createPainter({ fonts: { Own: { regular } } }).paint(book, signal);
      assert.unreachable();
    } catch (error) {
      assert.is((error as { code: string }).code, 'lead_magnet_renderer_missing');
    }
});

test.run();
