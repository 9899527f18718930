// Which changes of its status a sequence allows.
import { coreErrors } from '../../../core/index.ts';
import type { SequenceHead, SequenceStatus } from '../tables.ts';

type Named = Pick<SequenceHead, 'key' | 'status' | 'source'>;

const next: Readonly<Record<SequenceStatus, readonly string[]>> = {
  draft: ['publish', 'archive'],
  published: ['publish', 'pause', 'archive'],
  paused: ['publish', 'resume', 'archive'],
  archived: [],
};

/** A sequence of the program's code is changed there only. @throws state_conflict */
export function notOfCode({ key, source }: Named): void {
  if (source === 'code')
    throw coreErrors.state_conflict({
      reason: `The sequence ${key} is defined in the code of the program, and is changed there only.`,
    });
}

/** @throws state_conflict where the status does not allow it */
export function mayBecome({ key, status }: Named, action: 'publish' | 'pause' | 'resume' | 'archive'): void {
  if (!next[status].includes(action))
    throw coreErrors.state_conflict({ reason: `The sequence ${key} is ${status}.`, allowed: next[status] });
}
