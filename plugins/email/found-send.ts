// Reads a send whose delivery begins, with what decides on it: in one read, since each has its price. Called by the delivery job.
import type { JobContext } from '../../core/index.ts';
import type { Suppressed } from '../suppressions/index.ts';
import { contentRows, sendRows } from './store.ts';
import type { SendContentRow, SendRow } from './tables.ts';

/** A send as it is when its delivery begins. */
export interface FoundSend {
  readonly send: SendRow;
  readonly content: SendContentRow | undefined;
  /** What stops the mail by now. */
  readonly suppressed: Suppressed | undefined;
}

/** The send with this id; undefined where there is none. */
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
