// Accounts and posts to look at in development: on networks that keep posts in the process. Called by seed.ts for a workspace that it
// made itself.
import type { Service, Workspace } from '../../../core/index.ts';
import { actor } from '../context.ts';

const day = 86_400_000;

/** So many days from now, at nine in the morning (UTC). */
const morningIn = (days: number): string =>
  new Date(Math.floor(Date.now() / day) * day + days * day + 9 * 3_600_000).toISOString();

/** The channels of the samples, of those that are composed. */
const channels = ['x', 'linkedin', 'bluesky', 'facebook', 'instagram'];

/** Connects an account on each network, and writes posts: a live one, a scheduled one, a place in the plan, one with a problem. */
export async function seedSocial(service: Service, workspace: Workspace): Promise<void> {
  const { operations } = service.core.registry;
  if (!operations.has('social.post_create') || !operations.has('connectors.list')) return;
  const typed = service as Service<'social' | 'connectors'>;
  const { social } = typed.as(workspace.id, { actor, sandbox: true });
  if ((await social.posts({ limit: 1 })).data.length > 0) return;
  const { networks } = service.core.services.socialChannels;
  for (const { provider, rules, transport } of networks) {
    if (transport !== 'capture' || !channels.includes(rules.channelId)) continue;
    await typed.connectors.create(workspace.id, {
      kind: 'social',
      provider,
      name: rules.name,
      credentials: {},
      options: { displayName: 'Northwind Supply', handle: 'northwind' },
    });
  }
  const { data } = await social.networksRefresh({});
  const connected = data.map(({ channelId }) => channelId);
  const on = (...wanted: string[]): string[] => wanted.filter((channelId) => connected.includes(channelId));
  if (!connected.includes('x')) return;
  await social.postCreate({
    channels: on('x', 'bluesky'),
    caption: 'Maps that fold the right way, every time. The new edition is out.',
    threadTweets: ['It has 40 trails more than the last one.', 'Every trail was walked twice.'],
    hashtags: ['maps', 'hiking'],
    publish: true,
  });
  await social.postCreate({
    channels: on('linkedin', 'facebook', 'x'),
    caption: 'We are looking for two people who like parcels as much as we do.',
    linkUrl: 'https://northwind.example/jobs',
    scheduleAt: morningIn(2),
  });
  await social.postCreate({
    mode: 'hold',
    channels: on('x', 'linkedin'),
    brief: 'A look back at the season',
    scheduleAt: morningIn(6),
  });
  await social.postCreate({ channels: on('instagram', 'x'), caption: 'Tea first, then the map.' });
  await service.drain({ budgetMs: 5_000 });
}
