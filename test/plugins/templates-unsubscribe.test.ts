// Marketing mail needs an unsubscribe link in each of its languages. A version without it cannot be published, rolled back to or
// proposed, and its template cannot become marketing mail. Composed marketing mail contains the link.
// full-run: slow
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { writeMail } from '../support/fill-placeholders.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const page = (content: string) => `<html><body><p>日本 İ ${content}</p></body></html>`;
const leave = '<a href="%unsubscribe_url%">Leave</a>';
const choose = '<a href="%preferences_url%">Choose</a>';

await twoDatabases('marketing mail without a link to unsubscribe', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `leave-${calls}` } });
  };
  const create = (key: string, body: object) =>
    post('/v1/templates', { key, mode: 'html', category: 'marketing', subject: 'News', ...body });
  const publish = (key: string) => post(`/v1/templates/${key}/publish`);
  const missingLinks = ({ status, body }: Awaited<ReturnType<typeof post>>): unknown =>
    status === 422
      ? [body.error.code, ...body.error.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`)]
      : status;

  test('each language is checked when it is published, together with its layout', async () => {
    const missing = (...paths: string[]) => ['template_invalid', ...paths.map((path) => `${path} unsubscribe_missing`)];
    const cases: [body: object, outcome: unknown][] = [
      [{ body: page('') }, missing('body', 'text')],
      [{ body: page(leave) }, 200],
      [{ body: page(choose) }, 200],
      [{ body: page(leave), text: 'Hello' }, missing('text')],
      [{ body: '', text: 'Leave: %unsubscribe_url%' }, 200],
      [
        { locale: 'en', body: page(leave), locales: { de: { body: page('Hallo') }, ja: { body: page(choose) } } },
        missing('locales.de.body', 'locales.de.text'),
      ],
      [
        { locale: 'en', body: page(leave), text: 'Leave: %unsubscribe_url%', locales: { de: { text: 'Hallo' } } },
        missing('locales.de.text'),
      ],
      [{ locale: 'en', body: page(leave), locales: { de: { subject: 'Hallo' } } }, 200],
      [{ body: page('{{ unsubscribe_url }}') }, missing('body', 'text')],
      [{ body: page(''), category: 'transactional' }, 200],
      [{ body: page(''), category: 'system' }, 200],
    ];
    for (const [index, [body, expected]] of cases.entries()) {
      const key = `case-${index}`;
      assert.is((await create(key, body)).status, 201);
      const answer = await publish(key);
      assert.equal(missingLinks(answer), expected, JSON.stringify(body));
    }
    const frame = {
      key: 'frame',
      kind: 'layout',
      mode: 'html',
      body: `<html><body>{% content %}${leave}</body></html>`,
    };
    assert.is((await post('/v1/templates', frame)).status, 201);
    assert.is((await publish('frame')).status, 200);
    await create('framed', { layout: 'frame', body: '<p>Hello</p>' });
    assert.equal(missingLinks(await publish('framed')), 200);
    const message = (await publish('case-5')).body.error.message;
    assert.match(message, 'The body of de has no link to unsubscribe');
    assert.match(message, '%unsubscribe_url%');
  });

  test('proposals, rollbacks and a change of the category to marketing are checked, too', async () => {
    await create('later', { category: 'transactional', body: page('first') });
    assert.is((await publish('later')).status, 200);
    const becomes = await post('/v1/templates/later', { category: 'marketing' }, 'PATCH');
    assert.equal(missingLinks(becomes), ['template_invalid', 'body unsubscribe_missing', 'text unsubscribe_missing']);
    assert.is((await post('/v1/templates/later', { body: page(leave) }, 'PATCH')).status, 200);
    assert.is((await publish('later')).status, 200);
    assert.is((await post('/v1/templates/later', { category: 'marketing' }, 'PATCH')).status, 200);
    const back = await post('/v1/templates/later/rollback', { version: 1 });
    assert.equal(missingLinks(back), ['template_invalid', 'body unsubscribe_missing', 'text unsubscribe_missing']);
    const proposal = await post('/v1/templates/later/proposals', { body: page('no link') });
    assert.equal(missingLinks(proposal), ['template_invalid', 'body unsubscribe_missing', 'text unsubscribe_missing']);
    const inGerman = await post('/v1/templates/later/proposals', { locales: { de: { body: page('Hallo') } } });
    assert.equal(missingLinks(inGerman), [
      'template_invalid',
      ...['locales.de.body unsubscribe_missing', 'locales.de.text unsubscribe_missing'],
    ]);
    assert.is((await post('/v1/templates/later/proposals', { body: page(choose) })).status, 201);
  });

  test('composed marketing mail contains the link in both modes', async () => {
    for (const mode of ['mjml', 'html']) {
      for (const prompt of ['Our spring sale begins on Monday.', 'A receipt for a payment in our shop.']) {
        calls += 1;
        const answer = await post('/v1/templates/compose', {
          key: `composed-${calls}`,
          prompt,
          mode,
          category: 'marketing',
        });
        assert.is(answer.status, 201, JSON.stringify(answer.body));
        await writeMail(bench.service.as(bench.workspaceId), answer.body.data.key);
        assert.equal(missingLinks(await publish(answer.body.data.key)), 200);
        const { body, text } = (await bench.request(`/v1/templates/${answer.body.data.key}`)).body;
        assert.ok(body.includes('href="%unsubscribe_url%"') && text.includes('%unsubscribe_url%'));
      }
    }
  });

  test('loading a folder reports the language without a link, and works after the correction', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leave-'));
    try {
      const { loadTemplates } = await import('../../plugins/templates/index.ts');
      const { mkdir, writeFile } = await import('node:fs/promises');
      await mkdir(join(folder, 'weekly', 'de'), { recursive: true });
      const about = { subject: 'Weekly', category: 'marketing', locale: 'en', locales: { de: { subject: 'Woche' } } };
      await writeFile(join(folder, 'weekly', 'template.json'), JSON.stringify(about));
      await writeFile(join(folder, 'weekly', 'body.html'), page(leave));
      await writeFile(join(folder, 'weekly', 'de', 'body.html'), page('Hallo'));
      const failed: unknown = await loadTemplates(bench.service.as(bench.workspaceId), folder).catch((error) => error);
      assert.match(String(failed), /de.*no link to unsubscribe/);
      await writeFile(join(folder, 'weekly', 'de', 'body.html'), page(leave));
      await loadTemplates(bench.service.as(bench.workspaceId), folder);
      assert.is((await bench.request('/v1/templates/weekly')).body.version, 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
