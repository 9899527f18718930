// Sample topics for development, a marketing mail with one of the topics, and a preference. Called by seed.ts for a workspace that it
// created itself.
import { isPostriderError, type Service, type Workspace } from '../../../core/index.ts';
import { actor } from '../context.ts';

const topics = [
  { key: 'product-news', name: 'Product news', description: 'What is new, once a month.', default: 'subscribed' },
  { key: 'offers', name: 'Offers', description: 'Less than once a week.', default: 'unsubscribed' },
] as const;

const letter = {
  key: 'sample_letter',
  name: 'Letter of a sample',
  category: 'marketing',
  topicKey: 'product-news',
  mode: 'html',
  subject: 'New: maps of all our routes',
  body: '<p>Our shop has <a href="https://northwind.example/maps">maps</a> now, and the one of the <a href="https://northwind.example/maps/coast">coast</a> is new.</p><p><a href="%unsubscribe_url%">Unsubscribe</a></p>',
} as const;

/** Creates the topics once, and sends one mail, whose links lead to the pages of topics. */
export async function seedTopics(service: Service, workspace: Workspace, recipient: string): Promise<void> {
  const { operations } = service.core.registry;
  if (!['topics.create', 'templates.create', 'email.send'].every((id) => operations.has(id))) return;
  const typed = service as Service<'topics' | 'templates' | 'email' | 'contacts'>;
  const calls = typed.as(workspace.id, { actor, sandbox: true });
  if ((await calls.topics.list({ limit: 1 })).data.length > 0) return;
  for (const topic of topics) await calls.topics.create(topic);
  const { id } = await calls.contacts.upsert({ email: recipient });
  const consentNote = 'Ticked in the settings of the shop.';
  await calls.preferences.set({ contactId: id, topics: { offers: true }, consentNote });
  try {
    await calls.templates.create(letter);
    await calls.templates.publish({ key: letter.key });
    await calls.email.send({ template: letter.key, to: recipient, variables: {} });
  } catch (error) {
    // A project without the packages that compile templates starts without the mail.
    if (!isPostriderError(error, 'compiler_missing')) throw error;
  }
}
