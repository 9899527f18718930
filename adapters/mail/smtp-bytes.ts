// Hands finished bytes to nodemailer's pool of connections, signed where a key is given. Called by smtp.ts; it makes no
// message and decides on no retry.
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';

/** A message for one recipient. */
export interface BytesToSend {
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  readonly bytes: Buffer;
  /** How to sign, in nodemailer's terms. */
  readonly dkim: DKIM.Options | undefined;
  readonly signal: AbortSignal;
}

type PoolMail = Parameters<SMTPPool['send']>[0];

const dot = Buffer.from('.');
const end = Buffer.from('\r\n.\r\n');

/** The content as it follows DATA: dots at the beginning of lines doubled, and the final dot (RFC 5321, section 4.5.2). */
function dataOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let done = 0;
  for (let at = bytes.indexOf('\n.'); at >= 0; at = bytes.indexOf('\n.', at + 1)) {
    parts.push(bytes.subarray(done, at + 1), dot);
    done = at + 1;
  }
  return Buffer.concat([
    ...parts,
    bytes.subarray(done),
    bytes.subarray(-2).equals(end.subarray(0, 2)) ? end.subarray(2) : end,
  ]);
}

/**
 * The message as one chunk. Piped into nodemailer's DataStream, which reads byte by byte what has to be doubled, it comes
 * prepared and passes unread: the whole content and its final dot leave in one write. Its lines end with CRLF already, and
 * its first line is a header.
 */
class WholeMessage extends Readable {
  readonly #bytes: Buffer;
  #prepared = false;

  constructor(bytes: Buffer) {
    super({ highWaterMark: bytes.length });
    this.#bytes = bytes;
  }

  override pipe<T extends NodeJS.WritableStream>(target: T, options?: { end?: boolean }): T {
    if (target instanceof Transform && 'outByteCount' in target) {
      this.#prepared = true;
      target._transform = (chunk, _encoding, done) => done(null, chunk);
      target._flush = (done) => done();
    }
    return super.pipe(target, options);
  }

  override _read(): void {
    this.push(this.#prepared ? dataOf(this.#bytes) : this.#bytes);
    this.push(null);
  }
}

/** What the pool uses of nodemailer's own message. */
const poolMail = ({ from, to, messageId, signal }: BytesToSend, bytes: Buffer): PoolMail =>
  ({
    data: { signal },
    message: {
      // Made anew for each try: the connection keeps its books in it.
      getEnvelope: () => ({ from, to: [to], size: bytes.length }),
      messageId: () => messageId,
      getHeader: () => messageId,
      createReadStream: () => new WholeMessage(bytes),
    },
  }) as unknown as PoolMail;

/** @throws what the pool fails with, as nodemailer's `sendMail` does */
export async function sendBytes(pool: SMTPPool, message: BytesToSend): Promise<SMTPPoolSentMessageInfo> {
  const { bytes: unsigned, dkim } = message;
  const bytes = dkim === undefined ? unsigned : await buffer(new DKIM(dkim).sign(unsigned));
  return new Promise((resolve, reject) => {
    pool.send(poolMail(message, bytes), (error, info) => {
      if (error) reject(error);
      else resolve(info as SMTPPoolSentMessageInfo);
    });
  });
}
