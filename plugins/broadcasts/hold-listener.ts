// Pauses broadcasts when the guard holds the marketing mail of their workspace.
import type { HoldListener } from '../reputation/index.ts';
import { broadcastRows } from './broadcasts.ts';
import { openBroadcasts } from './store.ts';
import { auditChange, heldReason, pause } from './transitions.ts';

/** If the marketing mail of the workspace is held, pauses every broadcast of the side that is preparing or sending. */
export const createHoldListener = (): HoldListener => ({
  async onHold(ctx) {
    for (const { id } of await openBroadcasts(ctx.trx, ['preparing', 'sending'])) {
      const row = await broadcastRows.lock(ctx.trx, id);
      if (row?.status !== 'preparing' && row?.status !== 'sending') continue;
      auditChange(ctx, await pause(ctx, row, 'reputation', heldReason), 'pause', 'reputation');
    }
  },
});
