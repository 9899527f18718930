// The sentences of `whyNotSent`: why a message was not sent, built from the facts. Pure.
import { type Actor, toIsoTime } from '../../../core/index.ts';
import type { Suppressed } from '../../suppressions/index.ts';

/** The sentence for a recipient on the suppression list. */
export function suppressedSentence({ reason, since, sendId }: Suppressed): string {
  const cause = sendId === null ? reason : `${reason} of ${sendId}`;
  return `The recipient is suppressed: ${cause}, since ${toIsoTime(since)}.`;
}

const callerOf = ({ kind, keyId, client }: Actor): string => {
  if (keyId !== undefined) return `the API key ${keyId}`;
  if (kind === 'dashboard') return 'a member of the team';
  return kind === 'service' && client !== undefined ? `the program (${client})` : 'the program';
};

/** The sentence for a scheduled send that was canceled. */
export const canceledSentence = (actor: Actor): string => `Canceled by ${callerOf(actor)} before it was sent.`;
