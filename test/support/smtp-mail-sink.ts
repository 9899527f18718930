// An SMTP adapter and a fresh sink for the tests of the SMTP adapter. Both are closed after the test.

import { type SmtpMailOptions, smtpMail } from '../../adapters/mail/smtp.ts';
import { isMailError, type MailAdapter, type MailError } from '../../plugins/email/port/index.ts';
import { type SinkOptions, SmtpSink } from './smtp-sink.ts';

/** Accepts the sink's self-signed certificate. */
export const trusting = { rejectUnauthorized: false };

/** Runs a test with a started sink and an adapter connected to it. */
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

/** The MailError with which a send fails. @throws if the message was accepted */
export async function mailErrorOf(sending: Promise<unknown>): Promise<MailError> {
  try {
    await sending;
  } catch (error) {
    if (isMailError(error)) return error;
    throw error;
  }
  throw new Error('the message was accepted');
}
