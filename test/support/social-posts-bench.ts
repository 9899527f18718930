// A service with networks that keep their posts in memory, and connected accounts on x, bluesky and instagram.
import type { TestServiceOptions } from '../../hosts/testing/index.ts';
import { connectorsPlugin } from '../../plugins/index.ts';
import type { CapturingNetwork } from '../../plugins/social/port/index.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';
import { networkOf, testNetworks } from './social-networks.ts';

export type PostsBench = Awaited<ReturnType<typeof openPostsBench>>;
type Options = Partial<TestServiceOptions<(typeof bareStandardPlugins)[number]['id']>>;

/** Opens the bench on empty tables. */
export async function openPostsBench(database: TestDatabase, options: Options = {}) {
  const networks = testNetworks();
  const plugins = bareStandardPlugins.map((plugin) =>
    plugin.id === 'connectors' ? connectorsPlugin({ providers: networks }) : plugin,
  );
  const bench = await migratedTestService(database, {
    ...options,
    plugins: plugins as unknown as typeof bareStandardPlugins,
  });
  const { service, workspaceId } = bench;

  /** Connects an account. Returns its accountRef. */
  async function connect(channelId: string, handle = 'acme', workspace = workspaceId): Promise<string> {
    await service.connectors.create(workspace, {
      kind: 'social',
      provider: channelId,
      name: `${channelId} ${handle}`,
      credentials: {},
      options: { handle, displayName: handle },
    });
    bench.advanceClock(61_000);
    const { data } = await service.as(workspace).social.networksRefresh();
    const account = data.find((found) => found.channelId === channelId && found.handle === handle);
    if (account === undefined) throw new Error(`No account of ${handle} on ${channelId}.`);
    return account.accountRef;
  }

  const call = (path: string, body?: unknown, { key, method }: { key?: string; method?: string } = {}) =>
    bench.request(`/v1/social/posts${path}`, {
      ...(method === undefined ? {} : { method }),
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
    });

  return {
    ...bench,
    networks,
    connect,
    call,
    network: (channelId: string): CapturingNetwork => networkOf(networks, channelId),
    /** Creates a post and returns it. */
    async post(body: object, key?: string) {
      const answer = await call('', body, key === undefined ? {} : { key });
      if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    read: async (id: string, key?: string) => (await call(`/${id}`, undefined, key === undefined ? {} : { key })).body,
    credits: async (): Promise<number> => (await bench.request('/v1/workspace')).body.usage.credits_balance,
  };
}
