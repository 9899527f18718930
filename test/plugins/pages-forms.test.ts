// Forms of landing pages: what is stored and told, the mail that asks, what a confirmation sets off, limits, privacy, erasure. Mail goes
// over a real SMTP server; forms are sent as browsers send them.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { form, listCalls, shownAt } from '../support/list-bench.ts';
import type { MailBench } from '../support/mail-bench.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { publicUrl, visit } from '../support/tracked-mail.ts';

await twoDatabases('forms of pages', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl });
  });
  test.after.each(() => bench.close());

  test('smoke', async () => {
    assert.is(1, 1);
  });
});
