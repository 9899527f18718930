// time-limit: 300
// Each response of a mail server, or its absence: the record of the send, its retries, and the suppression of the address. The tests of
// the adapter check how a single response is read.
// full-run: slow
import * as assert from 'uvu/assert';
import { type SmtpMailOptions, smtpMail } from '../../adapters/mail/smtp.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { createCertificate } from '../core/outgoing-certificate.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { ScriptedSmtpServer, type SmtpScript } from '../support/smtp-server.ts';
import { type SinkOptions, SmtpSink } from '../support/smtp-sink.ts';

type Ending = 'sent' | 'delivery_delayed' | 'bounced' | 'failed';

interface Case {
  readonly title: string;
  readonly server: SmtpScript | SinkOptions;
  readonly options?: Partial<SmtpMailOptions>;
  readonly ends: Ending;
  /** The class of a bounce. */
  readonly class?: 'hard' | 'undetermined';
  /** The reason on the timeline. */
  readonly reason?: RegExp;
  /** True if the server may have received the message although it did not confirm it. Omitted in all other cases. */
  readonly mayHaveMessage?: true;
}

const stages = ['mail', 'rcpt', 'data', 'content'] as const;
const shortTimeouts = { timeouts: { connection: 5_000, greeting: 400, socket: 400 } };
const good = createCertificate([], ['127.0.0.1']);
const expiredCertificate = createCertificate([], ['127.0.0.1'], 2021);
const otherCertificate = createCertificate(['mail.other.example'], []);
const withTls = (ca: string) => ({ tls: { required: true, ca } });
const ehloWithTls = '250-scripted.example\r\n250-STARTTLS\r\n250 8BITMIME';

const cases: readonly Case[] = [
  // A 4xx at any stage is retried.
  ...stages.flatMap((stage) =>
    (stage === 'rcpt' ? [421, 450, 451, 452] : [421, 451]).map(
      (code): Case => ({
        title: `${code} at ${stage}`,
        server: { [stage]: `${code} 4.3.0 Not now` },
        ends: 'delivery_delayed',
        reason: new RegExp(`${code} 4.3.0 Not now`),
      }),
    ),
  ),
  // A 5xx is final: a refusal of the recipient is a bounce, any other refusal a failure.
  ...stages.flatMap((stage) =>
    (stage === 'rcpt' ? [550, 551, 552, 553, 554] : [552, 554]).map((code): Case => {
      const says = `${code} at ${stage}`;
      const server = { [stage]: `${code} 5.7.1 Refused` };
      const reason = new RegExp(`${code} 5.7.1 Refused`);
      return stage === 'rcpt'
        ? { title: says, server, ends: 'bounced', class: 'undetermined', reason }
        : { title: says, server, ends: 'failed', reason };
    }),
  ),
  { title: 'an unknown mailbox', server: { rcpt: '550 5.1.1 No such user' }, ends: 'bounced', class: 'hard' },
  { title: 'an unknown mailbox in words', server: { rcpt: '550 User unknown' }, ends: 'bounced', class: 'hard' },
  { title: 'a greylist', server: { rcpt: '451 4.7.1 Greylisted, try again in 5 minutes' }, ends: 'delivery_delayed' },
  { title: 'a busy greeting', server: { greeting: '421 4.3.2 Too many connections' }, ends: 'delivery_delayed' },
  { title: 'a greeting that refuses the client', server: { greeting: '554 5.7.1 Not you' }, ends: 'delivery_delayed' },
  { title: 'a suspended account', server: { mail: '550 5.7.1 Account suspended' }, ends: 'delivery_delayed' },
  { title: 'a sender that is not allowed', server: { mail: '553 5.7.1 Sender not owned' }, ends: 'failed' },
  {
    title: 'a server that is slow',
    server: { answerMs: 700 },
    options: { tls: { rejectUnauthorized: false } },
    ends: 'sent',
  },
  {
    title: 'a server without a greeting',
    server: { greeting: 'hang' },
    options: shortTimeouts,
    ends: 'delivery_delayed',
  },
  {
    title: 'a server that stops answering at RCPT TO',
    server: { rcpt: 'hang' },
    options: shortTimeouts,
    ends: 'delivery_delayed',
  },
  {
    title: 'a server that stops answering after the content',
    server: { content: 'hang' },
    options: shortTimeouts,
    ends: 'delivery_delayed',
    mayHaveMessage: true,
  },
  { title: 'a connection dropped before DATA', server: { rcpt: 'drop' }, ends: 'delivery_delayed' },
  { title: 'a connection dropped at DATA', server: { data: 'drop' }, ends: 'delivery_delayed' },
  { title: 'a connection dropped within the content', server: { body: 'drop' }, ends: 'delivery_delayed' },
  {
    title: 'a connection dropped after the content',
    server: { content: 'drop' },
    ends: 'delivery_delayed',
    mayHaveMessage: true,
  },
  { title: 'a connection dropped after 250', server: { content: { say: '250 2.0.0 Ok', next: 'drop' } }, ends: 'sent' },
  { title: 'TLS with a valid certificate', server: { ...good }, options: withTls(good.cert), ends: 'sent' },
  {
    title: 'an expired certificate',
    server: { ...expiredCertificate },
    options: withTls(expiredCertificate.cert),
    ends: 'delivery_delayed',
    reason: /certificate has expired/i,
  },
  {
    title: 'a certificate for another name',
    server: { ...otherCertificate },
    options: withTls(otherCertificate.cert),
    ends: 'delivery_delayed',
    reason: /does not match certificate/i,
  },
  {
    title: 'a certificate of an unknown authority',
    server: { ...good },
    options: { tls: { required: true } },
    ends: 'delivery_delayed',
    reason: /self.signed/i,
  },
  {
    title: 'STARTTLS refused for now',
    server: { ehlo: ehloWithTls, starttls: '454 4.7.0 TLS not available' },
    options: withTls(good.cert),
    ends: 'delivery_delayed',
    reason: /454/,
  },
  {
    title: 'a connection dropped during the TLS handshake',
    server: { ehlo: ehloWithTls, starttls: { say: '220 2.0.0 Ready', next: 'drop' } },
    options: withTls(good.cert),
    ends: 'delivery_delayed',
  },
  {
    title: 'a server that continues in plain text after STARTTLS',
    server: { ehlo: ehloWithTls, starttls: '220 2.0.0 Ready' },
    options: { ...withTls(good.cert), ...shortTimeouts },
    ends: 'delivery_delayed',
  },
];

const isScript = (server: Case['server']): server is SmtpScript => !('answerMs' in server || 'cert' in server);

await twoDatabases('the effect of a mail server’s response on a send', (test, database) => {
  let bench: MailBench;
  let current: MailAdapter;
  /** The Message-ID of every hand-over that began */
  const handOvers: string[] = [];
  test.before(async () => {
    const mail: MailAdapter = {
      ...smtpMail({ host: '127.0.0.1' }),
      send(message, options) {
        handOvers.push(message.messageId);
        return current.send(message, options);
      },
    };
    bench = await openMailBench(database, { mail });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const drainWith = async (host: string, port: number, options: Case['options']): Promise<void> => {
    current = smtpMail({ ...options, host, port });
    await bench.drain();
    await current.close();
  };

  for (const [
    index,
    { title: says, server: script, options, ends, reason, mayHaveMessage: mayHaveIt, ...expected },
  ] of cases.entries()) {
    test(`${says}: ${expected.class ?? ''} ${ends}`, async () => {
      const to = `case-${index}@example.org`;
      const server = isScript(script) ? await ScriptedSmtpServer.start(script) : await SmtpSink.start(script);
      handOvers.length = 0;
      const { status, body: accepted } = await bench.send('receipt', { to, variables: { name: 'Ada' } });
      assert.is(status, 202);
      try {
        await drainWith(server.host, server.port, options);
        const send = await bench.readSend(accepted.id);
        assert.is(send.status, ends, JSON.stringify(send.events));
        assert.equal(
          send.events.map(({ type }: { type: string }) => type),
          ['send.queued', `send.${ends}`],
        );
        const entry = send.events[1];
        if (reason !== undefined) assert.match(entry.reason, reason);
        assert.is(entry.bounce?.class, expected.class);
        assert.is(send.whyNotSent === undefined, ends === 'sent' || ends === 'delivery_delayed');
        const took = 'contents' in server ? server.contents.length : server.messages.length;
        const isRefusedContent = isScript(script) && typeof script.content === 'string';
        assert.is(took, ends === 'sent' || mayHaveIt || isRefusedContent ? 1 : 0);
      } finally {
        await server.stop();
      }
      const { body } = await bench.request('/v1/suppressions?limit=100');
      const isSuppressed = body.data.some(({ email }: { email: string }) => email === to);
      assert.is(isSuppressed, expected.class === 'hard');

      // At the time of the next attempt, the server works again.
      bench.advanceClock(30_000);
      await drainWith(bench.sink.host, bench.sink.port, { tls: { rejectUnauthorized: false } });
      const received = bench.sink.messages.filter(({ recipients }) => recipients[0] === to);
      const isRetried = ends === 'delivery_delayed';
      assert.is(received.length, isRetried ? 1 : 0);
      assert.is(handOvers.length, isRetried ? 2 : 1);
      assert.is(new Set(handOvers).size, 1, 'all attempts have the same Message-ID');
      assert.is((await bench.readSend(accepted.id)).status, isRetried ? 'sent' : ends);
    });
  }
});
