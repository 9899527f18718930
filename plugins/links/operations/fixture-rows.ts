// Links that the fixtures of this plugin need, and requests that raise its errors.
import type { FixtureKit } from '../../../core/index.ts';

/** The id of a link of the workspace. */
export async function someLink(kit: FixtureKit, workspaceId: string): Promise<string> {
  const body = { destinationUrl: 'https://example.com/spring', label: kit.unique('Spring'), tags: ['newsletter'] };
  const { linkId } = await kit.call('links.create', body, workspaceId);
  return String(linkId);
}

/** A slug that another link has. */
export async function takenSlug(kit: FixtureKit): Promise<string> {
  const slug = kit.unique('taken').slice(-30);
  await kit.call('links.create', { destinationUrl: 'https://example.com/', slug }, kit.workspaceId);
  return slug;
}
