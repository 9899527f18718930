// The inbox for tests and people: lists, one message with its parts, read marks, deletion.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type InboxBench, openInboxBench } from '../support/inbox-bench.ts';
import { parseRaw } from '../support/received-mail.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');

const content = {
  subject: 'Receipt {{number}} für {{name}}',
  body: `<!doctype html><html><head><style>p{color:#111}@media (prefers-color-scheme: dark){p{color:#eee}}</style></head>
<body><p>Hello {{name}}</p><img src="cid:logo.png" alt="Logo"><a href="https://example.com/a?x=1&amp;y=2">Your order</a>
<a href="mailto:help@example.com">Help</a><img src="https://cdn.example.net/pixel.gif"></body></html>`,
  text: 'Hello {{name}}, see https://example.com/text.',
};

await twoDatabases('the inbox', (test, database) => {
  let bench: InboxBench;
  let id: string;
  test.before(async () => {
    bench = await openInboxBench({ database });
    await bench.publish('hello');
    await bench.publish('receipt', content);
    id = await bench.send('receipt', {
      to: 'Ada@Example.com',
      variables: { name: 'Zoë', number: 'A-7' },
      replyTo: { email: 'help@example.com' },
      headers: { 'X-Order': 'A-7' },
      attachments: [
        { filename: 'logo.png', content_type: 'image/png', data_base64: png.toString('base64'), inline: true },
        {
          filename: 'Rechnung №7.txt',
          content_type: 'text/plain',
          data_base64: Buffer.from('1 × Kaffee').toString('base64'),
        },
      ],
    });
    for (const name of ['One', 'Two', 'Three']) {
      bench.advanceClock(1_000);
      await bench.send('hello', { to: `${name.toLowerCase()}@example.com`, variables: { name } });
    }
  });
  test.after(() => bench.close());

  test('the list has messages newest first, with the details of their sends', async () => {
    const { status, headers, json } = await bench.ask('/messages');
    assert.is(status, 200);
    assert.is(headers['Cache-Control'], 'no-store');
    assert.equal([json.has_more, json.next_cursor, json.total, json.unread], [false, null, 4, 4]);
    assert.equal(
      json.data.map((message: { to: string }) => message.to),
      ['three@example.com', 'two@example.com', 'one@example.com', 'Ada@Example.com'],
    );
    const { created_at, size, ...last } = json.data[3];
    assert.equal(last, {
      id,
      workspace: bench.workspaceId,
      origin: 'sandbox',
      template: 'receipt',
      to: 'Ada@Example.com',
      from: { email: 'hello@example.com', name: 'Example' },
      subject: 'Receipt A-7 für Zoë',
      unread: true,
      attachments: 1,
      has_message: true,
      status: 'delivered',
    });
    assert.ok(size > 100);
    assert.match(created_at, /^2026-01-01T/);
  });

  const found: Readonly<Record<string, readonly string[]>> = {
    '?to=ada@example.com': ['Ada@Example.com'],
    '?to=ada': [],
    '?subject=receipt%20a-7': ['Ada@Example.com'],
    '?subject=F%C3%9CR': ['Ada@Example.com'],
    '?subject=example.com': [],
    '?q=hello%20two': ['two@example.com'],
    '?q=TWO': ['two@example.com'],
    '?q=%25': [],
    '?q=h_llo': [],
    '?to=one@example.com&q=receipt': [],
    '?to=nobody@example.com': [],
  };
  for (const [query, expected] of Object.entries(found)) {
    test(`the search finds ${expected.length} for ${query}`, async () => {
      assert.equal(
        (await bench.messages(query)).map(({ to }) => to),
        expected,
      );
      const { matching, total } = (await bench.ask(`/messages${query}`)).json;
      assert.equal([matching, total], [expected.length, 4]);
    });
  }

  test('a search by the id of a send finds its message', async () => {
    assert.equal(
      (await bench.messages(`?q=${id}`)).map((message) => message.id),
      [id],
    );
  });

  test('pages have the requested size and follow each other without gaps', async () => {
    const first = (await bench.ask('/messages?limit=3')).json;
    assert.equal([first.data.length, first.has_more], [3, true]);
    const second = (await bench.ask(`/messages?limit=3&cursor=${first.next_cursor}`)).json;
    assert.equal([second.data.length, second.has_more, second.next_cursor], [1, false, null]);
    assert.is(second.data[0].id, id);
    assert.equal([first.matching, second.matching], [4, 4]);
    const page = (await bench.ask('/messages?limit=1&q=hello')).json;
    assert.equal([page.data.length, page.matching, page.total], [1, 4, 4]);
  });

  test('an unchanged list gets 304, but a changed list does not', async () => {
    const { headers } = await bench.ask('/messages');
    const tag = headers.ETag as string;
    const unchanged = await bench.ask('/messages', { headers: { 'if-none-match': tag } });
    assert.equal([unchanged.status, unchanged.text], [304, '']);
    await bench.ask(`/messages/${id}/seen`, { method: 'POST' });
    assert.is((await bench.ask('/messages', { headers: { 'if-none-match': tag } })).status, 200);
  });

  test('one message is returned with all its parts', async () => {
    const { status, json } = await bench.ask(`/messages/${id}`);
    assert.is(status, 200);
    assert.equal(json.to, { email: 'Ada@Example.com', name: '' });
    assert.match(json.html, 'Hello Zoë');
    assert.is(json.text, 'Hello Zoë, see https://example.com/text.');
    assert.equal(json.links, [
      { url: 'https://example.com/a?x=1&y=2', text: 'Your order' },
      { url: 'mailto:help@example.com', text: 'Help' },
      { url: 'https://example.com/text', text: '' },
    ]);
    assert.equal(json.remote_hosts, ['cdn.example.net']);
    assert.is(json.dark_styles, true);
    const headers = new Map(json.headers.map(({ name, value }: { name: string; value: string }) => [name, value]));
    assert.is(headers.get('From'), 'Example <hello@example.com>');
    assert.is(headers.get('Reply-To'), 'help@example.com');
    assert.is(headers.get('X-Order'), 'A-7');
    assert.match(String(headers.get('Message-ID')), /^<msg_\w+@example\.com>$/);
    assert.equal(json.attachments, [
      { index: 0, filename: 'logo.png', content_type: 'image/png', size: 8, inline: true, content_id: 'logo.png' },
      { index: 1, filename: 'Rechnung №7.txt', content_type: 'text/plain', size: 11, inline: false, content_id: null },
    ]);
    assert.is(json.send.id, id);
    assert.equal(
      json.send.events.map(({ type }: { type: string }) => type),
      ['send.queued', 'send.delivered'],
    );
  });

  test('an unchanged message gets 304', async () => {
    const { headers } = await bench.ask(`/messages/${id}`);
    const unchanged = await bench.ask(`/messages/${id}`, { headers: { 'if-none-match': headers.ETag as string } });
    assert.is(unchanged.status, 304);
  });

  test('the HTML has a policy that forbids running and loading anything, and contains its inline parts', async () => {
    const { headers, text } = await bench.ask(`/messages/${id}/html`);
    const policy = headers['Content-Security-Policy'] as string;
    assert.match(policy, "default-src 'none'");
    assert.match(policy, 'img-src data:;');
    assert.match(policy, /; sandbox (?!.*allow-(scripts|forms|top-navigation))/);
    assert.is(headers['X-Content-Type-Options'], 'nosniff');
    assert.match(text, `src="data:image/png;base64,${png.toString('base64')}"`);
    assert.match(text, '<base target="_blank">');
    assert.match(text, '@media (max-width:0){p{color:#eee}}');
  });

  test('the HTML can be requested in dark mode, and with remote content', async () => {
    const { headers, text } = await bench.ask(`/messages/${id}/html?scheme=dark&remote=1`);
    assert.match(headers['Content-Security-Policy'] as string, 'img-src data: http: https:;');
    assert.match(text, '@media (min-width:0){p{color:#eee}}');
    assert.is((await bench.ask(`/messages/${id}/html?scheme=blue`)).status, 422);
  });

  test('the text is returned unchanged', async () => {
    const { headers, text } = await bench.ask(`/messages/${id}/text`);
    assert.is(headers['Content-Type'], 'text/plain; charset=utf-8');
    assert.is(text, 'Hello Zoë, see https://example.com/text.');
  });

  test('the source is the mail as a mail program receives it, and is the same for each request', async () => {
    const { headers, bytes } = await bench.ask(`/messages/${id}/source`);
    assert.is(headers['Content-Type'], 'text/plain; charset=utf-8');
    const email = await parseRaw(bytes);
    assert.is(email.subject, 'Receipt A-7 für Zoë');
    assert.match(email.html ?? '', 'Hello Zoë');
    assert.equal(
      email.attachments.map(({ filename, disposition }) => [filename, disposition]),
      [
        ['logo.png', 'inline'],
        ['Rechnung №7.txt', 'attachment'],
      ],
    );
    assert.ok((await bench.ask(`/messages/${id}/source`)).bytes.equals(bytes));
    const file = await bench.ask(`/messages/${id}/source?download=1`);
    assert.is(file.headers['Content-Type'], 'message/rfc822');
    assert.match(file.headers['Content-Disposition'] as string, `${id}.eml`);
  });

  test('attachments are returned as downloads, and never opened in the browser', async () => {
    const { headers, text } = await bench.ask(`/messages/${id}/attachments/1`);
    assert.is(text, '1 × Kaffee');
    assert.is(headers['Content-Type'], 'text/plain');
    assert.is(
      headers['Content-Disposition'],
      `attachment; filename="Rechnung _7.txt"; filename*=UTF-8''Rechnung%20%E2%84%967.txt`,
    );
    assert.match(headers['Content-Security-Policy'] as string, 'sandbox');
    for (const index of ['2', '-1', '1.0', 'x', '0x1'])
      assert.is((await bench.ask(`/messages/${id}/attachments/${index}`)).status, 404, index);
  });

  test('a query with an unknown or invalid parameter is refused, and the error names the parameter', async () => {
    const wrong: Readonly<Record<string, string>> = {
      '/messages?too=ada@example.com': 'too',
      '/messages?limit=0': 'limit',
      '/messages?limit=many': 'limit',
      '/messages?limit=1e1': 'limit',
      '/messages?q=%00': 'q',
      [`/messages/${id}?lang=en`]: 'lang',
    };
    for (const [path, name] of Object.entries(wrong)) {
      const { status, json } = await bench.ask(path);
      assert.equal([status, json.error.code], [422, 'validation_failed'], path);
      assert.match(JSON.stringify(json.error), name);
    }
    assert.is((await bench.ask('/messages?cursor=nonsense')).json.error.code, 'cursor_invalid');
  });

  test('a missing message gets 404 with an explanation', async () => {
    for (const path of ['/messages/snd_none', '/messages/snd_none/html', '/messages/snd_none/attachments/0']) {
      const { status, headers, json } = await bench.ask(path);
      assert.equal([status, json.error.code], [404, 'inbox_message_not_found'], path);
      assert.is(headers['Cache-Control'], 'no-store');
    }
    assert.is((await bench.ask('/messages?workspace=ws_none')).json.error.code, 'workspace_not_found');
  });

  test('reading a message does not mark it as read; only the seen call does', async () => {
    const [newest] = await bench.messages();
    await bench.ask(`/messages/${newest.id}`);
    assert.is((await bench.messages())[0].unread, true);
    const { unread } = (await bench.ask('/messages')).json;
    const seenAnswer = await bench.ask(`/messages/${newest.id}/seen`, { method: 'POST' });
    assert.equal([seenAnswer.status, seenAnswer.text], [204, '']);
    const after = (await bench.ask('/messages')).json;
    assert.equal([after.data[0].unread, after.unread], [false, unread - 1]);
    await bench.ask('/messages/seen', { method: 'POST' });
    assert.is((await bench.ask('/messages')).json.unread, 0);
  });

  test('the page gets the workspaces and an example of a working send', async () => {
    const { json } = await bench.ask('/workspaces');
    assert.equal(
      json.data.map(({ name }: { name: string }) => name),
      ['Under test', 'Foreign'],
    );
    assert.equal([json.together, json.has_more, json.service.name], [true, false, 'Postrider']);
    const { example } = (await bench.ask(`/example?workspace=${bench.workspaceId}`)).json;
    await bench.send(example.template, { to: 'example@example.com', variables: example.variables });
    assert.equal((await bench.ask(`/example?workspace=${bench.foreignWorkspaceId}`)).json, { example: null });
  });

  test('one message can be deleted, and then all of them; their sends are kept', async () => {
    assert.equal((await bench.ask(`/messages/${id}`, { method: 'DELETE' })).json, { deleted: 1 });
    for (const rest of ['', '/html', '/source', '/attachments/1'])
      assert.is((await bench.ask(`/messages/${id}${rest}`)).status, 404);
    assert.is((await bench.ask(`/messages/${id}`, { method: 'DELETE' })).status, 404);
    const remaining = (await bench.messages()).length;
    assert.equal((await bench.ask('/messages', { method: 'DELETE' })).json, { deleted: remaining });
    assert.equal((await bench.ask('/messages')).json.total, 0);
    assert.is((await bench.request(`/v1/sends/${id}`, { key: bench.testKey })).status, 200);
  });

  test('messages of several workspaces are listed together, or by workspace', async () => {
    const foreign = bench.service.as(bench.foreignWorkspaceId, { sandbox: true });
    await foreign.templates.create({ key: 'hello', mode: 'html', subject: 'Other', body: '<p>{{name}}</p>' });
    await bench.send('hello', { to: 'a@example.com', variables: { name: 'Mine' } });
    bench.advanceClock(1_000);
    await foreign.email.send({ template: 'hello', to: 'b@example.com', variables: { name: 'Theirs' } });
    await bench.drain();
    bench.advanceClock(1_000);
    await bench.send('hello', { to: 'c@example.com', variables: { name: 'Mine' } });
    const all = (await bench.ask('/messages?limit=2')).json;
    const secondPage = (await bench.ask(`/messages?limit=2&cursor=${all.next_cursor}`)).json;
    assert.equal(
      [...all.data, ...secondPage.data].map(({ to }) => to),
      ['c@example.com', 'b@example.com', 'a@example.com'],
    );
    const foreignMessages = await bench.messages(`?workspace=${bench.foreignWorkspaceId}`);
    assert.equal(
      foreignMessages.map(({ to }) => to),
      ['b@example.com'],
    );
    const deletion = await bench.ask(`/messages?workspace=${bench.foreignWorkspaceId}`, { method: 'DELETE' });
    assert.equal(deletion.json, { deleted: 1 });
    assert.is((await bench.messages()).length, 2);
  });

  test('a send can be read with and without its message, and gives the reason if it was not sent', async () => {
    const send = await bench.send('hello', { to: 'ada@example.com', variables: { name: 'Ada' } });
    const withMail = (await bench.ask(`/sends/${send}`)).json;
    assert.equal([withMail.id, withMail.workspace, withMail.has_message], [send, bench.workspaceId, true]);
    const failedSend = await bench.sendBroken();
    assert.is((await bench.ask(`/messages/${failedSend}`)).json.error.code, 'inbox_message_not_found');
    const { status, headers, json } = await bench.ask(`/sends/${failedSend}`);
    assert.equal([status, json.has_message, json.send.status], [200, false, 'failed']);
    assert.match(json.send.whyNotSent, 'cannot be rendered');
    const unchanged = await bench.ask(`/sends/${failedSend}`, {
      headers: { 'if-none-match': headers['ETag'] as string },
    });
    assert.is(unchanged.status, 304);
    const [listed] = await bench.messages(`?q=${failedSend}`);
    assert.equal([listed.has_message, listed.status, listed.subject], [false, 'failed', 'Broken']);
    const unknown = await bench.ask('/sends/snd_unknown');
    assert.equal([unknown.status, unknown.json.error.code], [404, 'inbox_message_not_found']);
  });
});
