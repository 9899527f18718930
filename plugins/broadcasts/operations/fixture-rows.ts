// Broadcasts, templates and audiences for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

const body =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}} <a href="%unsubscribe_url%">Unsubscribe</a></mj-text></mj-column></mj-section></mj-body></mjml>';

/** Gives the default brand a postal address. A brand of its own for each fixture would exceed the limit of brands. */
async function giveAddress(kit: FixtureKit, workspaceId: string): Promise<void> {
  const address = { postal_address: 'Example Ltd\n1 Main Street' };
  const { data } = await kit.call('brand.list', { limit: 1 }, workspaceId);
  if (Array.isArray(data) && data.length > 0)
    await kit.call('brand.update', { id: 'default', ...address }, workspaceId);
  else await kit.call('brand.create', { name: kit.unique('Brand'), is_default: true, ...address }, workspaceId);
}

/** The key of a published marketing template. */
export async function marketingTemplate(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('news').toLowerCase();
  await kit.call('templates.create', { key, category: 'marketing', subject: 'Hello {{name}}', body }, workspaceId);
  await kit.call('templates.publish', { key }, workspaceId);
  await giveAddress(kit, workspaceId);
  return key;
}

/** The id of a list with one confirmed member. */
export async function someAudience(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { listId } = await kit.call('lists.create', { name: kit.unique('Readers') }, workspaceId);
  const { id } = await kit.call('contacts.upsert', { email: `${kit.unique('reader')}@example.com` }, workspaceId);
  await kit.call('lists.members_add', { listId, contactIds: [id] }, workspaceId);
  return String(listId);
}

const missing = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
/** Audiences with a list or a segment that no workspace has. */
export const missingAudience = {
  list: { include: [{ listId: `lst_${missing}` }] },
  segment: { include: [{ segmentId: `sgm_${missing}` }] },
};

/** The key of a topic. */
export async function someTopic(kit: FixtureKit, workspaceId: string): Promise<string> {
  const topic = { key: kit.unique('news').toLowerCase(), name: 'News', default: 'subscribed' };
  return String((await kit.call('topics.create', topic, workspaceId))['key']);
}

/** The body of a broadcast that can be scheduled. */
export async function wholeBroadcast(kit: FixtureKit, workspaceId: string) {
  return {
    name: kit.unique('Spring news'),
    templateKey: await marketingTemplate(kit, workspaceId),
    variables: { name: 'reader' },
    audience: { include: [{ listId: await someAudience(kit, workspaceId) }] },
  };
}

/** The id of a draft that can be scheduled. */
export async function someDraft(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { broadcastId } = await kit.call('broadcasts.create', await wholeBroadcast(kit, workspaceId), workspaceId);
  return String(broadcastId);
}

/** The id of a draft that nobody would get. */
export async function emptyDraft(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { broadcastId } = await kit.call('broadcasts.create', { name: kit.unique('Empty') }, workspaceId);
  return String(broadcastId);
}

/** The id of a broadcast that is scheduled for later. */
export async function someScheduled(kit: FixtureKit, workspaceId: string): Promise<string> {
  const broadcastId = await someDraft(kit, workspaceId);
  const now = await kit.write(async (ctx) => ctx.now, workspaceId);
  const sendAt = new Date(now + 86_400_000).toISOString();
  await kit.call('broadcasts.schedule', { broadcastId, sendAt }, workspaceId);
  return broadcastId;
}

/** Schedules a draft and begins it. Returns its id. */
async function begin(kit: FixtureKit, workspaceId: string, broadcastId: string): Promise<string> {
  await kit.call('broadcasts.schedule', { broadcastId }, workspaceId);
  await kit.write(async ({ trx, now }) => {
    await trx.db
      .updateTable('broadcasts')
      .set({ status: 'preparing', started_at: now })
      .where('id', '=', broadcastId)
      .execute();
  }, workspaceId);
  return broadcastId;
}

/** The id of a broadcast that is being prepared. */
export const somePreparing = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  begin(kit, workspaceId, await someDraft(kit, workspaceId));

/** An experiment over two subjects. */
const someExperiment = {
  variants: [{ name: 'A' }, { name: 'B', subject: 'News for {{name}}' }],
  samplePercent: 100,
  metric: 'human_clicks',
  decideAfter: 'PT4H',
  minimum: 1,
};

/** The id of a broadcast that is being prepared, with an experiment. */
export async function someSampling(kit: FixtureKit, workspaceId: string): Promise<string> {
  const whole = await wholeBroadcast(kit, workspaceId);
  const include = [...whole.audience.include, { listId: await someAudience(kit, workspaceId) }];
  const draft = { ...whole, audience: { include }, experiment: someExperiment };
  const { broadcastId } = await kit.call('broadcasts.create', draft, workspaceId);
  return begin(kit, workspaceId, String(broadcastId));
}

/** Ends a hold of the workspace's marketing mail, which another fixture may have caused. */
async function endHold(kit: FixtureKit, workspaceId: string): Promise<void> {
  const { reputation } = kit.services;
  await kit.write(async (ctx) => {
    if (await reputation.isHeld(ctx.trx)) await reputation.release(ctx, { by: 'service', note: 'For an example.' });
  }, workspaceId);
}

/** The id of a paused broadcast that can be resumed. */
export async function somePaused(kit: FixtureKit, workspaceId: string): Promise<string> {
  await endHold(kit, workspaceId);
  const broadcastId = await somePreparing(kit, workspaceId);
  await kit.call('broadcasts.pause', { broadcastId }, workspaceId);
  return broadcastId;
}

/** The id of a contact of this workspace who is in no broadcast. */
export const someContact = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  String((await kit.call('contacts.upsert', { external_id: kit.unique('reader') }, workspaceId))['id']);

/** A draft, and a contact without the name that its variables take. */
export async function draftWithoutName(kit: FixtureKit) {
  const broadcastId = await someDraft(kit, kit.workspaceId);
  await kit.call('broadcasts.update', { broadcastId, variables: { name: '{{ contact.attributes.name }}' } });
  return { params: { broadcastId }, contactId: await someContact(kit, kit.workspaceId) };
}
