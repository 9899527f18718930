// Tracking: the additions to mail, the effect of an open and a click on a send, and the facts that answers hide.
// full-run: slow

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type KeyringSecret, localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { createTestService, type TestServiceOptions } from '../../hosts/testing/index.ts';
import { emailPlugin, type TrackingClassifier, type TrackingHit } from '../../plugins/email/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { firefox, headerOf, publicUrl, urlsOf, visit } from '../support/tracked-mail.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

const body = `<html><body><p>Hello {{name}}</p><a href="https://shop.example/a?x=1&amp;y={{name}}">One</a>
<a class="b" href='https://shop.example/b'>Two</a> <a href="https://shop.example/b">Two again</a>
<a href="mailto:help@example.com">Mail</a><a href="tel:+4912345">Call</a><a href="#top">Top</a>
<a href="%unsubscribe_url%">Leave</a></body></html>`;
const newsletter = { category: 'marketing' as const, body, text: 'Hello {{name}}. Leave: %unsubscribe_url%' };
const variables = { name: 'Ada' };
const fakeTokens = [`${'0'.repeat(26)}${'A'.repeat(22)}`, 'x', '%00', `${'Z'.repeat(26)}${'-'.repeat(22)}`];

await twoDatabases('tracking', (test, database) => {
  let bench: MailBench;
  let recipients = 0;
  test.before(async () => {
    bench = await openMailBench(database, { publicUrl });
    await bench.publish('news', newsletter);
    await bench.publish('receipt', { body });
    await bench.publish('clicks-only', { body, tracking: { opens: false, clicks: true } });
  });
  test.after(() => bench.close());

  /** Sends and delivers, then advances the clock by a reader's pause. */
  const deliver = async (template = 'news', key = bench.liveKey) => {
    recipients += 1;
    const to = `reader-${recipients}@example.org`;
    const { status, body: send } = await bench.send(template, { to, variables }, { key });
    assert.is(status, 202, JSON.stringify(send));
    await bench.drain();
    bench.advanceClock(60_000);
    const mail = (await bench.received()).find(({ to: list }) => list?.some(({ address }) => address === to));
    return { id: send.id as string, to, mail };
  };
  const receivedMail = async (template?: string) => {
    const { id, to, mail } = await deliver(template);
    assert.ok(mail, 'no message arrived');
    return { id, to, mail, ...urlsOf(mail) };
  };
  const lastEvent = async (id: string) => (await bench.readSend(id)).events.at(-1);

  test('in marketing mail each web link gets a number, other links do not change, and the mail gets a pixel but no address', async () => {
    const { to, mail, links, pixel } = await receivedMail();
    const [one, two, again, ...others] = links;
    assert.ok(one?.startsWith(`${publicUrl}/t/c/`) && two?.startsWith(`${publicUrl}/t/c/`));
    assert.is(two, again);
    assert.is.not(one, two);
    assert.equal(others.slice(0, 3), ['mailto:help@example.com', 'tel:+4912345', '#top']);
    assert.match(others[3] ?? '', `${publicUrl}/u/`);
    assert.match(mail.text ?? '', `Leave: ${others[3]}`);
    assert.match(pixel ?? '', `${publicUrl}/t/o/`);
    for (const url of [...links.slice(0, 3), pixel]) assert.not.match(url ?? '', to.split('@')[0] ?? '');
    assert.is(headerOf(mail, 'List-Unsubscribe'), `<${others[3]}>`);
    assert.is(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    assert.match(headerOf(mail, 'Feedback-ID') ?? '', /^news:marketing:tpl_\w+:postrider$/);
  });

  test('transactional mail does not change, except for its unsubscribe link', async () => {
    const { mail, links, pixel } = await receivedMail('receipt');
    assert.is(pixel, undefined);
    assert.equal(links.slice(0, 2), ['https://shop.example/a?x=1&y=Ada', 'https://shop.example/b']);
    assert.match(links.at(-1) ?? '', `${publicUrl}/u/`);
    assert.is(headerOf(mail, 'List-Unsubscribe'), undefined);
  });

  test('a tracking mark in the value of a variable stays text, however it gets there', async () => {
    const template = {
      subject: 'Marks',
      category: 'marketing' as const,
      body: `{% capture leave %}<a href="%unsubscribe_url%">Leave</a>{% endcapture %}<p>{{a}}{{b}}</p><p>{{a}}{{c}}%</p>
<p>{{d | url_decode}}</p>{{e | raw}}<a href="https://shop.example/?x={{f}}">x</a>{{leave | raw}}`,
      text: '{{a}}{{b}} {{f}} {{d | url_decode}} Leave: %unsubscribe_url%',
    };
    await bench.publish('marked', template);
    const texts = {
      a: '%unsubscribe',
      b: '_url%',
      c: '_url',
      d: '%25preferences_url%25',
      e: '<b>%unsubscribe_url%</b>',
      f: '%preferences_url%',
    };
    const to = 'marked@example.org';
    assert.is((await bench.send('marked', { to, variables: texts })).status, 202);
    await bench.drain();
    const mail = (await bench.received()).find(({ to: list }) => list?.some(({ address }) => address === to));
    const leave = /^<(.*)>$/.exec((mail && headerOf(mail, 'List-Unsubscribe')) ?? '')?.[1] ?? '';
    const html = String(mail?.html);
    assert.is(html.split('/u/').length - 1, 1, html);
    assert.match(html, `<a href="${leave}">Leave</a>`);
    assert.match(html, '<p>&#37;unsubscribe_url%</p><p>&#37;unsubscribe_url%</p>');
    assert.match(html, '<b>&#37;unsubscribe_url%</b>');
    const begins = `% unsubscribe_url% % preferences_url% % preferences_url% Leave: ${leave}\n`;
    assert.ok(mail?.text?.startsWith(begins), mail?.text);
  });

  test('the template decides what is tracked', async () => {
    const { links, pixel } = await receivedMail('clicks-only');
    assert.is(pixel, undefined);
    assert.match(links[0] ?? '', '/t/c/');
  });

  test('an open gets a gif that is not cached, is on the timeline and is counted', async () => {
    const { id, pixel = '' } = await receivedMail();
    const { status, headers, text } = await visit(bench, pixel);
    assert.is(status, 200);
    assert.is(headers['Content-Type'], 'image/gif');
    assert.match(headers['Cache-Control'] ?? '', 'no-store');
    assert.is(headers['Cross-Origin-Resource-Policy'], 'cross-origin');
    assert.ok(text.startsWith('GIF89a'));
    const { opens, clicks, status: state, events } = await bench.readSend(id);
    assert.equal([opens, clicks, state], [1, 0, 'sent']);
    assert.is(events.at(-1).type, 'send.opened');
    assert.equal(events.at(-1).bot, { verdict: 'human', reason: 'no_sign_of_a_bot' });
    const [emitted] = (await bench.events('send.opened')).filter((data) => data.id === id);
    assert.equal([emitted?.opens, emitted?.event.id], [1, events.at(-1).id]);
  });

  test('a click redirects to the rendered target, and the timeline shows the target', async () => {
    const { id, links } = await receivedMail();
    const { status, headers } = await visit(bench, links[0] ?? '');
    assert.equal([status, headers.Location], [302, 'https://shop.example/a?x=1&y=Ada']);
    assert.match(headers['Cache-Control'] ?? '', 'no-store');
    const { clicks, events } = await bench.readSend(id);
    assert.is(clicks, 1);
    assert.equal(events.at(-1).click, { url: 'https://shop.example/a?x=1&y=Ada' });
  });

  test('links still work after the content was erased and the template changed', async () => {
    const { links } = await receivedMail();
    await bench.request('/v1/templates/news', { method: 'PATCH', body: { body: '<p>New, {{name}}</p>' } });
    await bench.request('/v1/templates/news/publish', { body: {} });
    bench.advanceClock(30 * 86_400_000);
    await bench.drain();
    assert.is((await visit(bench, links[1] ?? '')).headers.Location, 'https://shop.example/b');
    await bench.request('/v1/templates/news', { method: 'PATCH', body: { body } });
    await bench.request('/v1/templates/news/publish', { body: {} });
  });

  test('a false token gets the same gif, a neutral page and the same unsubscribe pages, and nothing is stored', async () => {
    const { id, links, pixel = '' } = await receivedMail();
    const before = await bench.readSend(id);
    const real = await visit(bench, pixel, { method: 'HEAD' });
    const tokenOf = (url = '') => url.split('/').at(-1) ?? '';
    const wrongTokens = [tokenOf(links[0]), tokenOf(links.at(-1)), `${tokenOf(pixel)}0`, tokenOf(pixel).toLowerCase()];
    for (const token of [...fakeTokens, ...wrongTokens]) {
      const { status, headers, text } = await visit(bench, `/t/o/${token}`);
      assert.equal([status, headers['Content-Type'], text.length], [200, 'image/gif', 42], token);
      const { 'X-Request-Id': _, ...rest } = headers;
      const { 'X-Request-Id': __, ...expected } = real.headers;
      assert.equal(rest, expected);
    }
    const unknown = [...fakeTokens, tokenOf(pixel), tokenOf(links.at(-1)), `${tokenOf(links[0])}7`].map((token) =>
      visit(bench, `/t/c/${token}`),
    );
    for (const { status, headers, text } of await Promise.all(unknown)) {
      assert.equal([status, headers.Location], [404, undefined]);
      assert.match(text, 'This link does not work');
    }
    // Only the holder of a real token has the mail and sees the sender's name.
    const pages = (await Promise.all([...fakeTokens, tokenOf(pixel)].map((token) => visit(bench, `/u/${token}`)))).map(
      ({ status, text }) => `${status} ${text}`,
    );
    assert.is(new Set(pages).size, 1);
    for (const token of [...fakeTokens, tokenOf(pixel), tokenOf(links[0])]) {
      assert.is((await visit(bench, `/u/${token}`, { method: 'POST' })).status, 404);
    }
    assert.equal(await bench.readSend(id), before);
  });

  test('links and pixels still work with characters that a mail program appended', async () => {
    const { id, links, pixel = '' } = await receivedMail();
    const before = await bench.readSend(id);
    bench.advanceClock(60_000);
    for (const tail of [')', '>', '.,;'])
      assert.is((await visit(bench, `${links[0]}${tail}`, { userAgent: 'Mozilla/5.0 (X11)' })).status, 302);
    await visit(bench, `${pixel})`, { userAgent: 'Mozilla/5.0 (X11)' });
    const { events } = await bench.readSend(id);
    assert.is(events.length, before.events.length + 4);
  });

  test('visits of a bot are on the timeline but not counted; the address is stored nowhere', async () => {
    const { id, pixel = '' } = await receivedMail();
    const address = '40.94.12.7';
    await visit(bench, pixel, { userAgent: 'Barracuda Sentinel (EE)' });
    await visit(bench, pixel, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    await visit(bench, pixel, { address: '104.47.3.9' });
    await visit(bench, pixel, { address });
    const { opens, events } = await bench.readSend(id);
    const reasons = events.slice(2).map(({ bot }: { bot: { reason: string } }) => bot.reason);
    assert.equal(reasons, ['known_scanner', 'prefetch', 'scanner_network', 'no_sign_of_a_bot']);
    assert.is(opens, 1);
    assert.not.match(JSON.stringify(await bench.events('send.opened')), address);
    assert.not.match(bench.logged.join('\n'), address);
  });

  test("simultaneous clicks on all links are a bot's, including the first click, but a later click is a person's", async () => {
    const { id, links } = await receivedMail();
    const [one = '', two = ''] = links;
    await visit(bench, one);
    assert.is((await bench.readSend(id)).clicks, 1);
    await visit(bench, two);
    const { clicks, events } = await bench.readSend(id);
    const reasons = events.slice(2).map(({ bot }: { bot: { reason: string } }) => bot.reason);
    assert.equal([clicks, reasons], [0, ['every_link_at_once', 'every_link_at_once']]);
    bench.advanceClock(60_000);
    await visit(bench, one);
    assert.is((await bench.readSend(id)).clicks, 1);
  });

  test("an open within a second after the hand-over is a bot's", async () => {
    const { body: send } = await bench.send('news', { to: 'fast@example.org', variables });
    await bench.drain();
    const mail = (await bench.received()).find(({ to }) => to?.[0]?.address === 'fast@example.org');
    await visit(bench, urlsOf(mail ?? {}).pixel ?? '');
    assert.equal((await lastEvent(send.id)).bot, { verdict: 'bot', reason: 'too_fast' });
  });

  test('after a hundred opens of one message, further opens are not added to the timeline', async () => {
    const { id, pixel = '' } = await receivedMail();
    for (let time = 0; time < 102; time += 1) await visit(bench, pixel);
    const { opens, events } = await bench.readSend(id);
    assert.equal([opens, events.length], [102, 102]);
  });
});

const options = suite('options of tracking');
const openWith = async (settings: Partial<TestServiceOptions<StandardIds>>, classify?: TrackingClassifier) => {
  const plugins = bareStandardPlugins.map((plugin) =>
    plugin.id === 'email' && classify !== undefined ? emailPlugin({ classify }) : plugin,
  );
  const bench = await createTestService<StandardIds>({ publicUrl, ...settings, plugins });
  const { templates } = bench.service.as(bench.workspaceId);
  await templates.create({ key: 'news', mode: 'html', subject: 'Hello', ...newsletter });
  await templates.publish({ key: 'news' });
  /** Sends a message to `to`. Returns the sent message and its send. */
  const send = async (to: string, sandbox = false) => {
    const { id } = await bench.service
      .as(bench.workspaceId, { sandbox })
      .email.send({ template: 'news', to, variables });
    await bench.drain();
    bench.advanceClock(60_000);
    const readSend = () => bench.service.as(bench.workspaceId, { sandbox }).sends.read({ id });
    return { id, to, read: readSend, mail: bench.lastMailTo(to), ...urlsOf(bench.lastMailTo(to) ?? {}) };
  };
  return { ...bench, send };
};

options(
  'a sandbox message is tracked in the same way, on its own side, and its facts are synthetic and suppress nobody',
  async () => {
    const bench = await openWith({});
    const { id, links, pixel = '', read, to } = await bench.send('ada@example.org', true);
    await visit(bench, pixel);
    await visit(bench, links[0] ?? '');
    await visit(bench, links.find((link) => link.includes('/u/')) ?? '', { method: 'POST' });
    const { opens, clicks, events } = await read();
    assert.equal([opens, clicks], [1, 1]);
    assert.equal(
      events.slice(-3).map(({ type, synthetic }) => [type, synthetic]),
      ['opened', 'clicked', 'unsubscribed'].map((kind) => [`send.${kind}`, true]),
    );
    for (const sandbox of [true, false]) {
      const { data } = await bench.service.as(bench.workspaceId, { sandbox }).suppressions.list({});
      assert.equal(data, [], to);
    }
    assert.is(
      (await bench.service.dispatch({ method: 'GET', url: `/v1/sends/${id}`, headers: {}, body: undefined })).status,
      401,
    );
    await bench.close();
  },
);

options('without a publicUrl nothing is tracked, and recipients unsubscribe by mail', async () => {
  const { publicUrl: _, ...rest } = { publicUrl };
  const bench = await openWith({ ...rest, publicUrl: undefined as never });
  const { mail, links, pixel } = await bench.send('ada@example.org');
  assert.is(pixel, undefined);
  assert.equal(links.slice(0, 2), ['https://shop.example/a?x=1&y=Ada', 'https://shop.example/b']);
  const address = 'mailto:hello@example.com?subject=unsubscribe';
  assert.equal([links.at(-1), mail?.headers['List-Unsubscribe']], [address, `<${address}>`]);
  assert.is(mail?.headers['List-Unsubscribe-Post'], undefined);
  await bench.close();
});

options('a program can give its own classifier, and an open counts even if the classifier fails', async () => {
  const seen: TrackingHit[] = [];
  const bench = await openWith({}, (hit) => {
    seen.push(hit);
    if (hit.kind === 'click') throw new Error('broken');
    return { verdict: 'bot', reason: 'because' };
  });
  const { links, pixel = '', read } = await bench.send('ada@example.org');
  await visit(bench, pixel);
  await visit(bench, links[0] ?? '');
  const { opens, clicks, events } = await read();
  assert.equal([opens, clicks], [0, 1]);
  assert.equal(
    events.slice(-2).map(({ bot }) => bot),
    [
      { verdict: 'bot', reason: 'because' },
      { verdict: 'unknown', reason: 'classifier_failed' },
    ],
  );
  const { headers: _, ...first } = seen[0] as TrackingHit;
  const expected = { kind: 'open', userAgent: firefox, address: '198.51.100.7', sinceHandOverMs: 60_000 } as const;
  assert.equal(first, { ...expected, linksAtOnce: 0, links: undefined });
  await bench.close();
});

options('links lead to the same targets after the key was rotated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rotated-'));
  const storage = () => sqliteStorage({ filename: join(folder, 'app.sqlite') });
  const [first, second] = ['first', 'second'].map((id) => ({
    id,
    secret: `the ${id} secret, for tests only, 32 bytes`,
  }));
  if (first === undefined || second === undefined) throw new Error('There are two keys.');
  const before = await openWith({ storage: storage(), keyring: localKeyring({ keys: [first] }) });
  const { links } = await before.send('ada@example.org');
  await before.close();
  const target = async (keys: KeyringSecret[]) => {
    const service = createService({
      plugins: bareStandardPlugins,
      storage: storage(),
      mail: captureMail(),
      keyring: localKeyring({ keys }),
      environment: 'development',
      publicUrl,
    });
    const { status } = await visit({ service } as never, links[0] ?? '');
    await service.stop();
    return status;
  };
  assert.equal([await target([second, first]), await target([second])], [302, 404]);
  await rm(folder, { recursive: true });
});

options.run();
