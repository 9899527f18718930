// The starters in all languages: complete and different texts, the same layout, the direction, and the choice of the language.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import {
  localizeTemplate,
  type StarterLanguages,
  standardPlugins,
  starterLocales,
  starterTexts,
  templatesPlugin,
} from '../../plugins/index.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';
import { type NestedTexts, slotsOf } from '../../plugins/templates/starters/marks.ts';
import { hebrew } from '../support/hebrew-starters.ts';
import { exampleCases, hardCases, type StarterMail, sendStarters } from '../support/starter-mails.ts';

const test = suite('languages of the starters');

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'ar'] as const;
const all = { ...starterTexts, he: hebrew };
const tags = [...languages, 'he'];
const composed: StarterLanguages = { languages: tags, texts: { he: hebrew } };

/** Every text with its path. */
const flat = (tree: NestedTexts, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[path + name, value] as [string, string]] : flat(value, `${path}${name}.`),
  );
const english = new Map(flat(starterTexts.en));

/** Texts that are the same word in both languages. */
const sameAsEnglish: Readonly<Record<string, readonly string[]>> = {
  fr: ['receipt.date'],
};

const cases = [...exampleCases, ...hardCases];
const mails = new Map<string, StarterMail[]>();
test.before(async () => {
  for (const locale of tags) mails.set(locale, await sendStarters(cases, { starters: composed, locale }));
});

const eachMail = (check: (mail: StarterMail, locale: string, label: string) => void) => {
  for (const [locale, sent] of mails)
    for (const mail of sent) check(mail, locale, `${locale}, ${mail.key}, ${mail.name}`);
};

test('each of the ten languages has every text, with the same slots as the English text', () => {
  assert.equal(Object.keys(starterTexts), [...languages]);
  for (const [language, texts] of Object.entries(all)) {
    const translated = new Map(flat(texts));
    assert.equal([...translated.keys()].sort(), [...english.keys()].sort(), language);
    for (const [path, text] of translated) {
      const expected = [...new Set(slotsOf(english.get(path) ?? ''))].sort();
      assert.equal([...new Set(slotsOf(text))].sort(), expected, `${language}, ${path}`);
      assert.not.match(text, /[<>&"]|'|\{\{|\.\.\.|!| {2}/, `${language}, ${path}`);
      if (!path.startsWith('colon.')) assert.is(text, text.trim(), `${language}, ${path}`);
    }
  }
});

test('no text was left in English', () => {
  for (const [language, texts] of Object.entries(all).filter(([tag]) => tag !== 'en')) {
    const untranslated = flat(texts)
      .filter(([path, text]) => !path.startsWith('colon.') && /\p{L}/u.test(text.replace(/\{[a-z_]+\}/g, '')))
      .filter(([path, text]) => text === english.get(path))
      .map(([path]) => path);
    assert.equal(untranslated, sameAsEnglish[language] ?? [], language);
  }
});

test('each language has its script and its punctuation', () => {
  const wordsOf = (language: keyof typeof all) =>
    flat(all[language]).map(([, text]) => text.replace(/\{[a-z_]+\}/g, '0'));
  for (const text of wordsOf('fr')) assert.not.match(text, /[^\u00a0\s][:;?»]|[ ][:;?»]|« /, text);
  for (const text of wordsOf('ja')) {
    assert.not.match(text, /[.,:;?()]|[\u3040-\u30ff\u4e00-\u9fff。、] [\u3040-\u30ff\u4e00-\u9fff]/u, text);
  }
  for (const text of wordsOf('ar')) assert.not.match(text, /[,;?]|[A-Za-z]/, text);
  for (const text of wordsOf('he')) assert.not.match(text, /[A-Za-z]/, text);
  for (const text of wordsOf('es')) {
    assert.is(text.match(/\?/g)?.length, text.match(/¿/g)?.length, text);
  }
  // Readers are addressed formally.
  for (const text of wordsOf('de')) assert.not.match(text, /\b(?:du|dich|dir|dein\w*)\b/i, text);
  for (const text of wordsOf('fr')) assert.not.match(text, /\b(?:tu|te|toi|ton|ta|tes)\b/i, text);
  for (const text of wordsOf('nl')) assert.not.match(text, /\b(?:je|jij|jouw|jou)\b/i, text);
});

test('every starter is sent in every language with the right language and direction, and without a leftover mark or placeholder', () => {
  assert.is(mails.size, 11);
  eachMail(({ html, text, subject }, locale, label) => {
    const direction = locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr';
    assert.match(html, `<html lang="${locale}" dir="${direction}"`, label);
    assert.match(
      html,
      new RegExp(`<div[^>]*aria-roledescription="email"[^>]*lang="${locale}" dir="${direction}"`),
      label,
    );
    assert.not.match(`${html} ${text} ${subject}`, /\[\[|\]\]|\|\||\{[{%a-z]|undefined/, label);
    if (direction === 'rtl')
      assert.not.match(
        html,
        /direction:ltr|text-align:left(?!;direction:rtl)|dir="ltr"[^>]*role="presentation"/,
        label,
      );
    else assert.not.match(html, /direction:rtl|text-align:right;"|dir="rtl"/, label);
  });
});

test('the subject and the preview text fit into a list of mails', () => {
  eachMail(({ name, subject, html }, _locale, label) => {
    if (name !== 'short' && name !== 'full') return;
    const [, preview = ''] = /<body[^>]*><div[^>]*>([^<]*?)(?:&#847;|<)/.exec(html) ?? [];
    assert.ok(subject.length >= 10 && subject.length <= 70, `${label}: ${subject}`);
    assert.ok(preview.length >= 10 && preview.length <= 130, `${label}: ${preview}`);
  });
});

test('no sentence of the English mail is in a mail of another language', () => {
  const sentences = [...english].filter(([, text]) => text.length > 14).map(([, text]) => text.split(/\{[a-z_]+\}/));
  eachMail(({ html, text, subject }, locale, label) => {
    if (locale === 'en') return;
    const content = `${subject}\n${text}\n${html}`;
    for (const pieces of sentences)
      for (const piece of pieces.map((each) => each.trim()).filter((each) => each.length > 12))
        assert.not.ok(content.includes(piece), `${label}: ${piece}`);
  });
});

test('the text part has the facts, and is readable in every language', () => {
  eachMail(({ key, name, text, subject }, _locale, label) => {
    assert.not.match(text, /<[a-z/]|&[a-z#0-9]+;|\n{3,}|\u2028|\(\)|· *$/m, label);
    assert.ok(text.length > 100, label);
    if (name !== 'full') return;
    const facts: Readonly<Record<string, readonly string[]>> = {
      receipt: ['96.50 EUR', 'NW-1041', 'Wool blanket', '20 November 2026', 'Visa ending in 4242'],
      'password-reset': ['https://app.northwind.example/reset-password?token=', 'grace@example.com', '1 hour'],
      'login-code': ['482913', '10 minutes', 'Firefox on Windows'],
      'magic-link': ['https://app.northwind.example/sign-in?token=', '15 minutes', 'Bergen, Norway'],
      'shipping-notice': ['NW-1041', 'Thursday, 26 November', 'FP 4471 9028 3310', 'Bryggen 17'],
      welcome: ['Grace', 'https://app.northwind.example', 'Connect your bank account', 'grace@example.com'],
      invitation: ['Grace Hopper', 'Harbour Works', 'Editor', '30 November 2026', 'second sheet'],
    };
    for (const fact of [...(facts[key] ?? []), 'help@northwind.example'])
      assert.ok(`${subject}\n${text}`.includes(fact), `${label} lacks ${fact}`);
  });
});

test('each mail stays below the size at which Gmail clips it', () => {
  eachMail(({ html }, _locale, label) => {
    const size = Buffer.byteLength(html);
    assert.ok(size < 102_000, `${label}: ${size} bytes`);
  });
});

const open = (options: StarterLanguages) =>
  createTestService({
    plugins: standardPlugins.map((plugin) =>
      plugin.id === 'templates' ? templatesPlugin({ starters: options }) : plugin,
    ),
  });

test('a recipient gets the best matching language, or else the first language, and codes and links stay hidden in every language', async () => {
  const bench = await open({ languages: ['de', 'fr', 'ar'] });
  try {
    const { email, templates } = bench.service.as(bench.workspaceId);
    const send = (locale?: string) =>
      email.send({
        template: 'login-code',
        to: 'ada@example.com',
        variables: { code: '482913', product: 'Acme' },
        ...(locale === undefined ? {} : { locale }),
      });
    assert.is((await send()).subject, '•••• ist Ihr Code für Acme');
    assert.is((await send('fr-CA')).subject, '•••• est votre code Acme');
    assert.is((await send('ar-EG')).subject, '•••• هو رمزك في Acme');
    assert.is((await send('ja')).subject, '•••• ist Ihr Code für Acme');
    await bench.drain();
    assert.match(bench.lastMailTo('ada@example.com')?.html ?? '', '482913');
    for (const locale of ['de', 'fr', 'ar']) {
      const preview = await email.preview({ template: 'login-code', variables: { code: '482913' }, locale });
      assert.not.match(JSON.stringify(preview), '482913', locale);
    }
    const { locale, locales } = await templates.read({ key: 'welcome' });
    assert.equal([locale, Object.keys(locales ?? {})], ['de', ['fr', 'ar']]);
  } finally {
    await bench.close();
  }
});

test('the frozen languages equal the languages that publishing would freeze', async () => {
  const bench = await open(composed);
  try {
    const { templates } = bench.service.as(bench.workspaceId);
    const db = await bench.service.core.database();
    for (const { key } of starters()) {
      const { name, category, mode, subject, previewText, body, text, variables, locale, locales } =
        await templates.read({ key });
      assert.ok(locale);
      const content = { name, category, mode, subject, previewText, body, text, variables, locale };
      await templates.create({ ...content, key: `again-${key}`, locales: locales ?? {} });
      await templates.publish({ key: `again-${key}` });
      const rowOf = async (of: string) => {
        const { id } = await templates.read({ key: of });
        return db.read(bench.workspaceId, (handle) =>
          handle.db
            .selectFrom('template_versions')
            .select(['subject', 'preview_text', 'html', 'text_part', 'locale', 'locales'])
            .where('template_id', '=', id)
            .executeTakeFirstOrThrow(),
        );
      };
      const [seeded, published] = [await rowOf(key), await rowOf(`again-${key}`)];
      const parse = (row: typeof seeded) => ({ ...row, locales: JSON.parse(row.locales ?? 'null') });
      assert.equal(parse(seeded), parse(published), key);
      assert.equal(parse(seeded).locales.names, tags.slice(1), key);
    }
  } finally {
    await bench.close();
  }
});

test('an update gives an existing workspace further languages', async () => {
  const bench = await open({});
  try {
    const { email, templates } = bench.service.as(bench.workspaceId);
    const { locale, locales } = await templates.read({ key: 'welcome' });
    assert.equal([locale, Object.keys(locales ?? {})], ['en', []]);
    await templates.update({ key: 'welcome', locales: starterLocales('welcome', ['pl', 'he'], { he: hebrew }) });
    await templates.publish({ key: 'welcome' });
    const variables = { name: 'Ada', url: 'https://app.acme.example', product: 'Acme' };
    const send = (to: string) => email.send({ template: 'welcome', to: 'ada@example.com', variables, locale: to });
    assert.is((await send('pl')).subject, 'Ada, witamy w Acme');
    assert.is((await send('he-IL')).subject, 'ברוכים הבאים ל־Acme, Ada');
    assert.is((await send('de')).subject, 'Welcome to Acme, Ada');
  } finally {
    await bench.close();
  }
});

test('languages without texts, incomplete texts and wrong slots are refused when the service is composed', () => {
  const refusal = (starters: object) => {
    try {
      templatesPlugin({ starters: starters as StarterLanguages });
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(refusal({ languages: ['sv'] }), /no texts in “sv”. Built in: en, de, fr/);
  assert.match(refusal({ languages: [] }), /at least one language/);
  assert.match(refusal({ languages: ['de', 'DE'] }), /“de” twice/);
  assert.match(
    refusal({ languages: ['he'], texts: { he: { ...hebrew, hello: undefined } } }),
    /“he”: “hello” is missing/,
  );
  const { welcome } = hebrew;
  const wrong = { ...hebrew, welcome: { ...welcome, title: 'שלום {brand}' } };
  assert.match(refusal({ texts: { he: wrong } }), /“welcome.title” needs these slots: product; it has: brand/);
  assert.match(refusal({ texts: { 'not a tag': hebrew } }), /“not a tag” is not a language tag/);
  assert.match(refusal({ language: ['de'] }), /language/);
  assert.is(refusal({ languages: ['pt-BR', 'he'], texts: { 'pt-br': starterTexts.pt, he: hebrew } }), 'accepted');
  assert.throws(() => starterLocales('newsletter', ['de']), /There is no starter “newsletter”/);
});

test("a program's own layout gets its texts: escaped in HTML, plain elsewhere, and from right to left in languages of this direction", () => {
  const layout = {
    subject: '[[subject]]',
    previewText: '[[hint.short]]',
    body: '<p dir="[[ltr~rtl]]" title="[[subject]]" align="[[left~right]]">[[hint.long||name=<b>{{name}}</b>]] {% if a > 1 %}[[subject]]{% endif %}</p>',
    text: '[[language]]: [[subject]]',
  };
  const en = { subject: 'Tea & “cake” for {name}', hint: { short: 'Now', long: 'Hi {name}, {{ extra }}' } };
  const ar = { subject: 'شاي & كعك: {name}', hint: { short: 'الآن', long: 'مرحبًا {name}، {{ extra }}' } };
  const localized = localizeTemplate(layout, { en, ar });
  assert.equal(localized, {
    locale: 'en',
    subject: 'Tea & “cake” for {{name}}',
    previewText: 'Now',
    body: '<p dir="ltr" title="Tea &amp; “cake” for {{name}}" align="left">Hi <b>{{name}}</b>, {{ extra }} {% if a > 1 %}Tea &amp; “cake” for {{name}}{% endif %}</p>',
    text: 'en: Tea & “cake” for {{name}}',
    locales: {
      ar: {
        subject: 'شاي & كعك: {{name}}',
        previewText: 'الآن',
        body: '<p dir="rtl" title="شاي &amp; كعك: {{name}}" align="right">مرحبًا <b>{{name}}</b>، {{ extra }} {% if a > 1 %}شاي &amp; كعك: <span dir="auto">{{name}}</span>{% endif %}</p>',
        text: 'ar: شاي & كعك: {{name}}',
      },
    },
  });
  assert.throws(() => localizeTemplate(layout, { en: { subject: 'x' } }), /The texts in “en” lack “hint.short”/);
  assert.throws(() => localizeTemplate(layout, {}), /at least one language/);
  assert.throws(() => localizeTemplate(layout, { 'not a tag': en }), /“not a tag” is not a language tag/);
  // A property that every object has does not count as a text.
  assert.throws(() => localizeTemplate({ ...layout, subject: '[[constructor]]' }, { en }), /lack “constructor”/);
  assert.is(localizeTemplate({ subject: 'a [[1]] b [[ ]] c', body: '' }, { en }).subject, 'a [[1]] b [[ ]] c');
});

test.run();
