// Reads a send when its delivery begins, with everything that decides on it, in one read because each read costs. Called by the job.
import type { JobContext } from '../../core/index.ts';
import type { Suppressed } from '../suppressions/index.ts';
import { contentRows, sendRows } from './store.ts';
import type { SendContentRow, SendRow } from './tables.ts';

/** A send at the beginning of its delivery. */
export interface FoundSend {
  readonly send: SendRow;
  readonly content: SendContentRow | undefined;
  /** The suppression that now stops the mail, if any. */
  readonly suppressed: Suppressed | undefined;
}

/** The send with this id; undefined if it does not exist. */
export function findSend({ read, services, workspace, ports }: JobContext, id: string): Promise<FoundSend | undefined> {
  return read(async ({ trx }) => {
    const send = await sendRows.find(trx, id);
    if (send === undefined) return undefined;
    const [content, row] = await Promise.all([
      contentRows.find(trx, id),
      services.suppressions.find(trx, send.to_address, ports.now()),
    ]);
    return { send, content, suppressed: services.suppressions.stops(row, workspace, send) };
  });
}
