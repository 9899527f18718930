// Erasures run while the same people are imported, and unsubscriptions run while mail is accepted: no erased person comes back, and a
// person who unsubscribed before the hand-over gets no mail. POSTRIDER_TEST_LONG runs many more rounds.
// full-run: slow
// time-limit: 900
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { isTransientFault } from '../../core/contract/ports/storage.ts';
import { isPostriderError } from '../../core/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { headerOf, publicUrl, visit } from '../support/tracked-mail.ts';

const rounds = longTests ? 60 : 6;
const retryMs = 900_000;

/** Repeats a call while other transactions block it, as a program does. */
async function repeatOnConflict(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await call();
      return;
    } catch (error) {
      const isPassing = isTransientFault(error) || (isPostriderError(error) && error.code === 'service_unavailable');
      if (!isPassing || tries === 10) throw error;
    }
}
const variables = { name: 'Ada' };

await eachDatabase('erasures and unsubscriptions under races', (test, database) => {
  let bench: MailBench;
  let onPhase: (phase: string) => void;
  test.before.each(async () => {
    onPhase = () => undefined;
    bench = await openMailBench(database, { publicUrl, onPhase: (phase) => onPhase(phase) });
    await calls().topics.create({ key: 'news', name: 'News', default: 'subscribed' });
  });
  test.after.each(() => bench.close());
  const calls = () => bench.service.as(bench.workspaceId);
  /** Runs all jobs, and repeats jobs that a conflict has delayed. */
  const settle = async (): Promise<void> => {
    await bench.drain();
    bench.advanceClock(retryMs);
    await bench.drain();
  };
  const stored = async (): Promise<string[]> => {
    const { data } = await calls().contacts.list({ limit: 100 });
    return data.flatMap(({ email, external_id: name }) => [email ?? '', name ?? '']);
  };

  test('a person who is erased while a file with their rows is imported does not come back', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { listId } = await calls().lists.create({ name: `Round ${round}` });
      const knownContact = await calls().contacts.upsert({
        external_id: `known-${round}`,
        email: `known-${round}@example.org`,
      });
      const emails = [`new-${round}@example.org`, `moved-${round}@example.org`];
      // Two batches, so that rows of the same people come before and after the erasure.
      const rows = [
        `,new-${round}@example.org,yes`,
        // The row gives the known contact another address. From then on, its old address would belong to another person.
        `known-${round},moved-${round}@example.org,yes`,
        ...Array.from({ length: 260 }, (_, row) => `filler-${row},,`),
        ...emails.map((email) => `,${email},yes`),
        `known-${round},,`,
      ];
      const csv = ['external_id,email,topic.news', ...rows].join('\n');
      const { import_id: importId } = await calls().contacts.import({ csv, listId, consentNote: 'They agreed' });
      const erasures: Promise<unknown>[] = [];
      const erase = () => {
        erasures.push(
          repeatOnConflict(() => bench.service.personalData.erase(bench.workspaceId, { email: emails[0] })),
          repeatOnConflict(() => calls().contacts.delete({ contactId: knownContact.id })),
        );
      };
      const phase = ['contacts.importing_rows', 'contacts.rows_imported', 'contacts.following_rows'][round % 3];
      onPhase = (reached) => {
        if (reached !== phase || erasures.length > 0) return;
        if (round % 2 === 0) erase();
        else erasures.push(setTimeout(Math.random() * 20).then(erase));
      };
      await settle();
      while (erasures.length < 2 + (round % 2)) await setTimeout(5);
      await Promise.all(erasures);
      onPhase = () => undefined;
      await settle();
      const { status } = await calls().contacts.importRead({ importId });
      assert.is(status, 'completed');
      const back = (await stored()).filter((name) =>
        [...emails, `known-${round}`, `known-${round}@example.org`].includes(name),
      );
      assert.equal(back, [], `round ${round}, ${phase}`);
      const { data } = await calls().lists.members({ listId, limit: 100 });
      assert.is(data.filter(({ email }) => emails.includes(email ?? '')).length, 0);
    }
  });

  test('a person who unsubscribes while mail for them is accepted gets no mail that is handed over later', async () => {
    await bench.publish('letter', { category: 'marketing', topicKey: 'news' });
    await bench.send('letter', { to: 'first@example.org', variables });
    await bench.drain();
    for (let round = 0; round < rounds; round += 1) {
      const before = bench.sink.messages.length;
      const to = `reader-${round}@example.org`;
      const { id } = await calls().contacts.upsert({ email: to });
      await bench.send('letter', { to, variables });
      await bench.drain();
      const mail = (await bench.received()).at(-1);
      assert.ok(mail);
      const leave = (headerOf(mail, 'List-Unsubscribe') ?? '').slice(1, -1);
      const stops = [
        () => visit(bench, leave, { method: 'POST' }),
        () => calls().preferences.set({ contactId: id, topics: { news: false } }),
        () => calls().suppressions.create({ email: to }),
      ];
      const sends = Array.from({ length: 5 }, () => bench.send('letter', { to, variables }));
      await Promise.all([...sends.slice(0, 3), stops[round % 3]?.(), ...sends.slice(3)]);
      await settle();
      assert.is(bench.sink.messages.length, before + 1, `round ${round}`);
      for (const { body } of await Promise.all(sends))
        assert.is((await bench.readSend(body.id)).status, 'suppressed', `round ${round}`);
    }
  });

  test('if a person unsubscribes during the hand-over, their mail arrives if and only if it counts as sent', async () => {
    await bench.publish('letter', { category: 'marketing', topicKey: 'news' });
    for (let round = 0; round < rounds; round += 1) {
      const to = `reader-${round}@example.org`;
      const { id } = await calls().contacts.upsert({ email: to });
      const sent = await Promise.all(Array.from({ length: 6 }, () => bench.send('letter', { to, variables })));
      let mailsBefore = Number.POSITIVE_INFINITY;
      const leaving = setTimeout(Math.random() * 60).then(async () => {
        await calls().preferences.set({ contactId: id, topics: { news: false } });
        mailsBefore = bench.sink.messages.length;
      });
      await Promise.all([bench.drain(), leaving]);
      await settle();
      assert.ok(mailsBefore <= bench.sink.messages.length);
      const statuses = await Promise.all(sent.map(async ({ body }) => (await bench.readSend(body.id)).status));
      const arrived = (await bench.received()).filter((mail) => mail.to?.[0]?.address === to).length;
      assert.equal(
        [statuses.filter((status) => status === 'suppressed').length, statuses.length],
        [6 - arrived, 6],
        `round ${round}: ${statuses}`,
      );
      const { body } = await bench.send('letter', { to, variables });
      assert.is(body.whyNotSent, 'topic');
    }
  });
});
