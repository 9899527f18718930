// The contents of the starters: valid examples, the facts in HTML and text, sizes, and wording.
// full-run: slow
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContractNode } from '../../plugins/templates/contract/node.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';
import { compiledSource } from '../support/compile-starters.ts';
import { exampleCases, hardCases, type StarterMail, sendStarters } from '../support/starter-mails.ts';
import { starterDocument, withTables } from '../support/starter-tables.ts';

const test = suite('contents of the starters');
const root = new URL('../../', import.meta.url).pathname;
/** Gmail clips a message at 102 kB. */
const sizeLimit = 100_000;

let mails: StarterMail[];
test.before(async () => {
  mails = await sendStarters([...exampleCases, ...hardCases]);
});

const find = (key: string, name: string): StarterMail => {
  const mail = mails.find((each) => each.key === key && each.name === name);
  assert.ok(mail, `${key}, ${name}`);
  return mail;
};

test('compiled.gen.ts is up to date', async () => {
  const generated = readFileSync(join(root, 'plugins/templates/starters/compiled.gen.ts'), 'utf8');
  const source = await compiledSource();
  assert.ok(generated === source, 'run: npx tsx test/support/compile-starters.ts');
});

test('docs/starters.md has the current variables, and three pictures of each starter', () => {
  const document = readFileSync(starterDocument, 'utf8');
  assert.is(document, withTables(document), 'run: npx tsx test/support/starter-tables.ts');
  let total = 0;
  for (const { key } of starters()) {
    for (const look of ['light', 'dark', '320']) {
      const path = `screenshots/starters/${key}-${look}.png`;
      assert.ok(document.includes(path), path);
      const picture = readFileSync(join(root, 'docs', path));
      assert.ok(picture.length < 150_000, `${path}: ${picture.length} bytes`);
      assert.is(picture.readUInt32BE(16), look === '320' ? 320 : 640, path);
      total += picture.length;
    }
  }
  assert.ok(total < 2_000_000, `${total} bytes`);
});

test('the short example has only required variables, and the full example has nearly all variables', () => {
  for (const { key, variables } of starters()) {
    const [short, full] = variables.examples;
    assert.equal(Object.keys(short).sort(), [...variables.required].sort(), key);
    const missingNames = Object.keys(variables.properties).filter((name) => !Object.hasOwn(full, name));
    const laterSteps = key === 'shipping-notice' ? ['delivered_at', 'out_for_delivery_at'] : [];
    assert.equal(missingNames.sort(), [...laterSteps, 'logo_url'].sort(), key);
  }
});

test('every variable has a description, and every text and list has a limit', () => {
  const check = (node: ContractNode, at: string): void => {
    assert.ok((node.description ?? '').length > 3 || at.endsWith('[]'), `${at} has no description`);
    if (node.type === 'string' && !node.format && !node.enum) assert.ok(node.maxLength, `${at} has no limit`);
    if (node.type === 'array') assert.ok(node.maxItems, `${at} has no limit`);
    for (const [name, child] of Object.entries(node.properties ?? {})) check(child, `${at}.${name}`);
    if (node.items) check(node.items, `${at}[]`);
  };
  for (const { key, variables } of starters()) {
    for (const [name, node] of Object.entries(variables.properties)) check(node, `${key}.${name}`);
  }
});

test('subject and preview are present and short enough for a list of mails', () => {
  for (const { key, name, subject, html } of mails) {
    const [, preview = ''] = /<body[^>]*><div[^>]*>([^<]*?)(?:&#847;|<)/.exec(html) ?? [];
    assert.ok(preview.length > 10, `${key}, ${name}: ${preview}`);
    assert.ok(subject.length > 10, `${key}, ${name}: ${subject}`);
    if (name === 'short' || name === 'full') {
      assert.ok(subject.length <= 60, `${key}: ${subject}`);
      assert.ok(preview.length <= 130, `${key}: ${preview}`);
    }
  }
});

test('HTML and text both contain the main facts of the mail', () => {
  const expectedTexts: Record<string, readonly string[]> = {
    receipt: ['96.50 EUR', 'NW-1041', 'Wool blanket', '64.50 EUR', 'Including VAT 25 %', '19.30 EUR', 'Bryggen 17'],
    'password-reset': ['https://app.northwind.example/reset-password?token=', 'grace@example.com', '1 hour', 'not you'],
    'login-code': ['482913', '10 minutes', 'not you', 'Firefox on Windows'],
    'magic-link': ['https://app.northwind.example/sign-in?token=', '15 minutes', 'not you', 'Bergen, Norway'],
    'shipping-notice': ['NW-1041', 'Thursday, 26 November', 'Fjordpost', 'FP 4471 9028 3310', 'Wool blanket'],
    welcome: ['Grace', 'https://app.northwind.example', 'Connect your bank account', 'Ines Moe'],
    invitation: ['Grace Hopper', 'Harbour Works', 'Editor', 'https://app.northwind.example/join/', '30 November 2026'],
  };
  assert.equal(
    Object.keys(expectedTexts).sort(),
    starters()
      .map(({ key }) => key)
      .sort(),
  );
  for (const [key, expected] of Object.entries(expectedTexts)) {
    const { html, text } = find(key, 'full');
    for (const expectedText of [...expected, 'Northwind', 'help@northwind.example', 'Strandgaten 12']) {
      assert.ok(html.includes(expectedText), `the HTML of ${key} lacks ${expectedText}`);
      assert.ok(text.includes(expectedText), `the text of ${key} lacks ${expectedText}`);
    }
  }
  assert.match(find('login-code', 'full').subject, /^482913 /);
});

test('the text part is readable: it has no markup, no gaps and no remains of Liquid', () => {
  for (const { key, name, text, subject, html } of mails) {
    const label = `${key}, ${name}`;
    assert.not.match(text, /<[a-z/]|&[a-z#0-9]+;|\{[{%]|\n{3,}|[^\S\n]+\n(?!Questions)|undefined|null/, label);
    assert.not.match(`${subject} ${html}`, /\{[{%]|undefined|\bnull\b/, label);
    // An omitted variable leaves no trace: no label without a value, and no dangling separator.
    assert.not.match(text, /^[^:\n]*:\s*$(?!\n.)/m, label);
    assert.not.match(text, /\(\)|· *$|(?<!^Hello [^\n]*), *$/m, label);
  }
});

test('no mail has exclamation marks, and a sentence is omitted if its variable is missing', () => {
  for (const { key, body, text, subject, previewText } of starters()) {
    // `!` may be in comments, conditions and `!important`, but not in words.
    for (const source of [body.replace(/<style>[\s\S]*?<\/style>/g, ''), text, subject, previewText])
      assert.not.match(source, /\w!(?!=)/, key);
  }
  assert.match(find('login-code', 'short').text, 'expires soon');
  assert.not.match(find('receipt', 'short').html, /View your order|Delivered to|Amount/);
  assert.not.match(find('shipping-notice', 'short').html, /Track the parcel|In the parcel|Expected/);
  assert.not.match(find('shipping-notice', 'delivered').html, /Expected/);
});

test("each mail is below Gmail's limit, even with fifty items", () => {
  for (const { key, name, html } of mails) {
    const size = Buffer.byteLength(html);
    assert.ok(size < sizeLimit, `${key}, ${name}: ${size} bytes`);
  }
  assert.is((find('receipt', 'long').html.match(/Enamel mug|Donaudampf[^<]* \d/g) ?? []).length, 50);
});

/** The first closing tag that does not match, or the last element that is not closed. */
function findUnclosed(html: string): string | undefined {
  const open: string[] = [];
  for (const [tag, slash, name = ''] of html
    .replace(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi)) {
    if (/^(?:meta|br|img)$/i.test(name)) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return tag;
  }
  return open.at(-1);
}

test('every element is closed, no attribute is repeated, and there is no script, form or remote style', () => {
  assert.is(findUnclosed('<p><b>x</p></b>'), '</p>');
  for (const { key, name, html } of mails) {
    assert.is(findUnclosed(html), undefined, `${key}, ${name}`);
    // Outlook on Windows also reads conditional comments, and its settings in the head are not HTML.
    const [, body = ''] = html.split('</head>');
    const outlook = body.replace(/<!--\[if [^\]]*\]>|<!\[endif\]-->/g, '');
    assert.is(findUnclosed(outlook.replace('</html>', '')), undefined, `${key}, ${name} in Outlook`);
    const faults: string[] = [];
    parse(html, { onParseError: ({ code, startLine }) => void faults.push(`${code} in line ${startLine}`) });
    assert.equal(faults, [], `${key}, ${name}`);
    assert.not.match(html, /<(?:script|form|link)\b|@import|url\(/i, `${key}, ${name}`);
  }
});

test("the receipt accepts the variables of the quickstart's receipt", async () => {
  const item = { name: 'Enamel mug', price: '18.00 EUR' };
  const all = { date: '', url: 'https://northwind.example/orders/1', items: [item] };
  const wide = { name: 'x'.repeat(200), order: 'x'.repeat(200), total: 'x'.repeat(200), date: 'x'.repeat(50) };
  const cases = [
    { name: 'Ada', order: 'NW-1042', total: '42.00 EUR' },
    { name: 'Ada', order: 'NW-1042', total: '42.00 EUR', ...all },
    { ...wide, items: Array.from({ length: 50 }, () => ({ name: 'x'.repeat(200), price: 'x'.repeat(200) })) },
  ].map((variables, index) => ({ key: 'receipt', name: String(index), variables }));
  assert.is((await sendStarters(cases)).length, 3);
});

test.run();
