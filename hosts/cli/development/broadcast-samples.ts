// Sample broadcasts for development: a sent broadcast with a report, a draft, a scheduled and a paused broadcast, to a list and a
// segment. Called by seed.ts for a workspace that it created itself. Their mails stay in the sandbox.
import { setTimeout as pause } from 'node:timers/promises';
import { isPostriderError, type Service, type Workspace } from '../../../core/index.ts';
import { inWorkspace } from '../../../core/unstable.ts';
import { writeSampleReport } from '../../../plugins/broadcasts/index.ts';
import { actor } from '../context.ts';

const day = 86_400_000;
const templateKey = 'sample_letter';
const topicKey = 'product-news';
/** The links that readers of the sample have clicked. */
const links = ['https://northwind.example/maps', 'https://northwind.example/maps/coast'] as const;

const names = ['ada', 'bob', 'cleo', 'dai', 'eve', 'finn', 'gül', 'hana', 'ivo', 'jun', 'kai', 'lea'] as const;
const hosts = ['example.com', 'example.org', 'mail.example', 'example.net'] as const;

/** The addresses of the readers: most at one host, as in real lists. */
const readers = Array.from({ length: 48 }, (_, index) => ({
  email: `${names[index % names.length]?.replace('ü', 'u')}.${index}@${hosts[Math.min(hosts.length - 1, index % 7)]}`,
  attributes: { name: names[index % names.length] ?? '', plan: index % 3 === 0 ? 'pro' : 'free' },
}));

type Composed = Service<'broadcasts' | 'contacts' | 'lists' | 'segments' | 'suppressions' | 'templates'>;
type Calls = ReturnType<Composed['as']>;

/** The audience of the samples: a list, of which one member has unsubscribed, and a segment. */
async function createAudience({ contacts, lists, segments, suppressions }: Calls) {
  const { listId } = await lists.create({ name: 'Readers of the letter', description: 'A sample.' });
  const contactIds: string[] = [];
  for (const reader of readers) contactIds.push((await contacts.upsert(reader)).id);
  await lists.membersAdd({ listId, contactIds });
  await suppressions.create({ email: readers[5]?.email ?? '' });
  const { segmentId } = await segments.create({
    name: 'On the plan pro',
    description: 'A sample.',
    filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' },
  });
  return { listId, segmentId };
}

/** Runs the jobs until the broadcast is sent, for a few seconds at most. */
async function untilSent(service: Service, { broadcasts }: Calls, broadcastId: string): Promise<boolean> {
  for (let round = 0; round < 25; round += 1) {
    await service.drain({ budgetMs: 5_000 });
    if ((await broadcasts.read({ broadcastId })).status === 'sent') return true;
    await pause(200);
  }
  return false;
}

/** Creates the broadcasts once. Without the template of the sample topics, it creates no broadcast. */
export async function seedBroadcasts(service: Service, workspace: Workspace): Promise<void> {
  const { operations } = service.core.registry;
  if (!['broadcasts.create', 'segments.create', 'lists.create', 'templates.read'].every((id) => operations.has(id)))
    return;
  const calls = (service as Composed).as(workspace.id, { actor, sandbox: true });
  const { broadcasts, templates } = calls;
  if ((await broadcasts.list({ limit: 1 })).data.length > 0) return;
  try {
    if ((await templates.read({ key: templateKey })).version === 0) return;
  } catch (error) {
    if (isPostriderError(error, 'template_not_found')) return;
    throw error;
  }
  const { listId, segmentId } = await createAudience(calls);
  const letter = { templateKey, topicKey, audience: { include: [{ listId }] } };
  const sent = await broadcasts.create({ ...letter, name: 'Autumn letter' });
  await broadcasts.schedule({ broadcastId: sent.broadcastId });
  if (await untilSent(service, calls, sent.broadcastId))
    await inWorkspace(service.core, workspace, (ctx) => writeSampleReport(ctx, sent.broadcastId, links), {
      sandbox: true,
    });
  await broadcasts.create({
    ...letter,
    name: 'Winter preview',
    audience: { include: [{ listId }, { segmentId }] },
  });
  const sendAt = new Date(Math.floor(Date.now() / day) * day + 5 * day + 9 * 3_600_000).toISOString();
  const scheduled = await broadcasts.create({ ...letter, name: 'December letter', sendAt });
  await broadcasts.schedule({ broadcastId: scheduled.broadcastId });
  const slow = await broadcasts.create({ ...letter, name: 'Survey of readers', pace: { perHour: 60 } });
  await broadcasts.schedule({ broadcastId: slow.broadcastId });
  await service.drain({ budgetMs: 5_000 });
  await broadcasts.pause({ broadcastId: slow.broadcastId });
}
