// Mail of the urgent lane asks the adapter to go first: login codes, but not receipts or newsletters.
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { twoDatabases } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';

const builtIn = {
  subject: 'Hello {{ name }}',
  previewText: '',
  html: '<p>Hello {{ name }}</p>',
  text: 'Hello {{ name }}',
  contract: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

await twoDatabases('urgent mail', (test, database) => {
  test('login codes are urgent; receipts, newsletters and system mail of a lower lane are not', async () => {
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
      const { core } = bench.service;
      const workspace = await readWorkspace(core, bench.workspaceId);
      for (const [subject, lane] of [
        ['confirm', 'urgent'],
        ['import', 'bulk'],
      ] as const)
        await inWorkspace(core, workspace, (ctx) =>
          core.services.systemMail.accept(ctx, {
            template: subject,
            builtIn: { ...builtIn, subject },
            lane,
            recipients: [{ email: 'bob@example.org', variables: { name: 'Bob' } }],
          }),
        );
      await bench.drain();
      assert.equal([seen.confirm, seen.import], [true, false], 'the lane of the job decides');
    } finally {
      await bench.close();
    }
  });
});
