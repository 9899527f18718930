// The times that providers report: they are stored with the service's own times if they are possible, and used where the time matters.
// full-run: slow
import * as assert from 'uvu/assert';
import { emailPlugin } from '../../plugins/email/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { type ReportedKind, type TestProvider, testProviders } from '../support/provider-reports.ts';
import { visit } from '../support/tracked-mail.ts';

const kinds: readonly ReportedKind[] = ['delivered', 'delayed', 'soft', 'hard', 'complained', 'opened', 'clicked'];
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

await twoDatabases('times of providers', (test, database) => {
  let bench: MailBench;
  const providers = testProviders();
  const providerNamed = (id: string): TestProvider => {
    const provider = providers.find(({ adapter }) => adapter.id === id);
    if (provider === undefined) throw new Error(id);
    return provider;
  };
  test.before(async () => {
    const email = emailPlugin({ reports: providers.map(({ adapter }) => adapter) });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
    bench = await openMailBench(database, { plugins });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  let people = 0;
  const person = (): string => {
    people += 1;
    return `timed-${people}@example.org`;
  };
  const deliver = async (to = person()) => {
    const { body } = await bench.send('receipt', { to, variables: { name: 'Ada' } });
    await bench.drain();
    return { id: body.id as string, to, messageId: `<${body.messageId}@example.com>`, at: bench.now() };
  };
  const post = async ({ adapter, sign }: TestProvider, payload: unknown) => {
    const { headers, body } = sign(payload, bench.now());
    const request = { method: 'POST', headers, body, userAgent: '' };
    assert.is((await visit(bench, `/inbound/mail/${adapter.id}`, request)).status, 200);
  };
  const suppressionOf = async (email: string) =>
    (await bench.request('/v1/suppressions?limit=100')).body.data.find((row: { email: string }) => row.email === email);

  for (const provider of providers) {
    test(`${provider.adapter.id}: the timeline has the provider's time and the service's time`, async () => {
      for (const kind of kinds) {
        const { id, messageId, at } = await deliver();
        bench.advanceClock(2 * hourMs);
        const payload = provider.report(kind, messageId, 0, at + hourMs);
        if (payload === undefined) continue;
        await post(provider, payload);
        const item = (await bench.readSend(id)).events.at(-1);
        assert.equal([item.ts, item.occurredAt], [iso(bench.now()), iso(at + hourMs)], kind);
      }
    });
  }

  test('an impossible time is not stored, but clocks may differ by five minutes', async () => {
    const minute = 60_000;
    const cases: readonly (readonly [number, (accepted: number, now: number) => number | undefined])[] = [
      [Date.UTC(1970, 0, 1), () => undefined],
      [Date.UTC(2999, 0, 1), () => undefined],
      [-6 * minute, () => undefined],
      [-4 * minute, (accepted) => accepted],
      [hourMs, (accepted) => accepted + hourMs],
      [2 * hourMs + 4 * minute, (_, now) => now],
      [2 * hourMs + 6 * minute, () => undefined],
    ];
    for (const [given, expected] of cases) {
      const { id, messageId, at } = await deliver();
      bench.advanceClock(2 * hourMs);
      const reportedAt = Math.abs(given) > dayMs || given === 0 ? given : at + given;
      await post(providerNamed('sendgrid'), providerNamed('sendgrid').report('delivered', messageId, 0, reportedAt));
      const { occurredAt } = (await bench.readSend(id)).events.at(-1);
      const expectedAt = expected(at, bench.now());
      assert.is(occurredAt, expectedAt === undefined ? undefined : iso(expectedAt), String(given));
    }
  });

  test('the event for webhooks has both times', async () => {
    const { messageId, at } = await deliver();
    const events: { ts: string; occurredAt?: string | undefined }[] = [];
    bench.service.on('send.delivered', async ({ data }) => {
      events.push(data.event);
    });
    bench.advanceClock(2 * hourMs);
    await post(providerNamed('postmark'), providerNamed('postmark').report('delivered', messageId, 0, at + hourMs));
    await bench.drain();
    assert.equal([events[0]?.ts, events[0]?.occurredAt], [iso(bench.now()), iso(at + hourMs)]);
  });

  test('soft bounces of three days that are reported together pause marketing mail', async () => {
    const to = person();
    const sends = [];
    for (let day = 0; day < 3; day += 1) {
      sends.push(await deliver(to));
      bench.advanceClock(dayMs);
    }
    const ses = providerNamed('ses');
    for (const { messageId, at } of sends) await post(ses, ses.report('soft', messageId, 0, at + hourMs));
    assert.is((await suppressionOf(to))?.reason, 'soft_bounces');
  });

  test('soft bounces of one day that are reported on three days pause no mail, and neither do bounces of last month', async () => {
    const to = person();
    const sameDay = [await deliver(to), await deliver(to), await deliver(to)];
    const latePerson = person();
    const old = [await deliver(latePerson)];
    const ses = providerNamed('ses');
    for (const { messageId, at } of sameDay) {
      await post(ses, ses.report('soft', messageId, 0, at));
      bench.advanceClock(dayMs);
    }
    assert.is(await suppressionOf(to), undefined);
    for (let day = 0; day < 2; day += 1) {
      bench.advanceClock(12 * dayMs);
      old.push(await deliver(latePerson));
    }
    for (const { messageId, at } of old) await post(ses, ses.report('soft', messageId, 0, at));
    assert.is(await suppressionOf(latePerson), undefined);
  });

  const clickOn = (url: string, number: number, messageId: string, at: number) => {
    const [event] = providerNamed('sendgrid').report('clicked', messageId, number, at) as object[];
    return { ...event, url };
  };

  test("clicks that a provider reports in one request count as a person's if they are minutes apart, else as a program's", async () => {
    const [slow, fast] = [await deliver(), await deliver()];
    bench.advanceClock(2 * hourMs);
    const urls = ['https://shop.example/a', 'https://shop.example/b', 'https://shop.example/c'];
    const clicks = (messageId: string, at: number, apart: number) =>
      urls.map((url, index) => clickOn(url, index, messageId, at + index * apart));
    await post(providerNamed('sendgrid'), clicks(slow.messageId, slow.at + hourMs, 120_000));
    await post(providerNamed('sendgrid'), clicks(fast.messageId, fast.at + hourMs, 1_000));
    assert.is((await bench.readSend(slow.id)).clicks, 3);
    const { clicks: counted, events } = await bench.readSend(fast.id);
    assert.is(counted, 0);
    assert.is(events.at(-1).bot.reason, 'every_link_at_once');
  });

  test("an open in the second of the hand-over counts as a program's, even if it is reported an hour later", async () => {
    const { id, messageId, at } = await deliver();
    bench.advanceClock(2 * hourMs);
    const postmark = providerNamed('postmark');
    await post(postmark, postmark.report('opened', messageId, 500, at));
    const { opens, events } = await bench.readSend(id);
    assert.equal([opens, events.at(-1).bot.reason], [0, 'too_fast']);
  });

  test("SES and Postmark do not identify bots: their user agents and addresses are judged like those of the service's own links", async () => {
    const [ses, postmark] = [providerNamed('ses'), providerNamed('postmark')];
    const apple = 'Mozilla/5.0';
    const scanner = '104.47.1.2';
    const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const byPostmark = (kind: 'opened' | 'clicked', messageId: string, UserAgent: string, IP: string) => ({
      ...(postmark.report(kind, messageId) as object),
      UserAgent,
      Client: { Name: 'Apple Mail', Company: 'Apple Inc.', Family: 'Apple Mail' },
      OS: { Name: 'unknown', Company: 'unknown', Family: 'unknown' },
      Platform: 'Unknown',
      Geo: { IP },
    });
    const bySes = (kind: 'opened' | 'clicked', messageId: string, userAgent: string, ipAddress: string) => {
      const base = ses.report(kind, messageId) as { Message: string };
      const event = JSON.parse(base.Message) as Record<string, object>;
      const name = kind === 'opened' ? 'open' : 'click';
      return { ...base, Message: JSON.stringify({ ...event, [name]: { ...event[name], userAgent, ipAddress } }) };
    };
    const cases = [
      ['opened', apple, '198.51.100.9', 'bot mail_privacy_proxy'],
      ['opened', google, '198.51.100.9', 'bot known_bot'],
      ['opened', browser, scanner, 'bot scanner_network'],
      ['clicked', browser, scanner, 'bot scanner_network'],
      ['clicked', 'python-requests/2.32', '198.51.100.9', 'bot known_library'],
      ['opened', browser, '198.51.100.9', 'human no_sign_of_a_bot'],
    ] as const;
    for (const [kind, userAgent, address, verdict] of cases)
      for (const [provider, payload] of [
        [ses, bySes],
        [postmark, byPostmark],
      ] as const) {
        const { id, messageId } = await deliver();
        bench.advanceClock(hourMs);
        await post(provider, payload(kind, messageId, userAgent, address));
        const send = await bench.readSend(id);
        const { bot } = send.events.at(-1);
        assert.is(`${bot.verdict} ${bot.reason}`, verdict, `${provider.adapter.id} ${userAgent} ${address}`);
        assert.is(send.opens + send.clicks, verdict.startsWith('human') ? 1 : 0);
      }
  });
});
