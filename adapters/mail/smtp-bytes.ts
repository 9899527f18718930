// Sends finished bytes through nodemailer's pool of connections, signed if there is a key. Called by smtp.ts,
// through smtp-nodemailer.ts. It does not build messages, and does not decide on retries.
import type { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';
import { MailError } from '../../plugins/email/port/index.ts';
import { smtpErrorToMailError } from './smtp-errors.ts';

/** A message for one recipient. */
export interface BytesToSend {
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  /** The message, in chunks to join. */
  readonly chunks: readonly Buffer[];
  readonly signal: AbortSignal;
}

type PoolMail = Parameters<SMTPPool['send']>[0];

const dot = Buffer.from('.');
const lineBreak = Buffer.from('\r\n');
const end = Buffer.from('.\r\n');

/**
 * The content after DATA: dots at the beginning of lines are doubled, and the final dot is added (RFC 5321, section 4.5.2). The
 * lines already end with CRLF, and the first line is a header.
 */
function dataOf(chunks: readonly Buffer[]): Buffer {
  const isEnded = chunks.at(-1)?.subarray(-2).equals(lineBreak) === true;
  const data = Buffer.concat([...chunks, ...(isEnded ? [] : [lineBreak]), end]);
  const last = data.length - end.length;
  const parts: Buffer[] = [];
  let position = 0;
  for (let at = data.indexOf('\n.') + 1; at < last; at = data.indexOf('\n.', at) + 1) {
    parts.push(data.subarray(position, at), dot);
    position = at;
  }
  return position === 0 ? data : Buffer.concat([...parts, data.subarray(position)]);
}

/**
 * Imitates the readable stream of a message for nodemailer. The prepared content is sent in one write: nodemailer's own stream
 * would read it byte by byte to find the dots to double.
 */
class WholeMessage {
  readonly #chunks: readonly Buffer[];
  /** Whether a byte was sent. If not, the pool retries the message. */
  readableDidRead = false;

  constructor(chunks: readonly Buffer[]) {
    this.#chunks = chunks;
  }

  pipe(target: Transform): void {
    this.readableDidRead = true;
    target._transform = (chunk, _encoding, done) => done(null, chunk);
    target._flush = (done) => done();
    target.end(dataOf(this.#chunks));
  }
}

/** The members of nodemailer's own message that the pool uses. `open` creates the content again for each attempt. */
const poolMail = ({ from, to, messageId, signal }: BytesToSend, size: number, open: () => WholeMessage): PoolMail =>
  ({
    data: { signal },
    message: {
      // Created again for each attempt, because the connection stores its state in it.
      getEnvelope: () => ({ from, to: [to], size }),
      messageId: () => messageId,
      getHeader: () => messageId,
      createReadStream: open,
    },
  }) as unknown as PoolMail;

/**
 * The message, preceded by its signature. `dkim`: the key and the signed headers, as nodemailer's options.
 * @throws MailError if the library did not sign, which it does not report itself
 */
export async function signMessage(chunks: readonly Buffer[], dkim: DKIM.Options): Promise<readonly Buffer[]> {
  const message = await buffer(new DKIM(dkim).sign(Buffer.concat(chunks)));
  if (message.toString('latin1', 0, 15) !== 'DKIM-Signature:')
    throw new MailError('transient', 'The message could not be signed with its DKIM key.', { unavailable: true });
  return [message];
}

/** @throws MailError */
export async function sendBytes(pool: SMTPPool, message: BytesToSend): Promise<SMTPPoolSentMessageInfo> {
  const { chunks } = message;
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const attempts: WholeMessage[] = [];
  const open = (): WholeMessage => {
    const content = new WholeMessage(chunks);
    attempts.push(content);
    return content;
  };
  return new Promise((resolve, reject) => {
    pool.send(poolMail(message, size, open), (error, info) => {
      const hasBegun = attempts.some(({ readableDidRead }) => readableDidRead);
      if (error) reject(smtpErrorToMailError(error, hasBegun));
      else resolve(info as SMTPPoolSentMessageInfo);
    });
  });
}
