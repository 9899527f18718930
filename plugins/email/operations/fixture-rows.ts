// Templates and sends for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

const body =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';

/** The key of a published template whose contract is { name }. */
export async function publishedTemplate(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('template').toLowerCase();
  await kit.call('templates.create', { key, subject: 'Hello {{name}}', body }, workspaceId);
  await kit.call('templates.publish', { key }, workspaceId);
  return key;
}

const hour = 3_600_000;

/** The id of a scheduled send of the workspace. */
export async function scheduledSend(kit: FixtureKit, workspaceId: string): Promise<string> {
  const template = await publishedTemplate(kit, workspaceId);
  const now = await kit.write(async (ctx) => ctx.now, workspaceId);
  const send = { template, to: `${kit.unique('to')}@example.com`, variables: { name: 'Ada' } };
  const { id } = await kit.call('email.send', { ...send, send_at: new Date(now + hour).toISOString() }, workspaceId);
  return String(id);
}

/** The key of a template that a send of the workspace used. */
export async function sentTemplate(kit: FixtureKit, workspaceId: string): Promise<string> {
  const template = await publishedTemplate(kit, workspaceId);
  const to = `${kit.unique('to')}@example.com`;
  await kit.call('email.send', { template, to, variables: { name: 'Ada' } }, workspaceId);
  return template;
}

/** The id of an accepted send of the workspace. */
export async function someSend(kit: FixtureKit, workspaceId: string): Promise<string> {
  const template = await publishedTemplate(kit, workspaceId);
  const to = `${kit.unique('to')}@example.com`;
  const { id } = await kit.call('email.send', { template, to, variables: { name: 'Ada' } }, workspaceId);
  return String(id);
}
