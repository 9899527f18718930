import type { RetentionDeclaration, ScheduleDeclaration } from '../../core/index.ts';
import { validMs } from './confirmation/send-confirmations.ts';
import { removeUnconfirmedKind } from './jobs/kinds.ts';
import { listsWithUnconfirmed } from './store.ts';

const day = 86_400_000;

export const retention = {
  list_trapped_forms: {
    rows: 'Submissions of subscribe forms in which the honeypot field was filled',
    since: 'the form',
    default: '7 days',
  },
} as const satisfies Readonly<Record<string, RetentionDeclaration>>;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'lists.unconfirmed',
    description: 'Removes members that did not confirm within 30 days.',
    everyMs: day,
    async run(context) {
      await context.eachWorkspace(async ({ trx, enqueue, sandbox }) => {
        for (const side of sandbox ? [true] : [false, true])
          for (const listId of await listsWithUnconfirmed(trx.onSide(side)))
            enqueue({ kind: removeUnconfirmedKind, payload: { listId }, sandbox: side, key: listId });
      });
    },
  },
  {
    id: 'lists.confirmations',
    description:
      'Removes the records of mails that asked to confirm, after 30 days, and old forms that the trap dropped.',
    everyMs: 3_600_000,
    async run({ now, purge, keptSince }) {
      await purge('list_confirmations', 'created_at', now - validMs);
      await purge('list_trapped_forms', 'created_at', keptSince('list_trapped_forms'));
    },
  },
];
