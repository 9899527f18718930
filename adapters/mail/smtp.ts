// The SMTP mail adapter on nodemailer's pool: one submission server, a few open connections. Composed by the embedding program.
// It opens nothing before the first send, reads no file and no URL, and never retries a message once a byte of it was sent: the
// delivery job decides on retries.

import type { Socket } from 'node:net';
import type { SMTPPoolSentMessageInfo, Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type DkimKey,
  type MailAdapter,
  MailError,
  type MailReceipt,
  type MailSendOptions,
  type OutgoingMail,
} from '../../plugins/email/port/index.ts';
import { checkMail, needsSmtpUtf8, wireAddress } from '../kit/mail-fields.ts';
import type { OwnHeader } from '../kit/mime-bytes.ts';
import { notConnected } from './smtp-errors.ts';
import type { SmtpCredentials } from './smtp-session.ts';
import { ownSigning, signingOf } from './smtp-signing.ts';
import { SmtpTurns } from './smtp-turns.ts';

/** TLS options, as for node:tls, and whether TLS is required. */
export interface SmtpTlsOptions {
  /** Fail instead of sending without encryption. (Default: true with `auth`, unless the host is this machine) */
  readonly required?: boolean;
  /** Refuse certificates that no known authority signed. (Default: true) */
  readonly rejectUnauthorized?: boolean;
  /** Authorities to trust instead of the built-in ones, PEM. (Default: the authorities of Node.js) */
  readonly ca?: string | Buffer | (string | Buffer)[];
  /** The server name to request and to check. (Default: the host) */
  readonly servername?: string;
  /** The oldest protocol to accept. (Default: the default of Node.js, TLSv1.2) */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
}

/** A DKIM key (RFC 6376). Every message is signed with it, unless its send call provides another key. */
export type SmtpDkimOptions = DkimKey;

/** Time limits in milliseconds. A timeout is a `transient` MailError. */
export interface SmtpTimeouts {
  /** DNS, TCP, TLS, until the greeting. (Default: 15,000) */
  readonly connection?: number;
  /** From the connection to the greeting. (Default: 15,000) */
  readonly greeting?: number;
  /**
   * Silence on an open connection. A server may take minutes to respond to the content (RFC 5321 4.5.3.2.6). If the limit is too
   * short, such a message is sent twice. (Default: 120,000)
   */
  readonly socket?: number;
}

/** The server of a connection. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** The time limit from the name look-up to the open connection. */
  readonly timeoutMs: number;
}

/** Options of `smtpMail`. */
export interface SmtpMailOptions {
  /** The name of this adapter in sends, reports and logs, such as `backup`. (Default: smtp) */
  readonly id?: string;
  readonly host: string;
  /** (Default: 465 with `secure`, else 587) */
  readonly port?: number;
  /** TLS from the first byte. Otherwise STARTTLS if the server offers it. (Default: true on port 465) */
  readonly secure?: boolean;
  /** Used if the server offers AUTH. (Default: no login) */
  readonly auth?: SmtpCredentials;
  /** The maximum number of open connections. (Default: 5) */
  readonly poolSize?: number;
  /** The number of messages over one connection before it is replaced. (Default: 500) */
  readonly messagesPerConnection?: number;
  readonly timeouts?: SmtpTimeouts;
  readonly tls?: SmtpTlsOptions;
  /** (Default: unsigned; the server signs) */
  readonly dkim?: SmtpDkimOptions;
  /**
   * A header that repeats the id of the message, `msg_…`, for providers whose reports contain no Message-ID.
   * (Default: none)
   */
  readonly messageIdHeader?: string;
  /**
   * Whether to send with the return paths of the option `bounces` of `emailPlugin`. Turn it off for a server that accepts only
   * its own senders. (Default: true)
   */
  readonly returnPaths?: boolean;
  /**
   * Opens the connections, without TLS: for a proxy, or for hosts that tenants name. TLS is still checked against `host`.
   * `timeoutMs` is `timeouts.connection`. (Default: a connection to the host's address)
   */
  readonly openSocket?: (where: SmtpServer) => Promise<Socket>;
  /** The name in EHLO. (Default: this machine's name, or [127.0.0.1]) */
  readonly name?: string;
}

let loaded: Promise<typeof import('./smtp-nodemailer.ts')> | undefined;
/** Loaded once, because each dynamic import takes time. */
const nodemailer = () => {
  loaded ??= import('./smtp-nodemailer.ts');
  return loaded;
};

/** The default number of connections. */
const defaultPoolSize = 5;

type PooledTransport = Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

/** How long the server may take to close its side after the adapter closed its own, in milliseconds. */
const CLOSE_GRACE = 2_000;
/** The number of other connections to try if a connection turns out to be closed before a byte of the message was sent. */
const STALE_CONNECTIONS = 3;

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Checks the nested options, because a misspelt option would be ignored silently. */
function checkNestedOptions({ auth, tls, timeouts, dkim }: SmtpMailOptions): void {
  if (auth !== undefined) checkOptions<SmtpCredentials>('smtpMail: auth', auth, { user: 'required', pass: 'required' });
  if (tls !== undefined)
    checkOptions<SmtpTlsOptions>('smtpMail: tls', tls, {
      required: 'optional',
      rejectUnauthorized: 'optional',
      ca: 'optional',
      servername: 'optional',
      minVersion: 'optional',
    });
  if (timeouts !== undefined)
    checkOptions<SmtpTimeouts>('smtpMail: timeouts', timeouts, {
      connection: 'optional',
      greeting: 'optional',
      socket: 'optional',
    });
  if (dkim !== undefined)
    checkOptions<SmtpDkimOptions>('smtpMail: dkim', dkim, {
      domain: 'required',
      selector: 'required',
      privateKey: 'required',
    });
}

function checkValues(options: SmtpMailOptions): void {
  checkNestedOptions(options);
  const port = options.port ?? 587;
  if (options.id !== undefined && !/^[a-z0-9][a-z0-9_-]{0,39}$/.test(options.id))
    throw new TypeError(
      'smtpMail: `id` must have 1 to 40 characters (a-z, 0-9, _ and -), and begin with a letter or a digit.',
    );
  if (!/^[\w.:-]+$/.test(options.host)) throw new TypeError('smtpMail: `host` must be a host name or an address.');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TypeError('smtpMail: `port` must be 1 to 65535.');
  if (options.name !== undefined && !/^[\w.:[\]-]+$/.test(options.name)) {
    throw new TypeError('smtpMail: `name` must be a host name or an address literal.');
  }
  if (options.messageIdHeader !== undefined && !/^[\w-]{1,76}$/.test(options.messageIdHeader)) {
    throw new TypeError('smtpMail: `messageIdHeader` must be the name of a header.');
  }
  const counts = { poolSize: options.poolSize, messagesPerConnection: options.messagesPerConnection };
  for (const [key, value] of Object.entries({ ...counts, ...options.timeouts })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) {
      throw new TypeError(`smtpMail: \`${key}\` must be a whole number above 0.`);
    }
  }
}

/** Opens connections in nodemailer's callback form. */
function socketOf(open: () => Promise<Socket>): NonNullable<SMTPPoolOptions['getSocket']> {
  return (_options, done) => {
    open().then(
      (connection) => done(null, { connection }),
      (cause: unknown) => done(notConnected(cause)),
    );
  };
}

function toPoolOptions(options: SmtpMailOptions): SMTPPoolOptions & { pool: true } {
  const secure = options.secure ?? options.port === 465;
  const { required, ...tls } = options.tls ?? {};
  const { host, openSocket } = options;
  const port = options.port ?? (secure ? 465 : 587);
  const connectionTimeout = options.timeouts?.connection ?? 15_000;
  return {
    pool: true,
    host,
    port,
    secure,
    requireTLS: !secure && (required ?? (options.auth !== undefined && !isThisMachine(options.host))),
    tls,
    maxConnections: options.poolSize ?? defaultPoolSize,
    maxMessages: options.messagesPerConnection ?? 500,
    maxRequeues: STALE_CONNECTIONS,
    connectionTimeout,
    dnsTimeout: connectionTimeout,
    greetingTimeout: options.timeouts?.greeting ?? 15_000,
    socketTimeout: options.timeouts?.socket ?? 120_000,
    socketCloseTimeout: CLOSE_GRACE,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
    ...(options.auth ? { auth: { user: options.auth.user, pass: options.auth.pass } } : {}),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(openSocket === undefined
      ? {}
      : { getSocket: socketOf(() => openSocket({ host, port, timeoutMs: connectionTimeout })) }),
  };
}

/** The adapter's own header, which callers cannot set. */
function idHeaders({ messageId }: OutgoingMail, key: string | undefined): readonly OwnHeader[] {
  return key === undefined ? [] : [{ key, value: messageId.slice(1, messageId.indexOf('@')) }];
}

function toReceipt(info: SMTPPoolSentMessageInfo): MailReceipt {
  const response = info.response.slice(0, 500);
  const providerMessageId = info.serverMessageId ?? /\bqueued as ([\w.@-]{1,200})/i.exec(response)?.[1];
  return providerMessageId === undefined ? { response } : { response, providerMessageId };
}

/**
 * Sends through one SMTP server. Constructing the adapter only checks the options. Internationalised domains are sent in
 * punycode. An address with a non-ASCII local part is sent only to a server that offers SMTPUTF8, and rejected otherwise.
 * @throws TypeError for invalid options
 */
export function smtpMail(options: SmtpMailOptions): MailAdapter {
  checkOptions<SmtpMailOptions>('smtpMail', options, {
    id: 'optional',
    host: 'required',
    port: 'optional',
    secure: 'optional',
    auth: 'optional',
    poolSize: 'optional',
    messagesPerConnection: 'optional',
    timeouts: 'optional',
    tls: 'optional',
    dkim: 'optional',
    messageIdHeader: 'optional',
    returnPaths: 'optional',
    openSocket: 'optional',
    name: 'optional',
  });
  checkValues(options);
  const { returnPaths = true } = options;
  const ownKey = options.dkim === undefined ? undefined : ownSigning(options.dkim);
  const poolOptions = toPoolOptions(options);
  const turns = new SmtpTurns(poolOptions.maxConnections ?? defaultPoolSize);
  const inFlight = new Set<Promise<unknown>>();
  let transport: PooledTransport | undefined;
  let closing: Promise<void> | undefined;
  let speaksSmtpUtf8 = false;

  const session = async (signal: AbortSignal): Promise<string> =>
    (await nodemailer()).openSmtpSession(poolOptions, options.auth, signal, options.openSocket);

  async function requireSmtpUtf8(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    if (mail.replyTo && needsSmtpUtf8(wireAddress(mail.replyTo.email, 'reply address'))) {
      throw new MailError('rejected', 'The reply address must be ASCII before its @.');
    }
    const addresses = [wireAddress(mail.from.email, 'sender'), wireAddress(mail.to.email, 'recipient')];
    if (speaksSmtpUtf8 || !addresses.some(needsSmtpUtf8)) return;
    // nodemailer would send such an address unchanged to a server that does not offer SMTPUTF8.
    const { offersSmtpUtf8 } = await nodemailer();
    speaksSmtpUtf8 = offersSmtpUtf8(await session(signal));
    if (!speaksSmtpUtf8) {
      throw new MailError(
        'rejected',
        'The mail server accepts only addresses that are ASCII before the @ (it lacks SMTPUTF8).',
      );
    }
  }

  async function sendOnce(mail: OutgoingMail, { signal, dkim, urgent = false }: MailSendOptions): Promise<MailReceipt> {
    const signing = dkim === undefined ? ownKey : signingOf(dkim);
    await requireSmtpUtf8(mail, signal);
    const { createTransport, wireChunks, signMessage, sendBytes } = await nodemailer();
    transport ??= createTransport(poolOptions);
    const { returnPath } = mail;
    const sender = returnPaths && returnPath !== undefined ? returnPath : mail.from.email;
    const [from, to] = [wireAddress(sender, 'sender'), wireAddress(mail.to.email, 'recipient')];
    const unsigned = await wireChunks(mail, idHeaders(mail, options.messageIdHeader));
    const chunks = signing === undefined ? unsigned : await signMessage(unsigned, signing);
    const message = { from, to, messageId: mail.messageId, chunks, signal };
    const pool = transport.transporter as SMTPPool;
    return toReceipt(await turns.run({ urgent, signal }, () => sendBytes(pool, message)));
  }

  /** Runs an attempt so that close() waits for it. */
  async function runAttempt<T>(run: () => Promise<T>): Promise<T> {
    if (closing) throw new MailError('transient', 'This mail adapter is closed.');
    const runningAttempt = run();
    inFlight.add(runningAttempt);
    try {
      return await runningAttempt;
    } finally {
      inFlight.delete(runningAttempt);
    }
  }

  return {
    id: options.id ?? 'smtp',
    capabilities: { idempotent: false, captures: false },

    async send(mail: OutgoingMail, sending: MailSendOptions): Promise<MailReceipt> {
      checkMail(mail);
      return runAttempt(() => sendOnce(mail, sending));
    },

    async verify(signal: AbortSignal): Promise<void> {
      await runAttempt(() => session(signal));
    },

    close(): Promise<void> {
      closing ??= Promise.allSettled(inFlight).then(() => transport?.close({ force: true }));
      return closing;
    },
  };
}
