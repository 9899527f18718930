// A real SMTP server for tests: accepts mail on a random loopback port and keeps the raw messages in memory. Each recipient can
// have its own answer. Used by every test whose mail leaves the process. It forwards nothing.

import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A message as received, with dot-stuffing removed. */
export interface SunkMail {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: Buffer;
  /** With angle brackets; empty if the message has none. */
  readonly messageId: string;
  /** True if it arrived over TLS. */
  readonly secure: boolean;
  readonly smtpUtf8: boolean;
  /** The connection's id: messages over one connection share it. */
  readonly connection: string;
}

/** The sink's answer for a recipient instead of 250. */
export interface SinkResponse {
  readonly code: number;
  /** May start with an enhanced status code: `5.1.1 No such user`. */
  readonly text: string;
  /** The command that it answers: RCPT TO, or the content. (Default: rcpt) */
  readonly at?: 'rcpt' | 'content';
  /** The number of times. Later answers are 250 again. (Default: always) */
  readonly times?: number;
}

/** Options of `SmtpSink.start`: the options of smtp-server that tests need. */
export type SinkOptions = Pick<
  SMTPServerOptions,
  'secure' | 'key' | 'cert' | 'size' | 'hideSMTPUTF8' | 'hidePIPELINING' | 'disabledCommands'
> & {
  /** The only user and password that may log in. (Default: no login required) */
  readonly credentials?: { readonly user: string; readonly pass: string };
  /** `answerMs` at the start. (Default: 0) */
  readonly answerMs?: number;
};

/** `sink = await SmtpSink.start()`; `await sink.stop()`. */
export class SmtpSink {
  /** The accepted messages, oldest first. */
  readonly messages: SunkMail[] = [];
  readonly host = '127.0.0.1';
  /** The number of connections opened so far. */
  connections = 0;
  /** Milliseconds between the end of a message and its answer. */
  answerMs: number;
  #open = 0;
  readonly #answers = new Map<string, { answer: SinkResponse; left: number }>();
  readonly #before = new Map<string, () => Promise<unknown>>();
  readonly #waiting = new Set<() => void>();
  readonly #server: SMTPServer;

  private constructor(options: SinkOptions) {
    const { credentials, answerMs = 0, ...serverOptions } = options;
    this.answerMs = answerMs;
    this.#server = new SMTPServer({
      ...serverOptions,
      authOptional: credentials === undefined,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: true,
      logger: false,
      closeTimeout: 200,
      maxAllowedUnauthenticatedCommands: false,
      onConnect: (_session, done) => {
        this.connections += 1;
        this.#open += 1;
        done();
      },
      onClose: () => {
        this.#open -= 1;
        this.#wake();
      },
      onAuth: (auth, _session, done) => {
        const isKnown = auth.username === credentials?.user && auth.password === credentials?.pass;
        done(isKnown ? null : failure({ code: 535, text: '5.7.8 Wrong user name or password' }), {
          user: auth.username,
        });
      },
      onRcptTo: (address, _session, done) => {
        const answer = () => done(this.#answerFor(address.address, 'rcpt'));
        const first = this.#before.get(address.address.toLowerCase());
        if (first === undefined) answer();
        else first().then(answer, done);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          const refusal = session.envelope.rcptTo
            .map((recipient) => this.#answerFor(recipient.address, 'content'))
            .find((error) => error !== null);
          if (refusal) {
            done(refusal);
            return;
          }
          this.#keep(Buffer.concat(chunks), session);
          const answer = `2.0.0 Ok: queued as SINK${this.messages.length}`;
          if (this.answerMs === 0) done(null, answer);
          else setTimeout(() => done(null, answer), this.answerMs);
        });
      },
    });
    // Tests drop connections on purpose.
    this.#server.on('error', () => undefined);
  }

  /** Starts listening on a free port of 127.0.0.1. */
  static async start(options: SinkOptions = {}): Promise<SmtpSink> {
    const sink = new SmtpSink(options);
    await new Promise<void>((resolve) => sink.#server.listen(0, sink.host, resolve));
    return sink;
  }

  get port(): number {
    const address = this.#server.server.address() as AddressInfo;
    return address.port;
  }

  /** The number of open connections. */
  get open(): number {
    return this.#open;
  }

  /** Sets the sink's answer for a recipient from now on, in place of an earlier one. */
  answer(recipient: string, answer: SinkResponse): void {
    this.#answers.set(recipient.toLowerCase(), { answer, left: answer.times ?? Number.POSITIVE_INFINITY });
  }

  /** Calls `run` during a delivery to a recipient: after RCPT TO, before its answer. */
  before(recipient: string, run: () => Promise<unknown>): void {
    this.#before.set(recipient.toLowerCase(), run);
  }

  /** The number of times that each Message-ID was accepted. A number above 1 means that a message was sent twice. */
  countByMessageId(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { messageId } of this.messages) counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
    return counts;
  }

  /** Resolves once `condition` holds; checked after every message and every closed connection. @throws Error after `limitMs` */
  async until(condition: (sink: SmtpSink) => boolean, limitMs = 100_000): Promise<void> {
    const ends = performance.now() + limitMs;
    while (!condition(this)) {
      const remainingMs = ends - performance.now();
      if (remainingMs <= 0) throw new Error(`The sink waited ${limitMs} ms. It has ${this.messages.length} messages.`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs);
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Ends all connections and stops listening. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  #answerFor(recipient: string, at: 'rcpt' | 'content'): Error | null {
    const answerSet = this.#answers.get(recipient.toLowerCase());
    if (!answerSet || (answerSet.answer.at ?? 'rcpt') !== at || answerSet.left <= 0) return null;
    answerSet.left -= 1;
    return failure(answerSet.answer);
  }

  #keep(raw: Buffer, session: SMTPServerSession): void {
    const end = raw.indexOf('\r\n\r\n');
    const headers = raw.subarray(0, end < 0 ? raw.length : end).toString('latin1');
    this.messages.push({
      from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
      recipients: session.envelope.rcptTo.map((recipient) => recipient.address),
      raw,
      messageId: /^message-id:\s*(<[^>\r\n]*>)/im.exec(headers)?.[1] ?? '',
      secure: session.secure,
      smtpUtf8: session.envelope.smtpUtf8 === true,
      connection: session.id,
    });
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function failure(answer: SinkResponse): Error {
  return Object.assign(new Error(answer.text), { responseCode: answer.code });
}
