// Converts acting nodes into actions with rendered strings. The engine performs the actions.
import { canonicalLocale } from '../../../core/index.ts';
import type { SequenceNode } from '../definition/schema.ts';
import { type RunValues, readPath } from './paths.ts';
import type { Action } from './types.ts';
import type { RenderValues } from './values.ts';

const actingKinds = [
  'send_email',
  'send_sms',
  'social_event',
  'webhook',
  'update_contact',
  'add_to_list',
  'remove_from_list',
  'enroll',
] as const;

/** A node that has side effects, such as sending a message. */
export type ActingNode = Extract<SequenceNode, { kind: (typeof actingKinds)[number] }>;

export const isActing = (node: SequenceNode): node is ActingNode =>
  (actingKinds as readonly string[]).includes(node.kind);

/** Whether a node sends to the contact. Quiet hours and the policy for overdue sends apply to these nodes. */
export const isSend = ({ kind }: SequenceNode): boolean => kind === 'send_email' || kind === 'send_sms';

/** The text of a field that may contain Liquid. If the node has no such field, an attribute of the contact. */
function textOf(
  source: string | undefined,
  attribute: string,
  known: RunValues,
  render: RenderValues,
): string | undefined {
  const value =
    source === undefined ? readPath(`contact.attributes.${attribute}`, known) : render({ source }, known)['source'];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The language of a mail. Undefined if the text is not a language tag, so that the mail is still sent. */
function localeOf(source: string | undefined, known: RunValues, render: RenderValues): string | undefined {
  const text = textOf(source, 'locale', known, render);
  return text === undefined ? undefined : canonicalLocale(text);
}

/** @throws if a string of the node cannot be rendered */
export function actionOf(node: ActingNode, known: RunValues, render: RenderValues): Action {
  switch (node.kind) {
    case 'send_email': {
      const { kind, templateKey, from, replyTo, tags = [] } = node;
      const locale = localeOf(node.locale, known, render);
      return { kind, templateKey, variables: render(node.variables, known), locale, from, replyTo, tags };
    }
    case 'send_sms': {
      const { kind, templateKey, consentProofId } = node;
      const to = textOf(node.to, 'phone', known, render);
      return { kind, templateKey, variables: render(node.variables, known), to, consentProofId };
    }
    case 'social_event': {
      const { kind, eventKey, outcome } = node;
      return { kind, eventKey, variables: render(node.variables, known), outcome };
    }
    case 'webhook':
      return { kind: node.kind, webhookId: node.webhookId };
    case 'update_contact':
      return { kind: node.kind, attributes: render(node.attributes, known) };
    case 'add_to_list':
    case 'remove_from_list':
      return { kind: node.kind, listId: node.listId };
    case 'enroll':
      return { kind: node.kind, sequenceKey: node.sequenceKey, variables: render(node.variables, known) };
    default:
      throw new Error(`No action of ${String(node satisfies never)}.`);
  }
}
