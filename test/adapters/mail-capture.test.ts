// own-process: it waits for a warning that a process emits only once
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import type { CapturedMail } from '../../plugins/email/port/index.ts';
import {
  mailAdapterSuite,
  type ReceivedMail,
  sampleMail,
  sampleSendOptions,
} from '../../plugins/email/testing/mail-suite.ts';

const test = suite('capture mail');

function asReceived(mail: CapturedMail): ReceivedMail {
  const headers = Object.entries(mail.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...mail, recipients: [mail.to.email], headers: Object.fromEntries(headers) };
}

mailAdapterSuite(
  'captureMail',
  async () => {
    const adapter = captureMail();
    return {
      adapter,
      received: async () => adapter.messages().toReversed().map(asReceived),
      dispose: async () => undefined,
    };
  },
  (name, run) => test(name, run),
);

const numbered = (count: number) => sampleMail({ messageId: `<m${count}@example.com>`, subject: String(count) });

test('the adapter lists the newest message first and forgets the oldest beyond its limit', async () => {
  const mail = captureMail({ limit: 3 });
  for (let count = 1; count <= 5; count += 1) await mail.send(numbered(count), sampleSendOptions());
  assert.equal(
    mail.messages().map((message) => message.subject),
    ['5', '4', '3'],
  );
});

test('the adapter keeps 500 messages by default', async () => {
  const mail = captureMail();
  for (let count = 1; count <= 501; count += 1) await mail.send(numbered(count), sampleSendOptions());
  assert.is(mail.messages().length, 500);
  assert.is(mail.messages().at(-1)?.subject, '2');
});

test('the adapter finds the newest message to an address in any letter case', async () => {
  const mail = captureMail();
  await mail.send(sampleMail({ to: { email: 'Ada@Example.net' }, subject: 'first' }), sampleSendOptions());
  await mail.send(sampleMail({ to: { email: 'ada@example.net' }, subject: 'second' }), sampleSendOptions());
  await mail.send(sampleMail({ to: { email: 'bob@example.net' }, subject: 'other' }), sampleSendOptions());
  assert.is(mail.lastTo('ADA@example.net')?.subject, 'second');
  assert.is(mail.lastTo('nobody@example.net'), undefined);
});

test('the adapter keeps the workspace, the sandbox mark and the time of its clock', async () => {
  const now = new Date('2026-05-06T07:08:09Z');
  const mail = captureMail({ now: () => now });
  await mail.send(sampleMail(), sampleSendOptions({ workspaceId: 'ws_7', sandbox: true }));
  const [message] = mail.messages();
  assert.is(message?.workspaceId, 'ws_7');
  assert.is(message?.sandbox, true);
  assert.equal(message?.capturedAt, now);
});

test('the adapter forgets everything on clear', async () => {
  const mail = captureMail();
  await mail.send(sampleMail(), sampleSendOptions());
  mail.clear();
  assert.is(mail.messages().length, 0);
  assert.is(mail.lastTo('ada@example.net'), undefined);
});

test('the adapter calls subscribers for each message until they unsubscribe', async () => {
  const mail = captureMail();
  const seenMails: string[] = [];
  const unsubscribe = mail.onMessage((message) => seenMails.push(message.subject));
  await mail.send(numbered(1), sampleSendOptions());
  unsubscribe();
  await mail.send(numbered(2), sampleSendOptions());
  assert.equal(seenMails, ['1']);
});

test('the adapter accepts the message even if a subscriber throws', async () => {
  const mail = captureMail();
  const warnings: Error[] = [];
  const warningEmitted = new Promise<void>((resolve) => {
    process.once('warning', (warning) => {
      warnings.push(warning);
      resolve();
    });
  });
  mail.onMessage(() => {
    throw new Error('the subscriber failed');
  });
  await mail.send(sampleMail(), sampleSendOptions());
  await warningEmitted;
  assert.is(mail.messages().length, 1);
  assert.is(warnings[0]?.message, 'the subscriber failed');
});

test('the adapter refuses a limit of 0', () => {
  assert.throws(() => captureMail({ limit: 0 }), /limit/);
});

test.run();
