// Helpers for tests of social posts: networks that keep posts in memory, connected accounts, and a clock that tests advance.
import type { PhaseListener } from '../../core/contract/ports/platform.ts';
import { connectorsPlugin, type standardPlugins } from '../../plugins/index.ts';
import { type SocialPost, socialPlugin } from '../../plugins/social/index.ts';
import type { CapturingNetwork } from '../../plugins/social/port/index.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';
import { networkOf, testNetworks } from './social-networks.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

const minute = 60_000;

type SocialPlugin = ReturnType<typeof socialPlugin>;

/** Options of the bench. */
export interface SocialBenchOptions {
  readonly onPhase?: PhaseListener;
  /** The prefix of tables that several processes share. (Default: separate tables) */
  readonly tablePrefix?: string;
  /** Changes each network. (Default: unchanged) */
  readonly network?: (network: CapturingNetwork) => CapturingNetwork;
  /** Changes the plugin. (Default: unchanged) */
  readonly social?: (plugin: SocialPlugin) => SocialPlugin;
}

/** The bench of one test. */
export type SocialBench = Awaited<ReturnType<typeof openSocialBench>>;

/** Opens a bench with an account on each of these channels. */
export async function openSocialBench(
  database: TestDatabase,
  channels: readonly string[] = ['x'],
  { social = (plugin) => plugin, network: changed = (network) => network, ...options }: SocialBenchOptions = {},
) {
  const networks = testNetworks().map(changed);
  const plugins = [
    ...bareStandardPlugins.filter(({ id }) => id !== 'connectors' && (id as string) !== 'social'),
    connectorsPlugin({ providers: networks }),
    social(socialPlugin()),
  ];
  const kit = await migratedTestService<StandardIds | 'social'>(database, { plugins, ...options });
  const { service, workspaceId } = kit;
  const calls = service.as(workspaceId);
  const connect = (provider: string) =>
    service.connectors.create(workspaceId, { kind: 'social', provider, name: provider, credentials: {}, options: {} });
  for (const channel of channels) await connect(channel);
  await calls.social.networksRefresh({});
  const network = (channelId: string): CapturingNetwork['capture'] => networkOf(networks, channelId).capture;
  return {
    ...kit,
    calls,
    connect,
    network,
    read: (postId: string): Promise<SocialPost> => calls.social.postRead({ postId }),
    /** Advances the clock minute by minute, and runs the due jobs after each minute. */
    async passMinutes(minutes: number): Promise<void> {
      for (let passedMinutes = 0; passedMinutes < minutes; passedMinutes += 1) {
        kit.advanceClock(minute);
        await kit.drain();
      }
    },
    /** Advances the clock at once, and then runs the due jobs. */
    async jump(minutes: number): Promise<void> {
      kit.advanceClock(minutes * minute);
      await kit.drain();
    },
    /** The texts that people can see on a channel. */
    seen: (channelId: string): string[] =>
      network(channelId)
        .posts()
        .map(({ text }) => text),
    /** Each target as `x published`, with the code of its error. */
    targets: (post: SocialPost): string[] =>
      post.targets.map(({ channelId, status, error }) => [channelId, status, error?.code].filter(Boolean).join(' ')),
    async balance(): Promise<number> {
      return (await calls.workspace.read({})).usage.credits_balance ?? Number.POSITIVE_INFINITY;
    },
  };
}
