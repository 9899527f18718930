// Unsubscribing: the effect of the page, and of the one-click request of a mail provider, on a recipient's address.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { headerOf, publicUrl, visit } from '../support/tracked-mail.ts';

const variables = { name: 'Ada' };

await twoDatabases('unsubscribing', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database, { publicUrl });
    await bench.publish('news', { category: 'marketing' });
    await bench.publish('receipt');
    await bench.publish('login', { category: 'system' });
    await bench.publish('linked-receipt', { body: '<p>{{name}} <a href="%unsubscribe_url%">No more</a></p>' });
  });
  test.after(() => bench.close());

  const deliver = async (to: string, template = 'news') => {
    const { body } = await bench.send(template, { to, variables });
    await bench.drain();
    const mail = (await bench.received()).findLast((found) => found.to?.[0]?.address === to);
    const url =
      /^<(.*)>$/.exec((mail && headerOf(mail, 'List-Unsubscribe')) ?? '')?.[1] ??
      /https:[^"]*\/u\/[^"]*/.exec(mail?.html ?? '')?.[0];
    assert.ok(url, 'the message does not say where to unsubscribe');
    return { id: body.id as string, url };
  };
  const suppressionOf = async (email: string) =>
    (await bench.request('/v1/suppressions?limit=100')).body.data.find((row: { email: string }) => row.email === email);
  const statusOf = async (template: string, to: string) => (await bench.send(template, { to, variables })).body.status;
  const statusesOf = (to: string) =>
    Promise.all(['news', 'receipt', 'login'].map((template) => statusOf(template, to)));
  const suppress = (body: object) => bench.request('/v1/suppressions', { method: 'POST', body });
  const oneClick = (url: string, body = 'List-Unsubscribe=One-Click') =>
    visit(bench, url, {
      method: 'POST',
      userAgent: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });

  test('the page only asks, so a mail program that opens every link unsubscribes nobody', async () => {
    const { id, url } = await deliver('asked@example.org');
    const { status, headers, text } = await visit(bench, url);
    assert.is(status, 200);
    assert.match(text, '<form method="post"><button name="do" value="unsubscribe">Unsubscribe</button></form>');
    const { name, defaultFrom } = await bench.service.workspaces.read(bench.workspaceId);
    assert.match(text, `<header class="mark"><bdi>${defaultFrom.name || name}</bdi></header>`);
    assert.not.match(text, 'asked');
    assert.not.match(text, '<script');
    assert.match(headers['Content-Security-Policy'] ?? '', "default-src 'none'; style-src 'sha256-");
    assert.is(headers['Referrer-Policy'], 'no-referrer');
    await visit(bench, url, { method: 'HEAD' });
    assert.is(await suppressionOf('asked@example.org'), undefined);
    assert.is((await bench.readSend(id)).events.at(-1).type, 'send.sent');
  });

  test('a one-click request suppresses the address and emits send.unsubscribed once', async () => {
    const to = 'left@example.org';
    const { id, url } = await deliver(to);
    assert.is((await oneClick(url)).status, 200);
    const { reason, scope, send_id } = await suppressionOf(to);
    assert.equal([reason, scope, send_id], ['unsubscribe', 'marketing', id]);
    const { events, status } = await bench.readSend(id);
    assert.equal([events.at(-1).type, status], ['send.unsubscribed', 'sent']);
    assert.is((await oneClick(url)).status, 200);
    assert.is((await bench.events('send.unsubscribed')).filter((data) => data.id === id).length, 1);
    assert.equal(await statusesOf(to), ['suppressed', 'sent', 'sent']);
    const contact = await bench.service.as(bench.workspaceId).contacts.upsert({ email: to });
    assert.is(contact.subscribed, false);
  });

  test('the link of a receipt stops marketing and receipts, but a login code still arrives', async () => {
    const to = 'no-receipts@example.org';
    const { id, url } = await deliver(to, 'linked-receipt');
    const { name, defaultFrom } = await bench.service.workspaces.read(bench.workspaceId);
    const words = `You will get no more emails from <bdi>${defaultFrom.name || name}</bdi>, except those that your account needs`;
    assert.match((await visit(bench, url)).text, words);
    assert.match((await oneClick(url)).text, words);
    const { reason, scope, send_id } = await suppressionOf(to);
    assert.equal([reason, scope, send_id], ['unsubscribe', 'all', id]);
    assert.equal(await statusesOf(to), ['suppressed', 'suppressed', 'sent']);
  });

  test('a newsletter link never weakens a suppression of all mail, and a later bounce widens the suppression by the link', async () => {
    const to = 'bounced-too@example.org';
    const { url } = await deliver(to);
    await suppress({ email: to, reason: 'hard_bounce', note: 'no such mailbox' });
    await oneClick(url);
    const { reason, scope, note } = await suppressionOf(to);
    assert.equal([reason, scope, note], ['hard_bounce', 'all', 'no such mailbox']);
    assert.equal(await statusesOf(to), ['suppressed', 'suppressed', 'suppressed']);
    const temporary = 'for-a-while@example.org';
    const { url: second } = await deliver(temporary);
    await oneClick(second);
    const { reason: first } = await suppressionOf(temporary);
    await bench.service.workspaces.update(bench.workspaceId, { settings: {} });
    assert.is(first, 'unsubscribe');
    await suppress({ email: temporary, scope: 'marketing', expires_at: new Date(bench.now() + 1_000).toISOString() });
    await oneClick(second);
    bench.advanceClock(2_000);
    assert.equal(await statusesOf(temporary), ['suppressed', 'sent', 'sent']);
  });

  test('a multipart form, an empty form and the button of the page all count', async () => {
    const multipart = {
      'content-type': 'multipart/form-data; boundary=b',
    };
    for (const [to, headers, body] of [
      [
        'parts@example.org',
        multipart,
        '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--',
      ],
      ['button@example.org', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
    ] as const) {
      const { url } = await deliver(to);
      const { status, text } = await visit(bench, url, { method: 'POST', headers, body });
      assert.is(status, 200);
      assert.match(text, 'You are unsubscribed');
      assert.is((await suppressionOf(to))?.reason, 'unsubscribe');
    }
  });

  test('the page states what stops, before and after the button, and names no sender if the link is false', async () => {
    const { name, defaultFrom } = await bench.service.workspaces.read(bench.workspaceId);
    const sender = defaultFrom.name || name;
    const { url } = await deliver('told@example.org');
    const pageText = async (at: string) => (await visit(bench, at)).text;
    const marketing = `You will get no more marketing emails from <bdi>${sender}</bdi>. Others, such as receipts, still come.`;
    assert.match(await pageText(url), marketing);
    assert.match((await oneClick(url)).text, marketing);
    await bench.service.workspaces.update(bench.workspaceId, { settings: { unsubscribeScope: 'all' } });
    assert.match(
      (await oneClick(url)).text,
      `You will get no more emails from <bdi>${sender}</bdi>, of any kind. You can close`,
    );
    assert.equal(await statusesOf('told@example.org'), ['suppressed', 'suppressed', 'suppressed']);
    await bench.service.workspaces.update(bench.workspaceId, { settings: {} });
  });

  test('a link that was cut or changed gets an error page, and changes nothing', async () => {
    const to = 'cut@example.org';
    const { url } = await deliver(to);
    const { name, defaultFrom } = await bench.service.workspaces.read(bench.workspaceId);
    const changedUrl = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`;
    for (const broken of [url.slice(0, -1), `${url}x`, changedUrl, '/u/none', '/u/%EF%BF%BD', '/u/%00']) {
      for (const { status, text } of [await visit(bench, broken), await oneClick(broken)]) {
        assert.is(status, 404, broken);
        assert.match(text, 'This link is incomplete. Copy the whole link from the mail.');
        assert.not.match(text, 'unsubscribed');
        assert.not.match(text, defaultFrom.name || name);
      }
    }
    assert.is(await suppressionOf(to), undefined);
  });

  test('a link still opens with characters that a mail program appended', async () => {
    const { url } = await deliver('trailing@example.org');
    for (const tail of [')', '.', ',', ';', '>', ').', '%3E', '&gt;', '%E2%80%9D', '...', '%20', '%E3%80%82'])
      assert.match((await visit(bench, url + tail)).text, '<form method="post">', tail);
    assert.is((await oneClick(`${url}>.`)).status, 200);
    assert.is((await suppressionOf('trailing@example.org'))?.reason, 'unsubscribe');
  });

  test('if unsubscribing is for marketing only, receipts still arrive', async () => {
    const to = 'marketing@example.org';
    await bench.service.workspaces.update(bench.workspaceId, { settings: { unsubscribeScope: 'marketing' } });
    const { url } = await deliver(to, 'linked-receipt');
    await oneClick(url);
    assert.is((await suppressionOf(to)).scope, 'marketing');
    assert.equal(await statusesOf(to), ['suppressed', 'sent', 'sent']);
    await bench.service.workspaces.update(bench.workspaceId, { settings: {} });
  });

  test('if an address was removed from the suppressions, another click adds it again', async () => {
    const to = 'again@example.org';
    const { url } = await deliver(to);
    await oneClick(url);
    await bench.request(`/v1/suppressions/${to}`, { method: 'DELETE' });
    assert.is(await suppressionOf(to), undefined);
    await oneClick(url);
    assert.is((await suppressionOf(to))?.reason, 'unsubscribe');
  });

  test('after a person is erased, the unsubscription stays in force, but their links no longer work', async () => {
    const to = 'erased@example.org';
    await bench.publish('linked', {
      category: 'marketing',
      body: '<p>{{name}} <a href="https://shop.example/private?name={{name}}">Shop</a> <a href="%unsubscribe_url%">Leave</a></p>',
    });
    const { body } = await bench.send('linked', { to, variables });
    await bench.drain();
    const mail = (await bench.received()).findLast((found) => found.to?.[0]?.address === to);
    const [link = ''] = /https:[^"]*\/t\/c\/[^"]*/.exec(mail?.html ?? '') ?? [];
    assert.is((await visit(bench, link)).status, 302);
    const contact = await bench.service.as(bench.workspaceId).contacts.upsert({ email: to });
    await bench.service.as(bench.workspaceId).contacts.delete({ contactId: contact.id });
    await bench.drain();
    const send = await bench.readSend(body.id);
    assert.not.match(JSON.stringify(send), to);
    const clickEvent = send.events.find(({ type }: { type: string }) => type === 'send.clicked');
    assert.equal(clickEvent.click, { url: 'https://shop.example' });
    assert.is((await visit(bench, link)).status, 404);
    const url = /^<(.*)>$/.exec((mail && headerOf(mail, 'List-Unsubscribe')) ?? '')?.[1] ?? '';
    assert.is((await oneClick(url)).status, 200);
    assert.is(await statusOf('news', to), 'suppressed');
  });

  test('visitors are rate-limited by address, and a refused browser gets a page', async () => {
    const answers = await Promise.all(
      Array.from({ length: 601 }, () =>
        visit(bench, '/u/none', { address: '192.0.2.99', headers: { accept: 'text/html' } }),
      ),
    );
    const refusals = answers.filter(({ status }) => status === 429);
    assert.ok(refusals.length >= 1, 'one of 601 simultaneous visits is refused');
    assert.match(refusals[0]?.text ?? '', '<!doctype html>');
  });
});
