// SMS over a workspace's own Twilio accounts: one for codes and one for other messages, chosen by category. The providers are local
// servers that check Twilio requests strictly.
// full-run: slow
import * as assert from 'uvu/assert';
import { smsCredentials } from '../../adapters/kit/sms-credentials.ts';
import { twilioSms } from '../../adapters/sms/twilio.ts';
import { defineConnector } from '../../plugins/connectors/port/index.ts';
import { connectorsPlugin } from '../../plugins/index.ts';
import { isSmsError } from '../../plugins/sms/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { type SmsApiResponse, startSmsApi, twilioApi } from '../support/sms-apis.ts';

const to = '+14155550123';
const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'twilio-auth-token' };
const credentials = smsCredentials.credentials({ accountSid: /^AC[0-9a-f]{32}$/, authToken: /^[!-~]{1,200}$/ });

/** A provider like `twilioConnector()`, at the address of a local server. */
const providerAt = (provider: string, url: string) =>
  defineConnector({
    kind: 'sms',
    provider,
    name: provider,
    credentials,
    options: smsCredentials.options,
    connect: ({ credentials: { accountSid, authToken }, options: { sender } }) =>
      twilioSms({ accountSid, authToken, from: sender, url }),
    faultOf: (error) => (isSmsError(error) && error.unauthorised ? 'revoked' : undefined),
  });

await twoDatabases('SMS over connectors', (test, database) => {
  async function open(answers: readonly SmsApiResponse[] = []) {
    const [codes, rest] = [await startSmsApi(twilioApi, answers), await startSmsApi(twilioApi)];
    const providers = [providerAt('codes', codes.url), providerAt('rest', rest.url)];
    const plugins = bareStandardPlugins.map((plugin) =>
      plugin.id === 'connectors' ? connectorsPlugin({ providers }) : plugin,
    );
    const bench = await migratedTestService(database, { plugins });
    const create = (provider: string, categories: ('system' | 'transactional')[], sender: string) =>
      bench.service.connectors.create(bench.workspaceId, {
        kind: 'sms',
        provider,
        name: provider,
        credentials: account,
        options: { sender },
        uses: { categories, templates: [] },
      });
    return {
      bench,
      codes,
      rest,
      create,
      async close() {
        await bench.close();
        await codes.dispose();
        await rest.dispose();
      },
    };
  }

  test("each message uses the account of its category, or else the program's account", async () => {
    const { bench, codes, rest, create, close } = await open();
    try {
      const { sms } = bench.service.as(bench.workspaceId);
      const { id: consentProofId } = await sms.consentCreate({ to, source: 'Checkout', wording: 'Text me.' });
      const login = { templateKey: 'auth_login_code', to, variables: { code: '482913' } } as const;
      const reminder = { templateKey: 'order_shipped', to, variables: { order: 'A-1' }, consentProofId } as const;
      assert.is((await sms.send(login)).provider, 'capture');
      await create('codes', ['system'], '+12025550111');
      assert.is((await sms.send(login)).provider, 'codes');
      assert.is((await sms.send(reminder)).provider, 'capture', 'no account has this category yet');
      await create('rest', ['transactional'], '+12025550122');
      assert.is((await sms.send(reminder)).provider, 'rest');
      await bench.drain();
      // The account is chosen again at delivery, so queued messages use accounts that were added meanwhile.
      assert.equal([(await codes.received()).length, (await rest.received()).length], [2, 2]);
      assert.ok((await codes.received()).every(({ body }) => body.includes('482913')));
      const { data } = await sms.deliveries();
      assert.equal([...new Set(data.map(({ status, provider }) => `${status} ${provider}`))].sort(), [
        'sent codes',
        'sent rest',
      ]);
    } finally {
      await close();
    }
  });

  test('an account with refused credentials delays only its own messages, until it gets new credentials', async () => {
    const { bench, codes, rest, create, close } = await open([
      { status: 401, body: { code: 20_003, message: 'Authenticate', status: 401 } },
    ]);
    try {
      const { sms } = bench.service.as(bench.workspaceId);
      const { id } = await create('codes', ['system'], '+12025550111');
      await create('rest', ['transactional'], '+12025550122');
      const { id: consentProofId } = await sms.consentCreate({ to, source: 'Checkout', wording: 'Text me.' });
      await sms.send({ templateKey: 'auth_login_code', to, variables: { code: '482913' } });
      await bench.drain();
      await sms.send({ templateKey: 'order_shipped', to, variables: { order: 'A-1' }, consentProofId });
      await bench.drain();
      assert.equal([(await codes.received()).length, (await rest.received()).length], [0, 1]);
      await bench.service.connectors.update(bench.workspaceId, id, { credentials: account });
      bench.advanceClock(15_000);
      await bench.drain();
      assert.is((await codes.received()).length, 1);
    } finally {
      await close();
    }
  });
});
