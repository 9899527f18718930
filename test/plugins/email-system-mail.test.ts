// Mail that the service itself writes, in jobs of a plugin: suppressed addresses get none and use no budget.
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

test('addresses suppressed for all mail get none and use no budget; addresses suppressed only for marketing get it', async () => {
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
    assert.is(sendIds.length, 3, 'one suppressed send, and two sends that the budget allows');
    assert.ok(renewsAt !== undefined && renewsAt > bench.now());
    await bench.service.drain();
    assert.equal(
      bench.mail
        .messages()
        .map(({ to }) => to.email)
        .sort(),
      ['ada@example.org', 'news@example.org'],
    );
    const suppressed = await sends.read({ id: sendIds[0] ?? '' });
    assert.equal([suppressed.status, suppressed.to], ['suppressed', 'Gone@example.org']);
  } finally {
    await bench.close();
  }
});

test.run();
