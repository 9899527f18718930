// Rows that no fixture writes: a form dropped by its spam trap, an unknown time zone, the usage of a leashed key, and soft bounces.
// For the test of statement plans.
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { unknownZoneRows } from '../../plugins/sequences/tables.ts';
import type { bareStandardPlugins } from '../support/plugins.ts';
import { runSoftBounces } from './bounce-statements.ts';
import { runLeash } from './leash-statements.ts';

/** Headers of a human visitor. */
export const firefox = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' };

/** Writes one of each, and reads them like a person would. */
export async function runRare(test: TestService<(typeof bareStandardPlugins)[number]['id']>): Promise<void> {
  const { service, workspaceId, now } = test;
  const trapped = service.core.registry.operations.get('lists.trapped');
  if (typeof trapped?.exampleRow !== 'function') throw new Error('lists.trapped has no item.');
  const kit = createFixtureKit(test);
  const { params } = await trapped.fixture(kit);
  await trapped.exampleRow(kit, workspaceId, (params ?? {}) as Record<string, string>);
  const { contacts } = service.as(workspaceId);
  const { id: contact_id } = await contacts.upsert({
    email: 'zone@example.com',
    attributes: { timezone: 'Mars/Base' },
  });
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async ({ trx, newId }) => {
    await unknownZoneRows.insert(trx, { id: newId('sqz'), contact_id, zone: 'Mars/Base', seen_at: now() });
  });
  await contacts.read({ contactId: contact_id });
  await runLeash(test);
  await runSoftBounces(test);
}
