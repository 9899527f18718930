// Mail of the urgent lane asks the adapter to go first: login codes, but not receipts or newsletters.
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { twoDatabases } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';

await twoDatabases('urgent mail', (test, database) => {
  test('login codes and system mail are urgent, receipts and newsletters are not', async () => {
    const seen: Record<string, boolean | undefined> = {};
    const adapter = {
      ...smtpMail({ host: '127.0.0.1' }),
      id: 'inline',
      send: async ({ subject }: { readonly subject: string }, { urgent }: { readonly urgent?: boolean }) => {
        seen[subject] = urgent;
        return { response: '250 taken' };
      },
    };
    const bench = await openMailBench(database, { mail: adapter });
    try {
      await bench.publish('code', { subject: 'code', delivery: 'at-most-once' });
      await bench.publish('receipt', { subject: 'receipt' });
      await bench.publish('news', { subject: 'news', category: 'marketing' });
      for (const key of ['code', 'receipt', 'news'])
        assert.is((await bench.send(key, { to: 'ada@example.org', variables: { name: 'Ada' } })).status, 202);
      await bench.drain();
      assert.equal(seen, { code: true, receipt: false, news: false });
    } finally {
      await bench.close();
    }
  });
});
