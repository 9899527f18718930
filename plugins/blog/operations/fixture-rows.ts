// Posts for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';
import { placeholder } from '../../kit/placeholders.ts';

const body = 'Feed the starter, then put it into the fridge. It sleeps there for **two weeks**.';

const newPost = (kit: FixtureKit, workspaceId: string) =>
  kit.call(
    'blog.create',
    { title: kit.unique('Starter'), body, slug: kit.unique('starter').toLowerCase() },
    workspaceId,
  );

/** The id of a draft. */
export const somePost = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  String((await newPost(kit, workspaceId))['id']);

/** The id of a draft with a placeholder. */
export async function unwrittenPost(kit: FixtureKit): Promise<string> {
  const written = { title: kit.unique('Starter'), body: placeholder('What happened, and why') };
  return String((await kit.call('blog.create', written))['id']);
}

/** The slug of a draft. */
export const slugOf = async (kit: FixtureKit): Promise<string> => String((await newPost(kit, kit.workspaceId))['slug']);

/** The id of a post that is published. */
export async function publishedPost(kit: FixtureKit, workspaceId: string): Promise<string> {
  const idOrSlug = await somePost(kit, workspaceId);
  await kit.call('blog.publish', { idOrSlug }, workspaceId);
  return idOrSlug;
}

/** The id of an asset that was announced but not uploaded. */
export async function pendingAsset(kit: FixtureKit, workspaceId: string): Promise<string> {
  const announced = { name: 'Bread', contentType: 'image/png', bytes: 100 };
  return String((await kit.call('assets.create', announced, workspaceId))['assetId']);
}

/** Ids of another workspace, for the body of a request. */
export const foreignParts = async (kit: FixtureKit) => ({
  coverAssetId: await pendingAsset(kit, kit.foreignWorkspaceId),
});
