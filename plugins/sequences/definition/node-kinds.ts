// The message for a node of an unknown kind: suggests the most similar kind, with an example. Called by the schema of nodes.
// Pure.
import { suggestionFor } from '../../../core/unstable.ts';

/** The kinds, each with the shortest node that works. */
const examples: Readonly<Record<string, string>> = {
  delay: '{ "id": "pause", "kind": "delay", "for": "P1D" }',
  wait_for_event: '{ "id": "reply", "kind": "wait_for_event", "type": "order.placed", "timeout": "P7D" }',
  branch:
    '{ "id": "choice", "kind": "branch", "conditions": [{ "filter": { "path": "contact.subscribed", "op": "eq", "value": true } }] }',
  split: '{ "id": "halves", "kind": "split", "weights": [50, 50] }',
  send_email: '{ "id": "greet", "kind": "send_email", "templateKey": "welcome", "variables": {} }',
  send_sms: '{ "id": "text", "kind": "send_sms", "templateKey": "account_alert", "variables": {} }',
  social_event:
    '{ "id": "post", "kind": "social_event", "eventKey": "milestone", "variables": {}, "outcome": "draft" }',
  webhook: '{ "id": "tell", "kind": "webhook", "webhookId": "whk_…" }',
  update_contact: '{ "id": "mark", "kind": "update_contact", "attributes": { "stage": "trial" } }',
  add_to_list: '{ "id": "join", "kind": "add_to_list", "listId": "lst_…" }',
  remove_from_list: '{ "id": "leave", "kind": "remove_from_list", "listId": "lst_…" }',
  enroll: '{ "id": "next", "kind": "enroll", "sequenceKey": "onboarding" }',
  goal: '{ "id": "paid", "kind": "goal", "type": "order.paid" }',
  exit: '{ "id": "end", "kind": "exit" }',
};

/** The names that other products use for these kinds. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ wait: 'delay', sleep: 'delay', pause: 'delay', timer: 'delay', wait_until: 'delay', time_delay: 'delay' },
  ...{ wait_for: 'wait_for_event', event: 'wait_for_event', listen: 'wait_for_event', wait_event: 'wait_for_event' },
  ...{
    if: 'branch',
    condition: 'branch',
    conditional: 'branch',
    switch: 'branch',
    decision: 'branch',
    filter: 'branch',
  },
  ...{ ab_test: 'split', random: 'split', experiment: 'split', random_split: 'split' },
  ...{ email: 'send_email', mail: 'send_email', send: 'send_email', send_mail: 'send_email', message: 'send_email' },
  ...{ sms: 'send_sms', text: 'send_sms', social: 'social_event', post: 'social_event' },
  ...{ http: 'webhook', request: 'webhook', call: 'webhook', action: 'webhook' },
  ...{ update: 'update_contact', set_attributes: 'update_contact', tag: 'update_contact', set: 'update_contact' },
  ...{ subscribe: 'add_to_list', unsubscribe: 'remove_from_list', trigger: 'enroll', start_sequence: 'enroll' },
  ...{ end: 'exit', stop: 'exit', finish: 'exit', conversion: 'goal' },
};

/** The message for a node of an unknown kind; undefined if the kind is not the fault. */
export function kindFault(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined;
  const kinds = Object.keys(examples);
  const kindList = `The kinds are ${kinds.join(', ')}.`;
  const kind: unknown = Object.hasOwn(node, 'kind') ? (node as Record<string, unknown>)['kind'] : undefined;
  if (typeof kind !== 'string') return `A node has a kind, such as ${examples['delay']}. ${kindList}`;
  if (Object.hasOwn(examples, kind)) return undefined;
  const name = kind.toLowerCase().replace(/[\s-]+/g, '_');
  const intendedKind = Object.hasOwn(examples, name)
    ? name
    : Object.hasOwn(otherNames, name)
      ? otherNames[name]
      : suggestionFor(name, kinds);
  if (intendedKind === undefined) return `There is no such kind of node. ${kindList}`;
  return `There is no such kind of node. ${intendedKind} is probably meant: ${examples[intendedKind]}.`;
}
