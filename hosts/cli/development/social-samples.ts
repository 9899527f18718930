// Accounts on captured networks and posts in several states, for the page of posts. Made once. Called by seed.ts.
import type { Service, Workspace } from '../../../core/index.ts';
import { actor } from '../context.ts';

const day = 86_400_000;
const channels = ['x', 'linkedin', 'bluesky'] as const;

/** Connects the accounts, and makes a live post, a scheduled one and a place in the plan, all of the sandbox. */
export async function seedSocial(service: Service, workspace: Workspace): Promise<void> {
  const { operations } = service.core.registry;
  if (!operations.has('social.post_create')) return;
  const typed = service as Service<'social' | 'connectors'>;
  const { social } = typed.as(workspace.id, { actor, sandbox: true });
  if ((await social.posts({ limit: 1 })).data.length > 0) return;
  for (const channelId of channels)
    await typed.connectors.create(workspace.id, {
      kind: 'social',
      provider: `capture-${channelId}`,
      name: `Northwind on ${channelId}`,
      credentials: {},
      options: { displayName: 'Northwind Supply', handle: 'northwind' },
    });
  await typed.as(workspace.id, { actor }).social.networksRefresh();
  const at = (days: number): string => new Date(Date.now() + days * day).toISOString();
  await social.postCreate({
    channels: [...channels],
    caption: 'Our spring catalogue is out: tents, maps and a stove that boils in two minutes.',
    hashtags: ['outdoors'],
    linkUrl: 'https://northwind.example/catalogue',
    publish: true,
  });
  await social.postCreate({
    channels: ['linkedin'],
    caption: 'We are looking for a second buyer in Rotterdam.',
    scheduleAt: at(2),
  });
  await social.postCreate({ mode: 'hold', channels: ['x', 'bluesky'], brief: 'The spring sale', scheduleAt: at(5) });
  await service.drain({ budgetMs: 5_000 });
}
