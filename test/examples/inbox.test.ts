// The quickstart's inbox shows hostile mail without running or resolving anything of it.
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { sampleMail, sampleSendOptions } from '../../core/testing/mail-suite.ts';
import { inboxPages } from '../../examples/quickstart/inbox.ts';
import { listen } from '../hosts/programs.ts';

const test = suite('the inbox pages');
const hostile = '"><script>alert(1)</script>&\'';

async function withInbox(run: (base: string, mail: ReturnType<typeof captureMail>) => Promise<void>) {
  const mail = captureMail();
  const app = express();
  app.use('/deep/inbox', inboxPages(mail));
  const program = await listen(app);
  try {
    await run(`${program.origin}/deep/inbox`, mail);
  } finally {
    await program.close();
  }
}

const textOf = async (url: string | URL): Promise<string> => (await fetch(url)).text();

test('escapes all that a message says', () =>
  withInbox(async (base, mail) => {
    await mail.send(
      sampleMail({
        messageId: '<msg_1@example.com>',
        subject: hostile,
        from: { email: 'a@example.com', name: hostile },
        text: `${hostile}</pre>`,
        html: hostile,
        headers: { 'X-Tag': hostile },
        attachments: [
          { filename: `${hostile}.txt`, contentType: 'text/plain', content: Buffer.from('a'), inline: false },
        ],
      }),
      sampleSendOptions(),
    );
    for (const page of [await textOf(base), await textOf(`${base}/msg_1`)]) {
      assert.not.ok(page.includes('<script'), page);
      assert.ok(page.includes('&lt;script&gt;'), page);
    }
  }));

test('shows HTML from an address of its own that forbids scripts, whoever opens it', () =>
  withInbox(async (base, mail) => {
    await mail.send(sampleMail({ messageId: '<msg_1@example.com>', html: hostile }), sampleSendOptions());
    const response = await fetch(`${base}/msg_1/html`);
    assert.is(await response.text(), hostile);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^sandbox; default-src 'none'/);
    assert.not.match(policy, /allow-|script-src/);
    assert.is(response.headers.get('x-content-type-options'), 'nosniff');
  }));

test('its relative addresses lead somewhere, with and without a slash at the end', () =>
  withInbox(async (base, mail) => {
    await mail.send(sampleMail({ messageId: '<msg_1@example.com>', html: '<p>body</p>' }), sampleSendOptions());
    for (const list of [base, `${base}/`]) {
      const page = await textOf(list);
      const message = new URL(/href="(\S*msg_1)"/.exec(page)?.[1] ?? '', list);
      assert.is(message.pathname, '/deep/inbox/msg_1');
      assert.is(new URL(/href="(\S*inbox\.css)"/.exec(page)?.[1] ?? '', list).pathname, '/deep/inbox/inbox.css');
    }
    for (const message of [`${base}/msg_1`, `${base}/msg_1/`]) {
      const page = await textOf(message);
      assert.is(await textOf(new URL(/src="(\S+)"/.exec(page)?.[1] ?? '', message)), '<p>body</p>');
      assert.is((await fetch(new URL(/href="(\S*inbox\.css)"/.exec(page)?.[1] ?? '', message))).status, 200);
      assert.match(await textOf(new URL(/<p><a href="(\S+)">All mail/.exec(page)?.[1] ?? '', message)), /<h1>Inbox/);
    }
  }));

test('says that a message is not there', () =>
  withInbox(async (base) => {
    assert.match(await textOf(base), /No mail yet/);
    const response = await fetch(`${base}/msg_2`);
    assert.is(response.status, 404);
    assert.match(await response.text(), /No such mail/);
  }));

test.run();
