// One mailbox with many plus-addresses: simultaneous sign-ups to several lists, and erasing the address itself.
// full-run: slow
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { sendListConfirmations } from '../../plugins/lists/confirmation/send-confirmations.ts';
import { listRows } from '../../plugins/lists/contact-lists.ts';
import { listTexts } from '../../plugins/lists/texts.ts';
import { eachDatabase } from '../support/databases.ts';
import { listCalls } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

await eachDatabase('one mailbox in many lists', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.example.com' });
  });
  test.after.each(() => bench.close());
  const { create } = listCalls(() => bench);

  /** Signs up one mailbox to `count` new lists at the same time, for each list with another plus-address. */
  async function signUpAtOnce(count: number): Promise<void> {
    const { core } = bench.service;
    const opened = await core.database();
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(await create({ name: `List ${index}`, optin: 'double', visibility: 'public' }));
    await Promise.all(
      ids.map(async (listId, plusSuffix) => {
        const list = await opened.read(bench.workspaceId, (handle) => listRows.find(handle, listId));
        if (list === undefined) throw new Error('The list is gone.');
        const email = `ada+${plusSuffix}@example.org`;
        const one = {
          email,
          addressAsGiven: email,
          name: '',
          requestedBy: 'form',
          consentNote: null,
          fields: {},
          language: undefined,
        } as const;
        await inWorkspace(core, workspace, (ctx) => sendListConfirmations(ctx, list, [one], listTexts()));
      }),
    );
  }

  const confirmationRequests = async (): Promise<string[]> => {
    const opened = await bench.service.core.database();
    const rows = await opened.read(bench.workspaceId, ({ db }) =>
      db.selectFrom('list_confirmations').select(['email', 'mailbox']).execute(),
    );
    return rows.map(({ email, mailbox }) => `${email} ${mailbox}`);
  };

  test('simultaneous sign-ups to several lists send a mailbox at most five mails a day', async () => {
    await signUpAtOnce(8);
    assert.is((await confirmationRequests()).length, 5);
  });

  test('erasing an address removes the confirmation requests of its plus-addresses, but no request of another mailbox', async () => {
    await signUpAtOnce(2);
    assert.is((await confirmationRequests()).length, 2);
    await bench.service.personalData.erase(bench.workspaceId, { email: 'grace@example.org' });
    await bench.drain();
    assert.is((await confirmationRequests()).length, 2);
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.org' });
    await bench.drain();
    assert.equal(await confirmationRequests(), []);
  });
});
