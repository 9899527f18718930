// Templates for the fixtures of this plugin and of the plugins that build on it.
import type { FixtureKit } from '../../../core/index.ts';

const body =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';

/** The key of a draft of this workspace. */
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

/** A theme, a layout and a topic of another workspace, as fields of a template's content. */
export async function foreignParts(kit: FixtureKit) {
  const brand = { name: kit.unique('Brand'), themes: [{ name: 'Theirs' }] };
  const { themes } = await kit.call('brand.create', brand, kit.foreignWorkspaceId);
  const topic = { key: kit.unique('topic').toLowerCase(), name: 'Theirs', default: 'subscribed' };
  const { key: topicKey } = await kit.call('topics.create', topic, kit.foreignWorkspaceId);
  return {
    topicKey,
    themeId: (themes as { id: string }[])[0]?.id,
    layout: await layoutIn(kit, kit.foreignWorkspaceId),
  };
}

/** The key of a layout that is a draft. */
export async function layoutIn(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('layout').toLowerCase();
  await kit.call(
    'templates.create',
    { key, kind: 'layout', mode: 'html', body: '<div>{% content %}</div>' },
    workspaceId,
  );
  return key;
}

/** The key of a layout that a template of the workspace uses. */
export async function usedLayout(kit: FixtureKit, workspaceId: string): Promise<string> {
  const layout = await layoutIn(kit, workspaceId);
  const key = kit.unique('framed').toLowerCase();
  await kit.call(
    'templates.create',
    { key, layout, subject: 'Hello', mode: 'html', body: '<p>Hello</p>' },
    workspaceId,
  );
  return layout;
}

/** Publishes the template once more and returns the number of its new version. */
export async function anotherVersion(
  kit: FixtureKit,
  workspaceId: string,
  { key }: Readonly<Record<string, string>>,
): Promise<string> {
  const { version } = await kit.call('templates.publish', { key }, workspaceId);
  return String(version);
}
