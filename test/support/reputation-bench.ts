// A mail bench that also stores hand-overs and records faults directly, for windows with more mail than a test can send. Real mail
// counts, too.

import type { TransactionContext } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { repeatOnConflict } from '../../core/storage/repeat-on-conflict.ts';
import type { TestResponse } from '../../hosts/testing/test-service.ts';
import type { DeliveryFault } from '../../plugins/email/index.ts';
import { reputationPlugin } from '../../plugins/index.ts';
import type { ReputationOptions } from '../../plugins/reputation/index.ts';
import { createReceivers } from '../../plugins/reputation/receivers.ts';
import { handOverRows } from '../../plugins/reputation/tables.ts';
import { minuteOf } from '../../plugins/reputation/windows/series.ts';
import type { TestDatabase } from './databases.ts';
import { type MailBench, openMailBench } from './mail-bench.ts';
import { bareStandardPlugins } from './plugins.ts';

/** Mails whose counted values are equal */
export interface CountedMails {
  /** (Default: 1) */
  readonly mails?: number;
  /** (Default: hello@example.com) */
  readonly from?: string;
  /** (Default: ada@yahoo.com, whose provider reports complaints) */
  readonly to?: string;
  /** The time of the hand-over, in milliseconds (Default: now) */
  readonly at?: number;
}

export interface ReputationBench extends MailBench {
  /** Repeats the work after a deadlock, like the code that records reports. */
  transact<T>(work: (ctx: TransactionContext) => Promise<T>, workspaceId?: string): Promise<T>;
  /** Stores the hand-over of these mails as one row, as after a merge. */
  handOver(mails: CountedMails): Promise<void>;
  /** Records a fault of each mail without judging it: `drain` judges. */
  report(fault: DeliveryFault, mails: CountedMails): Promise<void>;
  /** GET /v1/reputation. */
  reputation(key?: string): Promise<TestResponse['body']>;
  /** `ok`, `warned` or `held`. */
  state(): Promise<string>;
  release(note?: string): Promise<unknown>;
}

export async function openReputationBench(
  database: TestDatabase,
  options: ReputationOptions = {},
  open: Parameters<typeof openMailBench>[1] = {},
): Promise<ReputationBench> {
  const plugins = bareStandardPlugins.map((plugin) =>
    plugin.id === 'reputation' ? reputationPlugin(options) : plugin,
  );
  const bench = await openMailBench(database, { plugins, ...open });
  const { service, workspaceId } = bench;
  await bench.publish('receipt');
  await bench.publish('news', { category: 'marketing' });
  const transact = async <T>(work: (ctx: TransactionContext) => Promise<T>, owner = workspaceId): Promise<T> =>
    repeatOnConflict(async () => inWorkspace(service.core, await readWorkspace(service.core, owner), work));
  const receivers = createReceivers([]);
  let sends = 0;
  const mail = ({ from = 'hello@example.com', to = 'ada@yahoo.com', at = bench.now() }: CountedMails) => {
    sends += 1;
    return { sendId: `snd_${sends}`, category: 'marketing', fromEmail: from, toEmail: to, handedOverAt: at } as const;
  };
  const counters = (ctx: TransactionContext) => [...ctx.ports.contributions('email.results').values()];
  const reputation = async (key = bench.liveKey) => (await bench.request('/v1/reputation', { key })).body;
  return {
    ...bench,
    transact,
    handOver: ({ mails = 1, from = 'hello@example.com', to = 'ada@yahoo.com', at = bench.now() }) =>
      transact(async ({ trx, newId }) => {
        const receiver = receivers.of(workspaceId, to) ?? 'unknown';
        const domain = from.slice(from.indexOf('@') + 1);
        await handOverRows.insert(trx, { id: newId('rho'), minute: minuteOf(at), domain, receiver, mails });
      }),
    report: (fault, { mails = 1, ...given }) =>
      transact(async (ctx) => {
        for (let remainingMails = mails; remainingMails > 0; remainingMails -= 1)
          for (const entry of counters(ctx)) entry.failed(ctx, mail(given), fault);
      }),
    reputation,
    state: async () => (await reputation()).state,
    release: (note = 'The list is deleted.') => service.workspaces.releaseReputation(workspaceId, { note }),
  };
}
