// One SMTP session outside the pool: greets, starts TLS, logs in, and quits. Called by smtp.ts, through smtp-nodemailer.ts, for
// verify() and to detect whether the server supports SMTPUTF8. It never sends a message.
import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { notConnected, smtpErrorToMailError } from './smtp-errors.ts';

/** User name and password, as the server accepts them. */
export interface SmtpCredentials {
  readonly user: string;
  readonly pass: string;
}

/**
 * Opens a session, logs in if there are credentials and the server offers AUTH, quits, and resolves with the server's EHLO
 * response. `signal` aborts the session and closes the connection. @throws MailError
 */
export async function openSmtpSession(
  options: SMTPConnection.Options,
  credentials: SmtpCredentials | undefined,
  signal: AbortSignal,
  openSocket?: (where: { host: string; port: number; timeoutMs: number }) => Promise<Socket>,
): Promise<string> {
  const { host = '', port = 587, connectionTimeout: timeoutMs = 15_000 } = options;
  const socket = await openSocket?.({ host, port: Number(port), timeoutMs }).catch((cause: unknown) => {
    throw notConnected(cause);
  });
  const connection = new SMTPConnection(socket === undefined ? options : { ...options, connection: socket });
  const aborted = (): void => connection.close();
  try {
    const ehlo = await new Promise<string>((resolve, reject) => {
      const fail = (error: unknown): void => reject(smtpErrorToMailError(error, false));
      connection.on('error', fail);
      connection.once('end', () => fail(signal.aborted ? abortError(signal) : new Error('The connection was closed.')));
      if (signal.aborted) {
        fail(abortError(signal));
        return;
      }
      signal.addEventListener('abort', aborted, { once: true });
      connection.connect((error) => {
        if (error) {
          fail(error);
          return;
        }
        const answer = connection.lastServerResponse || '';
        if (!credentials || !connection.allowsAuth) {
          resolve(answer);
          return;
        }
        connection.login({ ...credentials }, (loginError) => (loginError ? fail(loginError) : resolve(answer)));
      });
    });
    connection.quit();
    return ehlo;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

function abortError(signal: AbortSignal): Error {
  const error = new Error('The attempt was ended.', { cause: signal.reason });
  error.name = 'AbortError';
  return error;
}

/** Whether an EHLO response offers SMTPUTF8 (RFC 6531). */
export function offersSmtpUtf8(ehlo: string): boolean {
  return /^250[ -]SMTPUTF8\b/im.test(ehlo);
}
