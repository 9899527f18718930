// The preview of a template in the console (language, colours, width, plain text), and the comparison of its versions.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('previews and versions of templates in the console');

const dark =
  '<style>@media (prefers-color-scheme: dark) { p { color: #eee } }</style><p>Your code is {{ code }}, {{ name }}.</p>';

test.before.each(async (context) => {
  const bench = await openConsoleBench();
  context.bench = bench;
  await bench.calls.templates.create({
    key: 'login_code',
    name: 'Code <script>alert(1)</script>',
    mode: 'html',
    locale: 'en',
    subject: 'Your code {{ code }}',
    previewText: 'For {{ name }}',
    body: dark,
    locales: {
      ar: {
        subject: 'رمزك',
        body: '<html><body><p>رمزك هو {{ code }}، {{ name }}.</p></body></html>',
        text: 'رمزك هو {{ code }}',
      },
    },
    variables: {
      type: 'object',
      properties: { code: { type: 'string', writeOnly: true }, name: { type: 'string' } },
      required: ['code', 'name'],
      examples: [{ code: '847201', name: 'Ada <b>' }],
    },
  });
  await bench.calls.templates.publish({ key: 'login_code' });
});
test.after.each(({ bench }) => bench.close());

const path = '/templates/login_code';

test('the preview links to every language, to both colours, to 320 px and to the plain text', async ({ bench }) => {
  const { text } = await bench.page(path);
  for (const link of ['language=ar', 'as=phone', 'as=text', 'colours=dark']) assert.match(text, `${link}#preview"`);
  assert.match(text, 'English (en)');
  assert.match(text, 'Arabic (ar)');
  assert.match(text, 'Code &lt;script&gt;alert(1)&lt;/script&gt;');
  assert.not.match(text, '<script>alert');
  const narrow = (await bench.page(`${path}?as=phone&language=ar`)).text;
  assert.match(narrow, /<iframe class="document narrow" src="[^"]*preview\?side=live&amp;language=ar"/);
});

test('the preview shows dots instead of the values of writeOnly variables in subject, mail and text, even if an example gives the values', async ({
  bench,
}) => {
  const page = (await bench.page(path)).text;
  assert.match(page, 'Your code ••••');
  assert.match(page, 'Values that only the mail itself shows are ••••.');
  const mail = (await bench.page(`${path}/preview`)).text;
  assert.match(mail, 'Your code is ••••, Ada &lt;b&gt;.');
  const plain = (await bench.page(`${path}?as=text`)).text;
  assert.match(plain, 'Your code is ••••, Ada &lt;b&gt;.');
  for (const text of [page, mail, plain]) assert.not.match(text, '847201');
});

test('a language that is written from right to left is shown from right to left, in the mail and as plain text', async ({
  bench,
}) => {
  assert.match((await bench.page(`${path}/preview?language=ar`)).text, /<html[^>]* dir="rtl"/);
  const plain = (await bench.page(`${path}?as=text&language=ar`)).text;
  assert.match(plain, /<pre class="plain" dir="rtl"[^>]*>رمزك هو ••••/);
});

test('if the template lacks a language, the preview says so and shows the mail that recipients with this language get', async ({
  bench,
}) => {
  const { text } = await bench.page(`${path}?language=fr`);
  assert.match(text, 'The template has no French (fr). Recipients with this language get English (en).');
  assert.not.match((await bench.page(`${path}?language=ar`)).text, 'The template has no');
  assert.not.match((await bench.page(`${path}?language=%3Cb%3E`)).text, 'The template has no');
});

test('the address of the page decides between light and dark colours of the mail, whatever the browser prefers', async ({
  bench,
}) => {
  assert.match((await bench.page(`${path}/preview`)).text, '@media (max-width:0)');
  assert.match((await bench.page(`${path}/preview?colours=dark`)).text, '@media (min-width:0)');
  assert.not.match((await bench.page(`${path}?colours=dark`)).text, 'no styles for dark mode');
  assert.match((await bench.page(`${path}?colours=dark&language=ar`)).text, 'The mail has no styles for dark mode.');
});

test('if a template cannot be rendered, the preview gives the reason and keeps its links', async ({ bench }) => {
  await bench.calls.templates.update({ key: 'login_code', body: '{% if name %}' });
  const { text } = await bench.page(`${path}?copy=working`);
  assert.match(text, 'There is no preview.');
  assert.match(text, 'Published version');
  assert.match((await bench.page(`${path}?copy=other`)).text, 'The published version, filled with an example.');
});

test('the working copy is compared with the published version, with everything escaped', async ({ bench }) => {
  await bench.calls.templates.update({
    key: 'login_code',
    subject: 'Hello <img src=x> {{ code }}',
    body: `${dark}\n<script>steal()</script>`,
    locales: { ar: null, de: { subject: 'Ihr Code' } },
  });
  const { text } = await bench.page(`${path}/versions`);
  assert.match(text, 'From version 1 to working copy');
  assert.match(text, '&lt;img src=x&gt;');
  assert.match(text, '<ins>+ &lt;script&gt;steal()&lt;/script&gt;</ins>');
  assert.match(text, /German \(de\): Subject<\/h3><pre dir="auto"><ins>Ihr Code<\/ins>/);
  assert.match(text, /Arabic \(ar\): Subject<\/h3><pre dir="auto"><del>رمزك<\/del>/);
  assert.match(text, /Languages<\/h3><pre dir="auto">en, <del>ar<\/del><ins>de<\/ins>/);
  assert.not.match(text, 'Preview text</h3>');
  assert.not.match(text, '<script>steal');
});

test('any two versions can be compared, and the list shows who published each version and when', async ({ bench }) => {
  const { calls } = bench;
  await calls.templates.update({ key: 'login_code', subject: 'Second {{ code }}' });
  assert.is((await bench.post(path, { action: 'publish', key: 'k1' })).status, 303);
  await calls.templates.update({ key: 'login_code', subject: 'Third {{ code }}' });
  await calls.templates.publish({ key: 'login_code' });
  const newest = (await bench.page(`${path}/versions`)).text;
  assert.match(newest, 'From version 2 to version 3');
  assert.match(newest, '<del>Second</del><ins>Third</ins>');
  assert.match(newest, 'u_sue');
  assert.match(newest, 'the application');
  const first = (await bench.page(`${path}/versions?before=1&after=3`)).text;
  assert.match(first, '<del>Your code</del><ins>Third</ins>');
  assert.match((await bench.page(`${path}/versions?before=2&after=2`)).text, 'Nothing differs.');
  assert.is((await bench.page(`${path}/versions?before=9&after=3`)).status, 404);
  bench.signIn.present = bench.member(['templates:read']);
  const reader = (await bench.page(`${path}/versions`)).text;
  assert.not.match(reader, 'u_sue');
  assert.not.match(reader, 'method="post"');
});

test('a person can roll back to a version from the comparison, after a question that warns of lost changes', async ({
  bench,
}) => {
  const { calls } = bench;
  await calls.templates.update({ key: 'login_code', subject: 'Second {{ code }}' });
  await calls.templates.publish({ key: 'login_code' });
  assert.not.match((await bench.page(`${path}/versions`)).text, 'are lost');
  await calls.templates.update({ key: 'login_code', subject: 'Never published {{ code }}' });
  const { text } = await bench.page(`${path}/versions`);
  assert.match(text, 'It becomes the working copy, too, and the changes that were not published are lost.');
  assert.match(text, 'class="button danger"');
  assert.is((await bench.post(`${path}/versions`, { action: 'rollback', key: 'k1', version: '1' })).status, 303);
  const { subject, version } = await calls.templates.read({ key: 'login_code' });
  assert.equal([subject, version], ['Your code {{ code }}', 3]);
});

test('the page says if a template has no versions, and a version can be read only in its own workspace', async ({
  bench,
}) => {
  const other = await bench.service.workspaces.create({
    name: 'Other',
    defaultFrom: { email: 'hello@other.example', name: 'Other' },
  });
  const calls = bench.service.as(other.id);
  await calls.templates.create({ key: 'theirs', name: 'Theirs', mode: 'html', subject: 'Theirs', body: '<p>Hi</p>' });
  await calls.templates.publish({ key: 'theirs' });
  for (const page of ['theirs', 'theirs/preview', 'theirs/versions'])
    assert.is((await bench.page(`/templates/${page}`)).status, 404);
  await bench.calls.templates.create({ key: 'mine', name: 'Mine', mode: 'html', subject: 'Mine', body: '<p>Hi</p>' });
  assert.match((await bench.page('/templates/mine/versions')).text, 'No version was published yet.');
  bench.signIn.present = bench.member(['sends:read']);
  for (const page of ['login_code', 'login_code/preview', 'login_code/versions'])
    assert.is((await bench.page(`/templates/${page}`)).status, 403);
});

test('a test goes to the inbox of the sandbox, in the chosen language', async ({ bench }) => {
  assert.match((await bench.page(path)).text, 'Send the test');
  const sent = await bench.post(path, { action: 'test', key: 'k1', language: 'ar' });
  assert.is(sent.status, 303);
  const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
  const { data } = await sandbox.sends.list({ templateKey: 'login_code' });
  assert.equal(
    data.map(({ locale, test: isTest }) => [locale, isTest]),
    [['ar', true]],
  );
  bench.signIn.present = bench.member(['templates:read']);
  assert.not.match((await bench.page(path)).text, 'Send the test');
});

test.run();
