// Recipients as callers see them.
import { toIsoTime, type z } from '../../core/index.ts';
import type { RecipientStatus, recipientResource } from './schema.ts';
import type { RecipientRow, RecipientState } from './tables.ts';

const statuses: Readonly<Record<RecipientState, RecipientStatus>> = {
  waiting: 'waiting',
  undecided: 'waiting',
  queued: 'accepted',
  parked: 'accepted',
  handed_over: 'accepted',
  failed: 'failed',
  canceled: 'canceled',
  excluded: 'excluded',
};

/** The status of a recipient in this state. */
export const statusOf = (state: RecipientState): RecipientStatus => statuses[state];

/** The states of recipients with this status. */
export const statesOf = (status: RecipientStatus): RecipientState[] =>
  (Object.keys(statuses) as RecipientState[]).filter((state) => statuses[state] === status);

/** @param withPerson whether the caller may see who the recipient is */
export function presentRecipient(row: RecipientRow, withPerson: boolean): z.input<typeof recipientResource> {
  const { contact_id: contactId, address: email, state, reason, variant, holdout, send_id: sendId, at } = row;
  return {
    ...(withPerson ? { contactId, email } : {}),
    ...{ status: statusOf(state), reason, variant, holdout, sendId, at: toIsoTime(at) },
  };
}
