// An SMTP adapter and a fresh sink, both closed after the test, for the tests of the SMTP adapter.

import { type SmtpMailOptions, smtpMail } from '../../adapters/mail/smtp.ts';
import { isMailError, type MailAdapter, type MailError } from '../../plugins/email/port/index.ts';
import { type SinkOptions, SmtpSink } from './smtp-sink.ts';

/** Accepts the sink's self-signed certificate. */
export const trusting = { rejectUnauthorized: false };

/** Runs a test between a started sink and an adapter on it. */
export async function withSink(
  run: (sink: SmtpSink, adapter: MailAdapter) => Promise<void>,
  options: { sink?: SinkOptions; adapter?: Partial<SmtpMailOptions> } = {},
): Promise<void> {
  const sink = await SmtpSink.start(options.sink);
  const adapter = smtpMail({ host: sink.host, port: sink.port, tls: trusting, ...options.adapter });
  try {
    await run(sink, adapter);
  } finally {
    await adapter.close();
    await sink.stop();
  }
}

/** The MailError of a send. @throws when the message was accepted */
export async function mailErrorOf(sending: Promise<unknown>): Promise<MailError> {
  try {
    await sending;
  } catch (error) {
    if (isMailError(error)) return error;
    throw error;
  }
  throw new Error('the message was accepted');
}
