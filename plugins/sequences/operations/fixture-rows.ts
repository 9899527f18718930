// Sequences, runs and lists for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

/** A graph that waits a day and then marks the contact. */
export const smallGraph = {
  trigger: { kind: 'event', type: 'trial.started' },
  nodes: [
    { id: 'pause', kind: 'delay', for: 'P1D' },
    { id: 'mark', kind: 'update_contact', attributes: { trial: 'begun' } },
  ],
  edges: [{ from: 'pause', to: 'mark', when: 'next' }],
} as const;

/** A graph that marks the contact if an event does not arrive within a day. */
export const askingGraph = {
  trigger: { kind: 'event', type: 'trial.started' },
  nodes: [
    { id: 'pause', kind: 'delay', for: 'P1D' },
    { id: 'started', kind: 'branch', conditions: [{ filter: { did: 'project.created', since: 'run' } }] },
    { id: 'mark', kind: 'update_contact', attributes: { trial: 'idle' } },
  ],
  edges: [
    { from: 'pause', to: 'started', when: 'next' },
    { from: 'started', to: 'mark', when: 'else' },
  ],
} as const;

/** A trigger and nodes that name rows of another workspace. A draft may be incomplete: only publishing refuses it. */
export async function foreignGraph(kit: FixtureKit) {
  const theirs = kit.foreignWorkspaceId;
  const listId = await someList(kit, theirs);
  const consent = { to: '+14155550135', source: 'Form', wording: 'Text me.' };
  const template = { key: kit.unique('theirs').toLowerCase(), mode: 'html', subject: 'Hello', body: '<p>Hello</p>' };
  await kit.call('templates.create', template, theirs);
  const webhook = { url: 'http://127.0.0.1:65530/webhooks', events: ['sequence_run.node_reached'] };
  const { id: webhookId } = await kit.call('webhooks.create', webhook, theirs);
  const { id: consentProofId } = await kit.call('sms.consent_create', consent, theirs);
  const nodes = [
    { id: 'mail', kind: 'send_email', templateKey: template.key },
    { id: 'text', kind: 'send_sms', templateKey: 'account_alert', consentProofId },
    { id: 'hook', kind: 'webhook', webhookId },
    { id: 'list', kind: 'add_to_list', listId },
    { id: 'next', kind: 'enroll', sequenceKey: await someSequence(kit, theirs) },
  ];
  const later = 'publishing refuses it';
  return {
    body: {
      trigger: { kind: 'list_joined', listId },
      nodes,
      'trigger.pageId': 'skipped: pages are of another program',
      'trigger.formId': 'skipped: forms are of another program',
      'trigger.segmentId':
        'skipped: like listId here, only publishing refuses it: shown in test/plugins/segments-watching.test.ts',
      'nodes[].eventKey': 'skipped: the events come with the service',
    },
    otherwise: { trigger: later, nodes: later },
  };
}

/** The key of a draft. */
export async function someDraft(kit: FixtureKit, workspaceId: string): Promise<string> {
  const name = kit.unique('Trial');
  // The fixture sets the key. A generated key depends on the id, so it would differ in every example.
  const exampleKey = kit.unique('trial').toLowerCase();
  const { key } = await kit.call('sequences.create', { key: exampleKey, name, ...smallGraph }, workspaceId);
  return String(key);
}

/** The key of a published sequence. */
export async function someSequence(kit: FixtureKit, workspaceId: string): Promise<string> {
  const keyOrId = await someDraft(kit, workspaceId);
  await kit.call('sequences.publish', { keyOrId }, workspaceId);
  return keyOrId;
}

/** The key of a paused sequence. */
export async function somePaused(kit: FixtureKit, workspaceId: string): Promise<string> {
  const keyOrId = await someSequence(kit, workspaceId);
  await kit.call('sequences.pause', { keyOrId }, workspaceId);
  return keyOrId;
}

/** The key of an archived sequence. */
export async function someArchived(kit: FixtureKit, workspaceId: string): Promise<string> {
  const keyOrId = await someDraft(kit, workspaceId);
  await kit.call('sequences.archive', { keyOrId }, workspaceId);
  return keyOrId;
}

const contactOf = (kit: FixtureKit) => ({ external_id: kit.unique('user'), email: `${kit.unique('ada')}@example.com` });

/** A contact of another workspace, as a field of a body. */
export const foreignContact = async (kit: FixtureKit) => ({
  contact: { id: (await kit.call('contacts.upsert', contactOf(kit), kit.foreignWorkspaceId))['id'] },
  'contact.external_id': 'skipped: an id that the caller chooses: an unknown id creates a contact',
});

/** The id of an active run of a sequence. */
export async function someRunOf(kit: FixtureKit, workspaceId: string, keyOrId: string): Promise<string> {
  const { runId } = await kit.call('sequences.enroll', { keyOrId, contact: contactOf(kit) }, workspaceId);
  return String(runId);
}

/** The id of an active run. */
export const someRun = async (kit: FixtureKit, workspaceId: string): Promise<string> =>
  someRunOf(kit, workspaceId, await someSequence(kit, workspaceId));

/** The id of a run that was canceled. */
export async function someEndedRun(kit: FixtureKit, workspaceId: string): Promise<string> {
  const runId = await someRun(kit, workspaceId);
  await kit.call('sequences.run_cancel', { runId }, workspaceId);
  return runId;
}

/** The id of a list with two members. */
export async function someList(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { listId } = await kit.call('lists.create', { name: kit.unique('Readers') }, workspaceId);
  const contactIds: string[] = [];
  for (let index = 0; index < 2; index += 1)
    contactIds.push(String((await kit.call('contacts.upsert', contactOf(kit), workspaceId))['id']));
  await kit.call('lists.members_add', { listId, contactIds }, workspaceId);
  return String(listId);
}
