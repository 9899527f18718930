// The SQL statements of the decision: a mail that is not marketing runs no statement for the calendar, and marketing mail without a
// calendar takes no lock.
import * as assert from 'uvu/assert';
import { oneDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { recordStatements } from '../support/recorded-statements.ts';

await oneDatabase('the statements of the decision', (test, database) => {
  let bench: MailBench;
  const recorded = recordStatements(database.createStorage());
  test.before(async () => {
    bench = await openMailBench({ ...database, createStorage: () => recorded.storage });
    await bench.publish('receipt');
    await bench.publish('news', { category: 'marketing' });
  });
  test.after(() => bench.close());

  /** The tables of rules for marketing mail that are read or written during `work`. */
  const tablesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    recorded.statements.clear();
    await work();
    const text = [...recorded.statements.keys()].join('\n');
    assert.match(text, 'sends');
    return ['marketing_documents', 'capped_addresses', 'contacts', 'topics', 'topic_preferences'].filter((table) =>
      new RegExp(`${table}\\b`).test(text),
    );
  };
  const send = (template: string) => async () => {
    const { status } = await bench.send(template, { to: 'ada@example.org', variables: { name: 'Ada' } });
    assert.is(status, 202);
  };

  test('a transactional mail reads no rule for marketing mail, neither at its acceptance nor at its delivery', async () => {
    assert.equal(await tablesOf(send('receipt')), []);
    assert.equal(await tablesOf(() => bench.drain()), []);
  });

  test('a marketing mail reads the calendar, and locks and counts only if there is a cap', async () => {
    assert.equal(await tablesOf(send('news')), ['marketing_documents']);
    await bench.request('/v1/marketing/calendar', { method: 'PATCH', body: { caps: [{ max: 9, per: 'day' }] } });
    assert.equal(await tablesOf(send('news')), ['marketing_documents', 'capped_addresses']);
  });
});
