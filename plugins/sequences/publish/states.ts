// The status changes that a sequence allows.
import { coreErrors } from '../../../core/index.ts';
import type { SequenceHead, SequenceStatus } from '../tables.ts';

type SequenceName = Pick<SequenceHead, 'key' | 'status' | 'source'>;

const allowedActions: Readonly<Record<SequenceStatus, readonly string[]>> = {
  draft: ['publish', 'archive'],
  published: ['publish', 'pause', 'archive'],
  paused: ['publish', 'resume', 'archive'],
  archived: [],
};

/** Refuses a sequence of the program's code: only the code may change it. @throws state_conflict */
export function refuseCodeSequence({ key, source }: SequenceName): void {
  if (source === 'code')
    throw coreErrors.state_conflict({
      reason: `The sequence ${key} is defined in the code of the program, and is changed there only.`,
    });
}

/** @throws state_conflict if the status does not allow the action */
export function checkTransition(
  { key, status }: SequenceName,
  action: 'publish' | 'pause' | 'resume' | 'archive',
): void {
  if (!allowedActions[status].includes(action))
    throw coreErrors.state_conflict({ reason: `The sequence ${key} is ${status}.`, allowed: allowedActions[status] });
}
