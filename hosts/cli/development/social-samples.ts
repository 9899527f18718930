// Sample accounts, posts, events and planned emails for development, on networks that store posts only in the process. Called by
// seed.ts for a workspace that it created itself.
import type { Service, Workspace } from '../../../core/index.ts';
import { actor } from '../context.ts';
import { developmentTeam } from './sample-sign-in.ts';

const day = 86_400_000;

/** Nine in the morning (UTC), this many days from now. */
const morningIn = (days: number): string =>
  new Date(Math.floor(Date.now() / day) * day + days * day + 9 * 3_600_000).toISOString();

/** The channels of the samples. Only composed channels are used. */
const channels = ['x', 'linkedin', 'bluesky', 'facebook', 'instagram'];

/**
 * Connects an account on each network, and creates posts: a published post, a scheduled, a planned and a faulty post.
 */
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
  const channelIds = data.map(({ channelId }) => channelId);
  const channelsOf = (...providers: string[]): string[] =>
    providers.filter((channelId) => channelIds.includes(channelId));
  if (!channelIds.includes('x')) return;
  await social.postCreate({
    channels: channelsOf('x', 'bluesky'),
    caption: 'Maps that fold the right way, every time. The new edition is out.',
    threadTweets: ['It has 40 trails more than the last one.', 'Every trail was walked twice.'],
    hashtags: ['maps', 'hiking'],
    publish: true,
  });
  await social.postCreate({
    channels: channelsOf('linkedin', 'facebook', 'x'),
    caption: 'We are looking for two people who like parcels as much as we do.',
    linkUrl: 'https://northwind.example/jobs',
    scheduleAt: morningIn(2),
  });
  await social.postCreate({
    mode: 'hold',
    channels: channelsOf('x', 'linkedin'),
    brief: 'A look back at the season',
    scheduleAt: morningIn(6),
  });
  await social.postCreate({ channels: channelsOf('instagram', 'x'), caption: 'Tea first, then the map.' });
  await triggerEvents(service, workspace);
  await planEmail(service, workspace);
  await service.drain({ budgetMs: 5_000 });
  await requestApproval(service, workspace, channelsOf('x', 'linkedin', 'bluesky'));
}

/** Triggers an event that becomes a post, and previews another event. */
async function triggerEvents(service: Service, workspace: Workspace): Promise<void> {
  if (!service.core.registry.operations.has('social_events.trigger')) return;
  const { socialEvents } = (service as Service<'social-events'>).as(workspace.id, { actor, sandbox: true });
  await socialEvents.trigger({
    eventKey: 'release_published',
    variables: { product: 'Northwind Maps', version: '4.2', summary: 'Every map opens without a network.' },
    linkUrl: 'https://northwind.example/4.2',
    dedupeKey: 'release 4.2',
    outcome: 'publish',
  });
  await socialEvents.trigger({
    eventKey: 'back_in_stock',
    variables: { product: 'The folding compass' },
    outcome: 'preview',
  });
}

/** Plans a mail for a date. */
async function planEmail(service: Service, workspace: Workspace): Promise<void> {
  if (!service.core.registry.operations.has('campaigns.planned')) return;
  const { campaigns } = (service as Service<'campaigns'>).as(workspace.id, { actor });
  const description = 'What the new season brings, and the maps that go with it.';
  await campaigns.planned({ name: 'Season letter', scheduleAt: morningIn(4), timezone: 'Europe/Berlin', description });
}

/** Creates a post for which a colleague requests approval. */
async function requestApproval(service: Service, workspace: Workspace, channels: string[]): Promise<void> {
  if (!service.core.registry.operations.has('approvals.submit')) return;
  const caller = { actor, member: developmentTeam.sam.uid, sandbox: true };
  const { approvals, social } = (service as Service<'approvals' | 'social'>).as(workspace.id, caller);
  const { id } = await social.postCreate({
    channels,
    caption: 'On Saturday we walk the coast path and draw what the old map left out.',
    channelCaptions: { linkedin: 'On Saturday the whole team walks the coast path: maps are made on foot.' },
    linkUrl: 'https://northwind.example/coast',
    hashtags: ['maps'],
  });
  await approvals.submit({ surfaceKind: 'social_post', targetId: id, note: 'Is Saturday right?' });
}
