// Templates that fixtures of this plugin and of those that build on it need.
import type { FixtureKit } from '../../../core/index.ts';

const body =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';

/** The key of a draft of the workspace. */
export async function templateIn(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('template').toLowerCase();
  await kit.call('templates.create', { key, subject: 'Hello {{name}}', body }, workspaceId);
  return key;
}

/** The key of a draft. */
export const someTemplate = (kit: FixtureKit): Promise<string> => templateIn(kit, kit.workspaceId);

/** The key of a published template whose contract is { name }. */
export async function somePublishedTemplate(kit: FixtureKit): Promise<string> {
  const key = await someTemplate(kit);
  await kit.call('templates.publish', { key });
  return key;
}

/** The key of a published template of another workspace. */
export async function foreignTemplate(kit: FixtureKit): Promise<string> {
  const key = await templateIn(kit, kit.foreignWorkspaceId);
  await kit.call('templates.publish', { key }, kit.foreignWorkspaceId);
  return key;
}

/** Publishes the template once more and answers the number of its new version. */
export async function anotherVersion(
  kit: FixtureKit,
  workspaceId: string,
  { key }: Readonly<Record<string, string>>,
): Promise<string> {
  const { version } = await kit.call('templates.publish', { key }, workspaceId);
  return String(version);
}
