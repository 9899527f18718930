// The source of a message as shown to users: the transmitted bytes, the same each time, and an error for a message that
// no adapter would send.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpSource } from '../../adapters/mail/smtp-source.ts';
import { hostileMails, sampleMail, sampleSendOptions } from '../../plugins/email/testing/mail-suite.ts';
import { mailErrorOf, withSink } from '../support/smtp-mail-sink.ts';

const test = suite("a message's source");

/** Removes the boundaries, which are random in each transmission. */
const withoutBoundaries = (raw: Uint8Array): string =>
  Buffer.from(raw)
    .toString('utf8')
    .replace(/_NmP-[0-9a-f]+-/g, '_NmP-x-')
    .trimEnd();

test('the source equals the bytes that a mail server gets', () =>
  withSink(async (sink, adapter) => {
    const mail = sampleMail();
    await adapter.send(mail, sampleSendOptions());
    const [received] = sink.messages;
    assert.ok(received !== undefined);
    assert.is(withoutBoundaries(await smtpSource(mail)), withoutBoundaries(received.raw));
  }));

test('the source is the same each time, and differs for another message', async () => {
  const source = async (messageId: string) => Buffer.from(await smtpSource(sampleMail({ messageId }))).toString('utf8');
  assert.is(await source('<a@example.com>'), await source('<a@example.com>'));
  assert.is.not(await source('<a@example.com>'), await source('<b@example.com>'));
});

test('the source is refused if an adapter would refuse to send the message', async () => {
  for (const [field, mail] of hostileMails('\r\n'))
    assert.is((await mailErrorOf(smtpSource(mail))).fault, 'rejected', field);
});

test.run();
