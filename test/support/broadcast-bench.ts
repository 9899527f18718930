// A mail bench with a brand, a marketing template, and lists and segments with contacts. For tests of broadcasts: mail leaves over SMTP.
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import type { TestDatabase } from './databases.ts';
import { openMailBench } from './mail-bench.ts';
import { publicUrl } from './tracked-mail.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];
export type BroadcastBench = Awaited<ReturnType<typeof openBroadcastBench>>;

/** The HTML of a mail, with a link that has a parameter and a fragment. */
const body =
  '<html><body><p>Hello {{name}}</p><a href="https://shop.example/chairs?x=1#top">Chairs</a><a href="%unsubscribe_url%">Unsubscribe</a></body></html>';

/** Opens a bench whose workspace can send broadcasts of the template `news`. */
export async function openBroadcastBench(database: TestDatabase, options: Partial<ServiceOptions<StandardIds>> = {}) {
  const bench = await openMailBench(database, { publicUrl, ...options });
  const { service, workspaceId } = bench;
  const calls = (sandbox = false) => service.as(workspaceId, { sandbox });
  await calls().brand.create({ name: 'Example', postal_address: 'Example Ltd\n1 Main Street' });
  await bench.publish('news', { category: 'marketing', body });
  return {
    ...bench,
    calls,
    /** Creates contacts with these addresses, who join a new list. Returns its id. */
    async list(emails: readonly string[], sandbox = false): Promise<string> {
      const { listId } = await calls().lists.create({ name: `List ${Math.random()}` });
      const contactIds: string[] = [];
      for (const email of emails) contactIds.push((await calls(sandbox).contacts.upsert({ email })).id);
      if (contactIds.length > 0) await calls(sandbox).lists.membersAdd({ listId, contactIds });
      return listId;
    },
    /** Creates a draft that can be scheduled. */
    async draft(fields: Partial<Parameters<ReturnType<typeof calls>['broadcasts']['create']>[0]>, sandbox = false) {
      const draftFields = { name: 'Spring news', templateKey: 'news', variables: { name: 'reader' }, ...fields };
      return (await calls(sandbox).broadcasts.create(draftFields)).broadcastId;
    },
    /** Runs all jobs `rounds` times, one second apart, so that broadcasts learn of the delivery of their mails. */
    async settle(rounds = 4): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        await bench.drain();
        bench.advanceClock(1_000);
      }
    },
    /** The code of the error that a call throws, or `none` if it succeeds */
    async codeOf(call: () => Promise<unknown>): Promise<string> {
      try {
        await call();
        return 'none';
      } catch (error) {
        if (isPostriderError(error)) return error.code;
        throw error;
      }
    },
    /** Checks that the counts of a broadcast add up, and returns them. */
    async counts(broadcastId: string, sandbox = false) {
      const { counts } = await calls(sandbox).broadcasts.read({ broadcastId });
      const { waiting, accepted, failed, canceled, recipients, audience, excluded } = counts;
      assert.is(recipients, waiting + accepted + failed + canceled);
      assert.is(audience, recipients + Object.values(excluded).reduce((sum, one) => sum + one, 0));
      return counts;
    },
    /** The addresses that got mail, sorted. */
    recipients: async (): Promise<string[]> => (await bench.received()).map(({ to }) => to?.[0]?.address ?? '').sort(),
  };
}
