// Accounts of networks: which accounts a refresh stores, skips and disconnects; its rate limit, failures and schedule.
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { connectorsPlugin } from '../../plugins/index.ts';
import { socialPlugin } from '../../plugins/social/index.ts';
import {
  type ChannelRules,
  defineSocialNetwork,
  type NetworkAccount,
  SocialError,
  type SocialNetwork,
} from '../../plugins/social/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { threadRules, wordRules } from '../support/social-rules.ts';

const account = (externalId: string, isCompany: boolean | undefined): NetworkAccount => ({
  externalId,
  displayName: `Account ${externalId}`,
  handle: externalId,
  avatarUrl: null,
  isCompany,
});

/** A network whose list of accounts the test sets. */
function setNetwork(rules: ChannelRules) {
  const state = { accountRequests: 0, answer: (): Promise<readonly NetworkAccount[]> => Promise.resolve([]) };
  const network: SocialNetwork = defineSocialNetwork({
    rules,
    capabilities: { media: true, threads: false, deletes: true, analytics: true },
    credentials: z.strictObject({ token: z.string() }),
    options: z.strictObject({ company: z.boolean().default(false) }),
    connect: () => ({
      id: 'set',
      accounts: () => {
        state.accountRequests += 1;
        return state.answer();
      },
      publish: () => Promise.reject(new SocialError('rejected', 'Not in this test.')),
      probe: () => Promise.reject(new SocialError('rejected', 'Not in this test.')),
      close: async () => undefined,
    }),
  });
  return { state, network };
}

await twoDatabases('social networks', (test, database) => {
  const open = async () => {
    const [one, other] = [setNetwork(threadRules), setNetwork(wordRules)];
    const plugins = [
      ...bareStandardPlugins.filter(({ id }) => id !== 'connectors' && (id as string) !== 'social'),
      connectorsPlugin({ providers: [one.network, other.network] }),
      socialPlugin(),
    ];
    const kit = await migratedTestService(database, { plugins });
    const { social } = kit.service.as(kit.workspaceId);
    const connect = (provider: string, options: object = {}) =>
      kit.service.connectors.create(kit.workspaceId, {
        kind: 'social',
        provider,
        name: provider,
        credentials: { token: 'a token that stays sealed' },
        options,
      });
    const refresh = async () => {
      kit.advanceClock(60_001);
      return social.networksRefresh({});
    };
    return { ...kit, one: one.state, other: other.state, social, connect, refresh };
  };

  test('company accounts are stored, personal accounts are skipped, and an option can declare an account as a company account', async () => {
    const { one, other, connect, refresh, social, close } = await open();
    one.answer = async () => [account('page', true), account('person', false), account('unsaid', undefined)];
    other.answer = async () => [account('stated', undefined), account('private', false)];
    await connect('x');
    await connect('bluesky', { company: true });
    const { data, failures } = await refresh();
    assert.equal(data.map(({ channelId, handle }) => `${channelId} ${handle}`).sort(), ['bluesky stated', 'x page']);
    assert.equal(failures, []);
    const network = data.find(({ channelId }) => channelId === 'x');
    assert.equal([network?.transport, network?.status, network?.displayName], ['native', 'connected', 'Account page']);
    assert.equal((await social.networks({})).data, data);
    await close();
  });

  test('an account that is listed twice is stored once, and an account without a usable id is skipped', async () => {
    const { one, connect, refresh, close } = await open();
    one.answer = async () => [
      account('page', true),
      account('page', true),
      { ...account('', true), handle: 'nameless' },
      account('x'.repeat(201), true),
    ];
    await connect('x');
    const { data } = await refresh();
    assert.equal(
      data.map(({ handle }) => handle),
      ['page'],
    );
    await close();
  });

  test('an avatar URL that is too long or not https is removed', async () => {
    const { one, connect, refresh, close } = await open();
    const pictures = [
      'https://cdn.example/a.png',
      'http://cdn.example/a.png',
      'javascript:alert(1)',
      'a.png',
      '',
    ].concat(`https://cdn.example/${'a'.repeat(2_048)}`);
    one.answer = async () => pictures.map((avatarUrl, index) => ({ ...account(`page-${index}`, true), avatarUrl }));
    await connect('x');
    const { data } = await refresh();
    assert.equal(
      data.flatMap(({ avatarUrl }) => avatarUrl ?? []),
      ['https://cdn.example/a.png'],
    );
    await close();
  });

  test('an error class from a second copy of the package is recognised', async () => {
    const { one, connect, refresh, close } = await open();
    one.answer = async () => [account('page', true)];
    await connect('x');
    await refresh();
    const foreign = { name: 'SocialError', fault: 'limited', code: undefined, credentials: undefined };
    one.answer = () => Promise.reject(Object.assign(new Error('Ask later.'), foreign));
    const { failures } = await refresh();
    assert.equal(
      failures.map(({ code, message }) => `${code} ${message}`),
      ['provider_limited Ask later.'],
    );
    await close();
  });

  test('refreshes of all workspaces share a few concurrency keys, and a workspace keeps its key', async () => {
    const { connect, service, advanceClock, drain, close } = await open();
    await connect('x');
    for (let count = 0; count < 30; count += 1) {
      const { id } = await service.workspaces.create({ name: 'A', defaultFrom: { email: 'a@example.com', name: 'A' } });
      await service.connectors.create(id, {
        kind: 'social',
        provider: 'x',
        name: 'x',
        credentials: { token: 'a token that stays sealed' },
        options: {},
      });
    }
    const storage = await service.core.database();
    await drain();
    const lines = async () => {
      advanceClock(3_600_000);
      await drain();
      const rows = await storage.read(unscoped('the test looks at the queue'), ({ db }) =>
        db
          .selectFrom('jobs')
          .select(['workspace_id', 'concurrency_key'])
          .where('kind', '=', 'social.refresh_networks')
          .execute(),
      );
      return new Set(rows.map(({ workspace_id: id, concurrency_key: key }) => `${id} ${key}`));
    };
    const first = await lines();
    const keys = new Set([...first].map((pair) => pair.split(' ')[1] ?? ''));
    assert.is(first.size, 31);
    assert.ok(keys.size > 1 && keys.size <= 8, `${keys.size} lines`);
    for (const key of keys) assert.match(key, /^social\.refresh_networks\.\d$/);
    assert.equal(await lines(), first);
    await close();
  });

  test('at most 500 accounts are stored, and the refresh still succeeds', async () => {
    const { one, connect, refresh, close } = await open();
    one.answer = async () => Array.from({ length: 510 }, (_, index) => account(`page-${index}`, true));
    await connect('x');
    assert.is((await refresh()).data.length, 500);
    assert.is((await refresh()).data.length, 500);
    await close();
  });

  test('a second call within 60 seconds asks no network and returns the same accounts', async () => {
    const { one, connect, social, advanceClock, close } = await open();
    one.answer = async () => [account('page', true)];
    await connect('x');
    const first = await social.networksRefresh({});
    one.answer = async () => [account('page', true), account('second', true)];
    advanceClock(59_000);
    assert.equal(await social.networksRefresh({}), first);
    assert.is(one.accountRequests, 1);
    advanceClock(2_000);
    assert.is((await social.networksRefresh({})).data.length, 2);
    await close();
  });

  test('if a network does not answer, its accounts are kept, and the answer lists it among the failures', async () => {
    const { one, other, connect, refresh, close } = await open();
    one.answer = async () => [account('page', true)];
    other.answer = async () => [account('blue', true)];
    await connect('x');
    await connect('bluesky');
    const before = (await refresh()).data.find(({ channelId }) => channelId === 'x');
    one.answer = () => Promise.reject(new SocialError('transient', 'X does not answer.'));
    const { data, failures } = await refresh();
    assert.equal(
      data.find(({ channelId }) => channelId === 'x'),
      before,
    );
    assert.equal(failures, [
      { channelId: 'x', accountRef: before?.accountRef, code: 'provider_error', message: 'X does not answer.' },
    ]);
    await close();
  });

  test('refused credentials, a deleted connector and a lost account each disconnect an account, with one event each', async () => {
    const { one, other, connect, refresh, service, workspaceId, events, close } = await open();
    one.answer = async () => [account('page', true), account('lost', true)];
    other.answer = async () => [account('blue', true)];
    await connect('x');
    const { id } = await connect('bluesky');
    await refresh();
    one.answer = async () => [account('page', true)];
    await service.connectors.delete(workspaceId, id);
    await refresh();
    one.answer = () =>
      Promise.reject(new SocialError('disconnected', 'The token is over.', { credentials: 'expired' }));
    const { data, failures } = await refresh();
    assert.equal(data.map(({ handle, status }) => `${handle} ${status}`).sort(), [
      'blue revoked',
      'lost revoked',
      'page expired',
    ]);
    assert.equal(
      failures.map(({ code }) => code),
      ['account_disconnected'],
    );
    await refresh();
    const disconnectedHandles = (await events('social.network.disconnected')).map(({ handle }) => handle);
    assert.equal(disconnectedHandles.sort(), ['blue', 'lost', 'page']);
    await close();
  });

  test('new credentials reconnect an account under the same accountRef', async () => {
    const { one, connect, refresh, service, workspaceId, close } = await open();
    one.answer = async () => [account('page', true)];
    const { id } = await connect('x');
    const [before] = (await refresh()).data;
    one.answer = () => Promise.reject(new SocialError('disconnected', 'The token is over.'));
    assert.is((await refresh()).data[0]?.status, 'revoked');
    one.answer = async () => [account('page', true)];
    await service.connectors.update(workspaceId, id, { credentials: { token: 'another token that stays sealed' } });
    const [after] = (await refresh()).data;
    assert.equal([after?.accountRef, after?.status], [before?.accountRef, 'connected']);
    await close();
  });

  test('a sandbox key cannot refresh, and a schedule refreshes every hour', async () => {
    const { one, connect, request, testKey, social, advanceClock, drain, close } = await open();
    one.answer = async () => [account('page', true)];
    await connect('x');
    const refusal = await request('/v1/social/networks/refresh', { method: 'POST', key: testKey, body: {} });
    assert.equal([refusal.status, refusal.body.error.code], [403, 'live_key_required']);
    await drain();
    advanceClock(3_600_000);
    await drain();
    assert.is((await social.networks({})).data.length, 1);
    const requestsBefore = one.accountRequests;
    advanceClock(3_600_000);
    await drain();
    assert.is(one.accountRequests, requestsBefore + 1);
    await close();
  });
});
