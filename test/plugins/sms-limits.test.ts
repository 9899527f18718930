// Limits on the cost of SMS: the monthly budget, limits against toll fraud, countries, quiet hours.
// full-run: slow
import * as assert from 'uvu/assert';
import { standardPlugins } from '../../plugins/index.ts';
import { smsPlugin } from '../../plugins/sms/index.ts';
import { type SmsAdapter, SmsError } from '../../plugins/sms/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const path = '/v1/messaging/transactional';
const hour = 3_600_000;
assert.ok(standardPlugins.some(({ id }) => id === 'sms'));

await twoDatabases('limits of SMS', (test, database) => {
  const withBench = async (
    options: object,
    run: (bench: Awaited<ReturnType<typeof migratedTestService<string>>>) => Promise<void>,
  ) => {
    const bench = await migratedTestService(database, { plugins: bareStandardPlugins, ...options });
    try {
      await run(bench as never);
    } finally {
      await bench.close();
    }
  };
  const login = (to: string) => ({ body: { templateKey: 'auth_login_code', to, variables: { code: '482913' } } });

  test('quiet hours with two equal times are refused, both in the options and for a workspace', async () => {
    const quietHours = { from: '21:00', to: '21:00' };
    assert.throws(() => smsPlugin({ quietHours }), /two different times/);
    await withBench({}, async ({ service, workspaceId }) => {
      const { sms } = service as unknown as { sms: { configure(id: string, changes: object): Promise<unknown> } };
      const refused: unknown = await sms.configure(workspaceId, { quietHours }).catch((error: unknown) => error);
      assert.match(String(refused), /two different times/);
    });
  });

  test('the budget counts segments exactly: sms_budget_exhausted', () =>
    withBench({ plans: { pro: { monthlySmsBudget: 2 } } }, async (bench) => {
      const statuses = [];
      for (const to of ['+14155550123', '+12125550123', '+13125550123'])
        statuses.push((await bench.request(path, login(to))).body.error?.code ?? 202);
      assert.equal(statuses, [202, 202, 'sms_budget_exhausted']);
      const { status } = await bench.request(path, { ...login('+14155550123'), key: bench.testKey });
      assert.is(status, 202, 'sandbox messages are free');
    }));

  test('a number and a block of numbers have limits: sms_recipient_limit, sms_range_limit', async () => {
    const codes: string[] = [];
    const sms = smsPlugin({
      limits: { perRecipient: 2, perRange: 2 },
      onSuspicion: ({ kind, range }) => void codes.push(`${kind} ${range}`),
    });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'sms' ? sms : plugin));
    await withBench({ plugins, logger: { debug() {}, info() {}, warn() {}, error() {} } }, async (bench) => {
      const code = async (to: string) => {
        const { status, body } = await bench.request(path, login(to));
        return body.error?.code ?? status;
      };
      assert.equal([await code('+14155550123'), await code('+14155550123')], [202, 202]);
      assert.is(await code('+14155550123'), 'sms_recipient_limit');
      assert.is(await code('+14155550124'), 202);
      assert.is(await code('+14155550126'), 'sms_range_limit');
      assert.is(await code('+12125550126'), 202, 'a number of another block is accepted');
      assert.equal(codes, ['recipient +14155550', 'range +14155550']);
      bench.advanceClock(hour + 1);
      assert.is(await code('+14155550126'), 202);
    });
  });

  test('simultaneous calls together cannot exceed the limits', async () => {
    const sms = smsPlugin({ limits: { perRecipient: 2, perRange: 3 } });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'sms' ? sms : plugin));
    await withBench({ plugins, logger: { debug() {}, info() {}, warn() {}, error() {} } }, async (bench) => {
      const acceptedCodes = async (numbers: readonly string[]) => {
        const answers = await Promise.all(numbers.map((to) => bench.request(path, login(to))));
        return answers.filter(({ status }) => status === 202).length;
      };
      assert.is(await acceptedCodes(Array.from({ length: 6 }, () => '+14155550123')), 2);
      assert.is(await acceptedCodes(Array.from({ length: 6 }, (_, index) => `+1212555012${index}`)), 3);
    });
  });

  test("only the sender's country is allowed until the program allows other countries", () =>
    withBench({}, async (bench) => {
      const code = async () => (await bench.request(path, login('+447400123456'))).body.error?.code ?? 202;
      assert.is(await code(), 'country_not_allowed');
      const { sms } = bench.service as unknown as { sms: { configure(id: string, changes: object): Promise<unknown> } };
      await sms.configure(bench.workspaceId, { countries: ['US', 'GB'] });
      assert.is(await code(), 202);
      for (const [country, right] of [
        ['UK', 'write GB.'],
        ['EN', 'write GB, or US.'],
        ['AN', 'write CW, SX or BQ.'],
        ['XX', 'such as DE.'],
        ['gb', 'Write GB in place'],
      ] as const)
        await sms.configure(bench.workspaceId, { countries: ['XK', country] }).then(
          () => assert.unreachable(country),
          (error: Error) => assert.match(error.message, right),
        );
      // Premium numbers are refused in every country.
      assert.is((await bench.request(path, login('+19002345678'))).body.error.code, 'phone_invalid');
    }));

  test('a code that expires before its delivery is not sent and costs nothing', () =>
    withBench({ plans: { pro: { monthlySmsBudget: 1 } } }, async (bench) => {
      await bench.request(path, login('+14155550123'));
      bench.advanceClock(600_000);
      await bench.drain();
      assert.is(bench.sms.messages().length, 0);
      const { body } = await bench.request(`${path}/deliveries`);
      assert.match(body.data[0].whyNotSent, 'no longer valid');
      assert.is((await bench.request(path, login('+14155550123'))).status, 202);
    }));

  test('the retry of a reminder waits for the end of quiet hours', async () => {
    let attempts = 0;
    const sms: SmsAdapter = {
      id: 'busy',
      capabilities: { captures: false },
      sender: '+12025550100',
      async send() {
        attempts += 1;
        if (attempts === 1) throw new SmsError('busy', 'Later.', { retryAfterMs: 2 * hour });
        return {};
      },
      close: async () => undefined,
    };
    // 20:00 in Berlin
    await withBench({ sms, startAt: Date.parse('2026-01-15T19:00:00Z') }, async (bench) => {
      const consent = { to: '+12125550123', source: 'Form', wording: 'Remind me.' };
      const { body: proof } = await bench.request('/v1/messaging/consents', { body: consent });
      const body = {
        templateKey: 'appointment_reminder',
        to: '+12125550123',
        variables: { when: 'Tue, 10:30' },
        consentProofId: proof.id,
        timeZone: 'Europe/Berlin',
      };
      assert.is((await bench.request(path, { body })).body.status, 'queued');
      const triesAfter = async (milliseconds: number) => {
        bench.advanceClock(milliseconds);
        await bench.drain();
        return attempts;
      };
      assert.is(await triesAfter(0), 1);
      assert.is(await triesAfter(2 * hour + 60_000), 1, '22:01');
      assert.is(await triesAfter(10 * hour), 2, '08:01');
    });
  });

  test('a reminder waits for the end of quiet hours, and a STOP meanwhile prevents it', () =>
    // 04:00 in New York, and earlier in the west
    withBench({ startAt: Date.parse('2026-01-15T09:00:00Z') }, async (bench) => {
      const consent = { to: '+12125550123', source: 'Form', wording: 'Remind me.' };
      const { body: proof } = await bench.request('/v1/messaging/consents', { body: consent });
      const reminder = (timeZone?: string) => ({
        body: {
          templateKey: 'appointment_reminder',
          to: '+12125550123',
          variables: { when: 'Tue, 10:30' },
          consentProofId: proof.id,
          ...(timeZone === undefined ? {} : { timeZone }),
        },
      });
      const { body: held } = await bench.request(path, reminder('America/New_York'));
      assert.equal([held.status, held.scheduledAt], ['scheduled', '2026-01-15T13:00:00.000Z']);
      const { body: awake } = await bench.request(path, reminder('Europe/Berlin'));
      assert.is(awake.status, 'queued');
      await bench.drain();
      assert.is(bench.sms.messages().length, 1);
      bench.advanceClock(4 * hour + 60_000);
      await bench.drain();
      assert.is(bench.sms.messages().length, 2);
      const { body: again } = await bench.request(path, reminder('Pacific/Kiritimati'));
      assert.is(again.status, 'scheduled');
      await bench.request('/v1/messaging/consents', { body: { ...consent, revoked: true } });
      bench.advanceClock(24 * hour);
      await bench.drain();
      assert.is(bench.sms.messages().length, 2);
    }));
});
