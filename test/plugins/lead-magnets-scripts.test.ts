// PDFs of lead magnets in many scripts: a text that is copied from the PDF equals its source, and each script has its own direction.
// A hostile text gives a PDF or is refused in bounded time, and a missing font package causes a refusal.
// full-run: slow
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EmbeddedFont, makeCopyable, rightToLeftFeatures } from '../../plugins/lead-magnets/pdf/copyable-text.ts';
import { installedPackages } from '../../plugins/lead-magnets/pdf/packages.ts';
import { createPainter } from '../../plugins/lead-magnets/pdf/painter.ts';

const run = promisify(execFile);
const hasPoppler = await run('pdftotext', ['-v']).then(
  () => true,
  () => false,
);
if (!hasPoppler) console.log('# left out: the texts that pdftotext copies from the files');

const test = suite('the scripts of lead magnets');
const { signal } = new AbortController();

/** Article 1 of the Universal Declaration of Human Rights, with a heading. */
const articles = {
  ja: [
    '自由と平等',
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
  ],
  'zh-Hans': ['自由与平等', '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。'],
  'zh-Hant': ['自由與平等', '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。'],
  ko: [
    '자유와 평등',
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
  ],
  ar: [
    'الحرية والمساواة',
    'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.',
  ],
  he: [
    'חירות ושוויון',
    'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.',
  ],
  th: [
    'เสรีภาพและความเสมอภาค',
    'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
  ],
  pl: [
    'Wolność i równość',
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem.',
  ],
} as const;
type Language = keyof typeof articles;

const bookOf = (title: string, text: string) => ({
  title,
  format: 'guide' as const,
  covers: 0,
  chapters: [{ heading: title, summary: '', text }],
  style: undefined,
  logo: undefined,
});
const painter = createPainter({});
const paint = (title: string, text: string) => painter.paint(bookOf(title, text), signal);
const pagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;

async function inFile<T>(pdf: Buffer, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lead-magnet-'));
  try {
    const path = join(folder, 'book.pdf');
    await writeFile(path, pdf);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const copied = (pdf: Buffer, page: number) =>
  inFile(pdf, async (path) => {
    const { stdout } = await run('pdftotext', ['-f', `${page}`, '-l', `${page}`, path, '-'], { timeout: 60_000 });
    return stdout;
  });
/** The text of a page without spaces, line ends and direction marks. */
const textOfPage = async (pdf: Buffer, page: number) => withoutWhitespace(await copied(pdf, page));
/** The lines of a page. */
const linesOfPage = async (pdf: Buffer, page: number) =>
  (await copied(pdf, page))
    .split(/[\n\f]+/)
    .map(withoutWhitespace)
    .filter((line) => line !== '');
const withoutWhitespace = (text: string) =>
  text.normalize('NFC').replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');

interface Word {
  readonly left: number;
  readonly right: number;
  readonly text: string;
}

/** The words of a page with their left and right edges, in points. */
const wordsOfPage = (pdf: Buffer, page: number): Promise<Word[]> =>
  inFile(pdf, async (path) => {
    const options = ['-bbox', '-f', `${page}`, '-l', `${page}`, path, '-'];
    const { stdout } = await run('pdftotext', options, { timeout: 60_000 });
    const words = stdout.matchAll(/xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">([^<]*)</g);
    return Array.from(words, ([, left, right, text = '']) => ({ left: Number(left), right: Number(right), text }));
  });

for (const [language, [title, article]] of Object.entries(articles)) {
  test(`a text in ${language} can be copied from its PDF, which is small and has the language`, async () => {
    const pdf = await paint(title, `${article}\n\n- **${article}**\n`);
    assert.is(pagesIn(pdf), 2);
    assert.ok(pdf.length < 80_000, `${pdf.length}`);
    assert.ok(pdf.includes(language === 'pl' ? '/Lang (en)' : `/Lang (${language})`));
    if (!hasPoppler) return;
    const text = await textOfPage(pdf, 2);
    assert.is(text.split(withoutWhitespace(title)).length, 3, 'the heading and the footer');
    assert.is(text.split(withoutWhitespace(article)).length, 3, text);
  });
}

test('text in several scripts on one line can be copied', async () => {
  if (!hasPoppler) return;
  const line = 'Bread, 自由です, 자유 and เสรีภาพ at 45% (2026)';
  assert.ok((await textOfPage(await paint('Bread', line), 2)).includes(withoutWhitespace(line)));
});

test('the marks of Arabic and Thai letters stay with their letters', async () => {
  if (!hasPoppler) return;
  // pdftotext puts the marks of a letter from right to left before the letter, so only their number is compared.
  const text = await textOfPage(await paint('مدرسة', 'مُحَمَّدٌ أحراراً'), 2);
  for (const mark of 'َُّ') assert.ok(text.includes(mark), `U+${mark.codePointAt(0)?.toString(16)}`);
  assert.ok((await textOfPage(await paint('น้ำ', 'ที่นี่มีน้ำทั้งหมด'), 2)).includes('ที่นี่มีน้ำทั้งหมด'));
});

/** Texts with vowel marks, and with marks above marks. */
const marked = {
  ar: ['مُحَمَّدٌ', 'سَلَامٌ', 'لَا إِلَى', 'الإِخَاءُ', 'أحراراً'],
  he: ['שָׁלוֹם', 'בְּרֵאשִׁית', 'וְאֵת', 'כׇּל'],
  th: ['ที่นี่', 'เก้าอี้', 'น้ำ'],
} as const;
const noto = (name: string, family: string) =>
  installedPackages.readFile(`@expo-google-fonts/${name}/400Regular/${family}_400Regular.ttf`);
/** A font that draws ل and ا as one glyph. */
const withLigatures = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
if (!existsSync(withLigatures)) console.log('# left out: the marks within a ligature');

test('each letter is copied with its marks after it, in the order of the source', async () => {
  const { default: Pdf } = await import('pdfkit');
  const bidi = await installedPackages.loadBidi();
  for (const [language, font] of [
    ['ar', await noto('noto-sans-arabic', 'NotoSansArabic')],
    ['he', await noto('noto-sans-hebrew', 'NotoSansHebrew')],
    ['th', await noto('noto-sans-thai', 'NotoSansThai')],
    ['ar', existsSync(withLigatures) ? await readFile(withLigatures) : undefined],
  ] as const) {
    if (font === undefined) continue;
    const document = new Pdf({ autoFirstPage: false });
    document.registerFont('font', font as never);
    document.font('font');
    const embedded = (document as unknown as { _font: EmbeddedFont })._font;
    makeCopyable(embedded, bidi);
    for (const text of marked[language]) {
      const [codes] = embedded.encode(text, language === 'th' ? undefined : rightToLeftFeatures);
      const copied = codes.map((code) => String.fromCodePoint(...(embedded.unicode[Number.parseInt(code, 16)] ?? [])));
      // Glyphs are painted from left to right.
      if (language !== 'th') copied.reverse();
      assert.is(copied.join(''), text, `${language}: ${copied.join(' ')}`);
    }
  }
});

test('Arabic and Hebrew end at the right edge, with their bullets, numbers and bars at the right', async () => {
  if (!hasPoppler) return;
  const rightEdge = 595.28 - 72;
  for (const language of ['ar', 'he'] as const) {
    const [title, article] = articles[language];
    const words = await wordsOfPage(await paint(title, `${article}\n\n- ${article}\n\n1. ${title}`), 2);
    assert.ok(Math.abs(Math.max(...words.map(({ right }) => right)) - rightEdge) < 1);
    const bullet = words.find(({ text }) => text === '•');
    assert.ok(bullet !== undefined && bullet.left > rightEdge - 22, JSON.stringify(bullet));
    const number = words.find(({ text, left }) => /^\.?1\.?$/.test(text) && left > 300);
    assert.ok(number !== undefined && number.left > rightEdge - 22, JSON.stringify(words));
    const pageNumber = words.find(({ text }) => text === '2');
    assert.ok(pageNumber !== undefined && pageNumber.left < 73, JSON.stringify(pageNumber));
  }
});

test('numbers and Latin words inside of Arabic keep their order', async () => {
  if (!hasPoppler) return;
  const words = await wordsOfPage(await paint('الحرية', 'قبل Postrider API بعد 2026'), 2);
  const leftOf = (wanted: string) => words.find(({ text }) => text === wanted)?.left ?? Number.NaN;
  const order = ['2026', 'بعد', 'Postrider', 'API', 'قبل'].map(leftOf);
  assert.equal(
    order,
    [...order].sort((a, b) => a - b),
  );
});

test('no line begins with closing punctuation or ends with opening punctuation', async () => {
  if (!hasPoppler) return;
  for (let filler = 30; filler < 46; filler += 1) {
    const text = `${'人'.repeat(filler)}「自由」。（平等）、${'人'.repeat(filler)}っー`;
    for (const line of await linesOfPage(await paint('自由', text), 2)) {
      assert.not.match(line, /^[」。）、っー]/u);
      assert.not.match(line, /[「（]$/u);
    }
  }
});

test('Thai lines end between words', async () => {
  if (!hasPoppler) return;
  const [title, article] = articles.th;
  const plain = article.replace(/ /g, '');
  const segments = new Intl.Segmenter('th', { granularity: 'word' }).segment(plain.repeat(4));
  const ends = new Set(Array.from(segments, ({ index }) => index));
  const lines = (await linesOfPage(await paint(title, plain.repeat(4)), 2)).filter((line) => line.length > 1);
  let at = 0;
  for (const line of lines.filter((text) => text !== withoutWhitespace(title))) {
    at += line.length;
    assert.ok(ends.has(at) || at === plain.length * 4, `${at}: ${line}`);
  }
  assert.is(at, plain.length * 4);
});

const hostile: Readonly<Record<string, string>> = {
  'a word of 10,000 Latin letters': 'a'.repeat(10_000),
  'a word of 10,000 Arabic letters': 'م'.repeat(10_000),
  'a word of 10,000 Thai letters': 'ก'.repeat(10_000),
  '10,000 Chinese characters': '人'.repeat(10_000),
  '10,000 closing brackets': `自${'」'.repeat(10_000)}`,
  'only combining marks': '\u0301\u064e\u0e49\u3099'.repeat(500),
  'one letter with 2,000 marks': `ก${'\u0e49'.repeat(2_000)}`,
  'mixed directions': 'אab(12[مd]3)ג"x"'.repeat(300),
  'open isolates and overrides': '\u202e\u2067\u2066\u2068abc مرحبا \u202a'.repeat(200),
  'invisible characters': 'a\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f'.repeat(1_000),
  'control characters': '\u0001\u0007\u001b[31mred\u0000\u007f\u0085 人',
  'nested brackets': `${'('.repeat(5_000)}م${')'.repeat(5_000)}`,
};

for (const [name, text] of Object.entries(hostile)) {
  test(`a text of ${name} makes a PDF or is refused, in bounded time`, async () => {
    const started = performance.now();
    let longest = 0;
    let last = started;
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    try {
      const pdf = await paint('自由 الحرية', text);
      assert.ok(pagesIn(pdf) >= 2);
      assert.ok(pdf.length < 1_500_000, `${pdf.length}`);
    } catch (error) {
      assert.is((error as { code?: string }).code, 'lead_magnet_characters');
    } finally {
      clearInterval(watch);
    }
    assert.ok(performance.now() - started < 30_000, `${performance.now() - started} ms`);
    assert.ok(longest < 5_000, `the event loop was blocked for ${longest} ms`);
  });
}

test('a script whose font package is not installed is refused, with the script and the command that installs it', async () => {
  const without = (missing: RegExp) =>
    createPainter(
      {},
      {
        readFile: async (path) => (missing.test(path) ? undefined : installedPackages.readFile(path)),
        loadBidi: async () => (missing.test('bidi-js') ? undefined : installedPackages.loadBidi()),
      },
    );
  const refusal = async (missing: RegExp, language: Language) => {
    const [title, article] = articles[language];
    try {
      await without(missing).paint(bookOf(title, article), signal);
    } catch (error) {
      return error as { code: string; status: number; message: string };
    }
    throw new Error('The text was not refused.');
  };
  for (const [language, script, name] of [
    ['ja', 'Japanese', 'noto-sans-jp'],
    ['zh-Hans', 'Chinese (simplified)', 'noto-sans-sc'],
    ['zh-Hant', 'Chinese (traditional)', 'noto-sans-tc'],
    ['ko', 'Korean', 'noto-sans-kr'],
    ['ar', 'Arabic', 'noto-sans-arabic'],
    ['he', 'Hebrew', 'noto-sans-hebrew'],
    ['th', 'Thai', 'noto-sans-thai'],
    ['pl', 'Latin, Greek or Cyrillic', 'noto-sans'],
  ] as const) {
    const { code, status, message } = await refusal(/noto-sans/, language);
    assert.equal([code, status], ['lead_magnet_renderer_missing', 501]);
    assert.ok(message.includes(script), message);
    assert.ok(message.endsWith(`npm install @expo-google-fonts/${name}`), message);
  }
  assert.match((await refusal(/bidi-js/, 'ar')).message, /npm install bidi-js$/);
  assert.match((await refusal(/./, 'he')).message, /npm install @expo-google-fonts\/noto-sans-hebrew bidi-js$/);
});

test('Chinese characters have the form of the language that the service names', async () => {
  const fontIn = async (language: string | undefined, text: string) => {
    const pdf = await createPainter(language === undefined ? {} : { language }).paint(bookOf(text, text), signal);
    return /\+(NotoSans[A-Z]+)-/.exec(pdf.toString('latin1'))?.[1];
  };
  for (const [language, text, font] of [
    ['ja', '自由', 'NotoSansJP'],
    ['zh-TW', '自由', 'NotoSansTC'],
    ['zh-CN', '自由', 'NotoSansSC'],
    ['ko', '自由', 'NotoSansKR'],
    [undefined, '自由です', 'NotoSansJP'],
    [undefined, '他們賦有', 'NotoSansTC'],
    [undefined, '他们赋有', 'NotoSansSC'],
  ] as const)
    assert.is(await fontIn(language, text), font, `${language} ${text}`);
});

test.run();
