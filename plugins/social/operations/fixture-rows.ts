// Accounts and posts that fixtures need. Accounts are inserted directly: no operation connects an account.
import type { FixtureKit } from '../../../core/index.ts';
import { placeholder } from '../../kit/placeholders.ts';
import { accountRows, postRows, type SocialPostStatus } from '../tables.ts';

/** The network on which fixtures post: the first that accepts a text alone, requires no setting and has no threads. */
function networkFor({ services }: FixtureKit) {
  const network = services.socialChannels.networks.find(
    ({ rules }) => !rules.media.required && rules.settings.every(({ required }) => !required) && !rules.hasThreads,
  );
  if (network === undefined) throw new Error('Fixtures of social posts need a network: see test/support/plugins.ts.');
  return network;
}

/** Inserts a connected account, and returns its accountRef. */
export function someAccount(kit: FixtureKit, workspaceId: string): Promise<string> {
  const network = networkFor(kit);
  const { channelId } = network.rules;
  return kit.write(async ({ trx, now, newId }) => {
    const { id } = await accountRows.insert(trx, {
      id: newId('soa'),
      connector_id: newId('con'),
      channel_id: channelId,
      external_id: kit.unique('page'),
      transport: network.transport,
      display_name: 'Acme Inc.',
      handle: 'acme',
      avatar_url: null,
      status: 'connected',
      options: {},
      connected_at: now,
      last_synced_at: now,
    });
    return id;
  }, workspaceId);
}

/** A body of a post without problems. */
export async function somePostBody(kit: FixtureKit, workspaceId = kit.workspaceId) {
  const { channelId } = networkFor(kit).rules;
  const accountRef = await someAccount(kit, workspaceId);
  return {
    channels: [channelId],
    caption: 'Acme 2.0 is here, with a faster editor.',
    targetAccountRefs: { [channelId]: accountRef },
  };
}

/** An asset and an account of another workspace, as fields of a post. */
export async function foreignContent(kit: FixtureKit) {
  const announced = { name: 'Theirs', contentType: 'image/png', bytes: 100 };
  const { assetId } = await kit.call('assets.create', announced, kit.foreignWorkspaceId);
  return {
    media: [{ kind: 'image', assetId }],
    targetAccountRefs: (await somePostBody(kit, kit.foreignWorkspaceId)).targetAccountRefs,
    channelSettings: 'skipped: its boardId is a board of the network',
  };
}

/** The id of a post that is ready. */
export async function somePost(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { id } = await kit.call('social.post_create', await somePostBody(kit, workspaceId), workspaceId);
  return String(id);
}

/** The id of a hold. */
export async function someHold(kit: FixtureKit): Promise<string> {
  const scheduleAt = new Date(await kit.write(async ({ now }) => now + 86_400_000)).toISOString();
  const body = { ...(await somePostBody(kit)), mode: 'hold', scheduleAt };
  return String((await kit.call('social.post_create', body, kit.workspaceId)).id);
}

/** The id of a post without a text. */
export async function emptyPost(kit: FixtureKit): Promise<string> {
  const { id } = await kit.call('social.post_create', { ...(await somePostBody(kit)), caption: '' }, kit.workspaceId);
  return String(id);
}

/** A placeholder that the embedded composer writes. */
export const unwritten = placeholder('Your message, in one or two sentences');

/** The id of a post with a placeholder. */
export async function unwrittenPost(kit: FixtureKit): Promise<string> {
  const body = { ...(await somePostBody(kit)), caption: unwritten };
  return String((await kit.call('social.post_create', body, kit.workspaceId))['id']);
}

/** The id of a post whose status is set directly, because a fixture cannot reach it by calls. */
export async function postIn(kit: FixtureKit, status: SocialPostStatus): Promise<string> {
  const id = await somePost(kit, kit.workspaceId);
  await kit.write(({ trx }) => postRows.update(trx, id, { status }));
  return id;
}

/** The tests that cover errors which fixtures cannot raise. */
export const testedElsewhere = {
  plans: 'unreachable here: shown in test/plugins/social-posts-publishing.test.ts',
  held: 'unreachable here: shown in test/plugins/social-posts-approvals.test.ts',
  composing: 'unreachable here: shown in test/plugins/social-posts-composing.test.ts',
  fields: 'unreachable here: shown in test/plugins/social-posts.test.ts',
} as const;
