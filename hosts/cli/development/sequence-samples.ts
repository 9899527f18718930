// Sample sequences for development: welcome, trial ending, cart, win-back. Their delays are seconds, so that contacts visibly
// move. Their keys begin with sample_, so that the keys of the documentation's examples stay free. Called by seed.ts for a
// workspace that it created itself.
import { isPostriderError, type Service, type Workspace } from '../../../core/index.ts';
import { type CodeSequence, defineSequence } from '../../../plugins/index.ts';
import { actor } from '../context.ts';

const templateKey = 'sample_note';

const note = (id: string, line: string) =>
  ({
    id,
    kind: 'send_email',
    templateKey,
    variables: { name: '{{ contact.attributes.name }}', line },
  }) as const;

const samples: readonly CodeSequence[] = [
  defineSequence({
    key: 'sample_welcome',
    name: 'Welcome',
    trigger: { kind: 'event', type: 'signed_up' },
    nodes: [
      note('hello', 'Good to have you here.'),
      { id: 'a_day', kind: 'delay', for: 'PT20S' },
      {
        id: 'plan',
        kind: 'branch',
        conditions: [{ filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } }],
      },
      note('for_teams', 'Invite your team.'),
      note('first_steps', 'Three first steps.'),
      { id: 'mark', kind: 'update_contact', attributes: { welcomed: true } },
    ],
    edges: [
      { from: 'hello', when: 'next', to: 'a_day' },
      { from: 'a_day', when: 'next', to: 'plan' },
      { from: 'plan', when: 'branch:0', to: 'for_teams' },
      { from: 'plan', when: 'else', to: 'first_steps' },
      { from: 'for_teams', when: 'next', to: 'mark' },
      { from: 'first_steps', when: 'next', to: 'mark' },
    ],
  }),
  defineSequence({
    key: 'sample_trial_ending',
    name: 'Trial ending',
    trigger: { kind: 'event', type: 'trial_started' },
    nodes: [
      { id: 'most_of_it', kind: 'delay', for: 'PT30S' },
      note('ends_soon', 'Your trial ends in three days.'),
      { id: 'upgrade', kind: 'wait_for_event', type: 'upgraded', timeout: 'PT1M' },
      { id: 'thanks', kind: 'exit', reason: 'upgraded' },
      note('last_day', 'Your trial ends today.'),
    ],
    edges: [
      { from: 'most_of_it', when: 'next', to: 'ends_soon' },
      { from: 'ends_soon', when: 'next', to: 'upgrade' },
      { from: 'upgrade', when: 'matched', to: 'thanks' },
      { from: 'upgrade', when: 'timeout', to: 'last_day' },
    ],
  }),
  defineSequence({
    key: 'sample_cart',
    name: 'Abandoned cart',
    trigger: { kind: 'event', type: 'cart_filled' },
    nodes: [
      { id: 'a_while', kind: 'delay', for: 'PT40S' },
      note('reminder', 'Your cart waits for you.'),
      { id: 'a_night', kind: 'delay', for: 'PT1M' },
      note('voucher', 'Ten percent off, today only.'),
      { id: 'ordered', kind: 'goal', type: 'order_paid' },
    ],
    edges: [
      { from: 'a_while', when: 'next', to: 'reminder' },
      { from: 'reminder', when: 'next', to: 'a_night' },
      { from: 'a_night', when: 'next', to: 'voucher' },
    ],
  }),
  defineSequence({
    key: 'sample_win_back',
    name: 'Win back',
    trigger: { kind: 'event', type: 'went_quiet' },
    nodes: [
      { id: 'ab_test', kind: 'split', weights: [50, 50] },
      note('news', 'What is new since you left.'),
      note('question', 'What was missing?'),
      { id: 'answer', kind: 'wait_for_event', type: 'signed_in', timeout: 'PT90S' },
      { id: 'gone', kind: 'update_contact', attributes: { quiet: true } },
    ],
    edges: [
      { from: 'ab_test', when: 'split:0', to: 'news' },
      { from: 'ab_test', when: 'split:1', to: 'question' },
      { from: 'news', when: 'next', to: 'answer' },
      { from: 'question', when: 'next', to: 'answer' },
      { from: 'answer', when: 'timeout', to: 'gone' },
    ],
  }),
];

/** The events to emit at every start, and their contacts. */
const sampleEvents = [
  { type: 'signed_up', who: 'grace' },
  { type: 'signed_up', who: 'alan' },
  { type: 'trial_started', who: 'grace' },
  { type: 'trial_started', who: 'alan' },
  { type: 'cart_filled', who: 'grace' },
  { type: 'cart_filled', who: 'alan' },
  { type: 'went_quiet', who: 'edsger' },
  { type: 'went_quiet', who: 'katherine' },
  { type: 'order_paid', who: 'alan' },
] as const;

const people = [
  { who: 'grace', name: 'Grace', plan: 'pro' },
  { who: 'alan', name: 'Alan', plan: 'free' },
  { who: 'edsger', name: 'Edsger', plan: 'free' },
  { who: 'katherine', name: 'Katherine', plan: 'pro' },
] as const;

const addressOf = (who: string): string => `${who}@example.com`;

/**
 * Publishes the template of all samples. Returns false if the packages that compile templates are missing: then there are no
 * samples.
 */
async function publishNote(templates: ReturnType<Service<'templates'>['as']>['templates']): Promise<boolean> {
  const body = '<p>Hello {{ name }}. {{ line }}</p>';
  try {
    await templates.create({ key: templateKey, name: 'Note of a sample', mode: 'html', subject: '{{ line }}', body });
  } catch (error) {
    // An earlier start created the template but could not compile it.
    if (!isPostriderError(error, 'key_taken')) throw error;
  }
  try {
    await templates.publish({ key: templateKey });
    return true;
  } catch (error) {
    if (isPostriderError(error, 'compiler_missing')) return false;
    throw error;
  }
}

/** Creates the sequences once, and enrolls contacts at every start. Their mails stay in the sandbox. */
export async function seedSequences(service: Service, workspace: Workspace): Promise<void> {
  const { operations } = service.core.registry;
  if (!['sequences.create', 'templates.create', 'events.emit', 'contacts.upsert'].every((id) => operations.has(id)))
    return;
  const typed = service as Service<'sequences' | 'templates' | 'events' | 'contacts'>;
  const { sequences, templates } = typed.as(workspace.id, { actor });
  const { events, contacts } = typed.as(workspace.id, { actor, sandbox: true });
  if ((await sequences.list({ limit: 1 })).data.length === 0) {
    if (!(await publishNote(templates))) return;
    for (const { key, name, trigger, nodes, edges } of samples) {
      await sequences.create({ key, name, trigger, nodes, edges });
      await sequences.publish({ keyOrId: key });
    }
    for (const { who, ...attributes } of people) await contacts.upsert({ email: addressOf(who), attributes });
  }
  for (const { type, who } of sampleEvents)
    await events.emit({ type, contact: { email: addressOf(who) }, metadata: {} });
  await service.drain({ budgetMs: 5_000 });
}
