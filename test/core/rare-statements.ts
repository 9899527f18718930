// For the test of statement plans: rows that no fixture writes, such as a form with a filled-in trap field, an unknown time zone, the
// usage of a leashed key, and soft bounces.
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { unknownZoneRows } from '../../plugins/sequences/tables.ts';
import type { bareStandardPlugins } from '../support/plugins.ts';
import { runSoftBounces } from './bounce-statements.ts';
import { runLeash } from './leash-statements.ts';

/** Headers of a human visitor. */
export const firefox = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' };

/** Writes a row of each kind, and reads the rows as a person would. */
export async function runRareStatements(test: TestService<(typeof bareStandardPlugins)[number]['id']>): Promise<void> {
  const { service, workspaceId, now } = test;
  const listTrapped = service.core.registry.operations.get('lists.trapped');
  if (typeof listTrapped?.exampleRow !== 'function') throw new Error('lists.trapped has no item.');
  const kit = createFixtureKit(test);
  const { params } = await listTrapped.fixture(kit);
  await listTrapped.exampleRow(kit, workspaceId, (params ?? {}) as Record<string, string>);
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
