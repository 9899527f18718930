// Reports about the mails of a broadcast, as a provider sends them, and contacts who convert. For tests of broadcasts.
import type { TransactionContext } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { SendReport } from '../../plugins/email/reports/send-reports.ts';
import type { BroadcastBench } from './broadcast-bench.ts';

export const human = { verdict: 'human', reason: 'test' } as const;
export const robot = { verdict: 'bot', reason: 'test' } as const;
export const link = 'https://shop.example/chairs';

/** Calls for the bench's workspace, on its live side. */
export const broadcastReports = (bench: BroadcastBench) => {
  const work = async <T>(run: (ctx: TransactionContext) => Promise<T>): Promise<T> =>
    inWorkspace(bench.service.core, await readWorkspace(bench.service.core, bench.workspaceId), run);
  return {
    work,
    /** The ids of the sends of a broadcast, by address. */
    async sendsOf(broadcastId: string): Promise<ReadonlyMap<string, string>> {
      const sends = new Map<string, string>();
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await bench.calls().broadcasts.recipients({ broadcastId, limit: 100, ...(cursor && { cursor }) });
        for (const { email, sendId } of page.data) if (email && sendId !== null) sends.set(email, sendId);
        cursor = page.next_cursor ?? undefined;
        more = cursor !== undefined;
      }
      return sends;
    },
    report: (sendId: string, report: SendReport) => work((ctx) => ctx.services.sendReports.report(ctx, sendId, report)),
    /** Emits a custom event of the contact with this address. */
    emit: (email: string, type = 'order.placed', metadata: Readonly<Record<string, unknown>> = {}) =>
      bench.calls().events.emit({ type, contact: { email }, metadata }),
  };
};
