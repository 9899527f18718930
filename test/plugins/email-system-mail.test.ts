// Mail that the service itself writes, in jobs of a plugin: suppressed addresses get no mail and use no budget.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('mail of the service');

const builtIn = {
  subject: 'Hello {{ name }}',
  previewText: '',
  html: '<p>Hello {{ name }}</p>',
  text: 'Hello {{ name }}',
  contract: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

test('an address that is suppressed for all mail gets no mail and uses no budget; with a suppression of marketing it gets the mail', async () => {
  const bench = await createTestService({ plugins: standardPlugins });
  try {
    const { id } = await bench.service.workspaces.create({
      name: 'Acme',
      defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
      figures: { monthlySendBudget: 2 },
    });
    const { suppressions, sends } = bench.service.as(id);
    await suppressions.create({ email: 'gone@example.org', reason: 'manual' });
    await suppressions.create({ email: 'news@example.org', reason: 'manual', scope: 'marketing' });
    const recipients = ['Gone@example.org', 'news@example.org', 'ada@example.org', 'bob@example.org'].map((email) => ({
      email,
      variables: { name: email.split('@', 1)[0] },
    }));
    const workspace = await readWorkspace(bench.service.core, id);
    const { sendIds, renewsAt } = await inWorkspace(bench.service.core, workspace, (ctx) =>
      bench.service.core.services.systemMail.accept(ctx, { template: 'greeting', builtIn, recipients }),
    );
    assert.is(sendIds.length, 3, 'one send is suppressed, and the budget allows two more');
    assert.ok(renewsAt !== undefined && renewsAt > bench.now());
    await bench.service.drain();
    assert.equal(
      bench.mail
        .messages()
        .map(({ to }) => to.email)
        .sort(),
      ['ada@example.org', 'news@example.org'],
    );
    const send = await sends.read({ id: sendIds[0] ?? '' });
    assert.equal([send.status, send.to], ['suppressed', 'Gone@example.org']);
  } finally {
    await bench.close();
  }
});

test.run();
