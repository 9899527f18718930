// Classifies a failed send over SMTP: a response, or the server's silence. Pure; called by the SMTP adapter's files.

import { beginning } from '../../core/contract/values/shorten.ts';
import { isMailError, MailError } from '../../plugins/email/port/index.ts';
import { mailErrorOfResponse, parseSmtpResponse, type SmtpStage } from '../kit/smtp-response.ts';

function stageOf(command: string, code: string): SmtpStage {
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return 'recipient';
  // nodemailer reports DATA with two codes: EENVELOPE for the command, EMESSAGE for the response after the final dot.
  if (command === 'DATA') return code === 'EMESSAGE' ? 'content' : 'data';
  return 'session';
}

function field(error: object, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : '';
}

/**
 * The error for anything that a nodemailer SMTP transport threw. A response is classified by its stage. A lost connection, a
 * timeout, TLS, DNS, an aborted attempt and anything unknown is `transient`. A refusal by the client itself is `rejected`. @param
 * contentSent whether a byte of the content was sent: until then the server has received nothing
 */
export function smtpErrorToMailError(error: unknown, contentSent: boolean): MailError {
  if (isMailError(error)) return error;
  const unavailable = !contentSent;
  if (!(error instanceof Error))
    return new MailError('transient', 'The hand-over failed.', { cause: error, unavailable });
  const code = field(error, 'code');
  const command = field(error, 'command');
  const answer = parseSmtpResponse(field(error, 'response'));
  if (answer) return mailErrorOfResponse(answer, stageOf(command, code), error);
  if (code === 'EABORT' || error.name === 'AbortError') {
    return new MailError('transient', 'The attempt was ended before the server answered.', {
      cause: error,
      unavailable,
    });
  }
  if (code === 'EMESSAGE' && command === 'MAIL FROM') {
    // The server's SIZE (RFC 1870) was smaller than the message, so nothing was sent.
    const diagnostic = beginning(error.message, 500);
    return new MailError('rejected', diagnostic, {
      cause: error,
      bounce: { class: 'undetermined', subType: 'message_too_large', diagnostic },
    });
  }
  const text = beginning(error.message, 500);
  if (command === 'API' && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return new MailError('rejected', text, { cause: error });
  return new MailError('transient', text, { cause: error, unavailable });
}

/** The error for a connection that was never open: nothing was sent, and another provider may send the message. */
export function notConnected(cause: unknown): MailError {
  const text = cause instanceof Error ? cause.message : 'The connection could not be opened.';
  return new MailError('transient', beginning(text, 500), { cause, unavailable: true });
}
