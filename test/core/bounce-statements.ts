// For the test of statement plans: two mails to one address with soft bounces, so that their days are counted, and one with a hard
// bounce.
import * as assert from 'uvu/assert';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import type { bareStandardPlugins } from '../support/plugins.ts';

/** Sends the mails, and reports their bounces. */
export async function runSoftBounces(test: TestService<(typeof bareStandardPlugins)[number]['id']>): Promise<void> {
  const { service, workspaceId, drain } = test;
  const calls = service.as(workspaceId);
  await calls.templates.create({ key: 'full', subject: 'Hello', body: '<p>Hello</p>', mode: 'html' });
  await calls.templates.publish({ key: 'full' });
  for (let count = 0; count < 2; count += 1) {
    const { id } = await calls.email.send({ template: 'full', to: 'full@example.com' });
    await drain();
    const bounce = { class: 'soft', subType: 'mailbox_full', diagnostic: '452 4.2.2 Mailbox full' } as const;
    const report = await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), (ctx) =>
      service.core.services.sendReports.report(ctx, id, { kind: 'bounced', bounce }),
    );
    assert.is(report?.recorded, true);
  }
  // A hard bounce, which the guard of the sender's reputation counts and judges
  const { id } = await calls.email.send({ template: 'full', to: 'gone@example.com' });
  await drain();
  const bounce = { class: 'hard', subType: 'no_mailbox', diagnostic: '550 5.1.1 No such user' } as const;
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), (ctx) =>
    service.core.services.sendReports.report(ctx, id, { kind: 'bounced', bounce }),
  );
  await drain();
}
