// Creates links that the fixtures of this plugin need, and requests that cause its errors.
import type { FixtureKit } from '../../../core/index.ts';

/** Creates a link in the workspace and returns its id. */
export async function someLink(kit: FixtureKit, workspaceId: string): Promise<string> {
  const body = { destinationUrl: 'https://example.com/spring', label: kit.unique('Spring'), tags: ['newsletter'] };
  const { linkId } = await kit.call('links.create', body, workspaceId);
  return String(linkId);
}

/** Creates a link and returns its slug, which is then taken. */
export async function takenSlug(kit: FixtureKit): Promise<string> {
  const slug = kit.unique('taken').slice(-30);
  await kit.call('links.create', { destinationUrl: 'https://example.com/', slug }, kit.workspaceId);
  return slug;
}
