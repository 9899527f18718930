// Suppressions for the fixtures of this plugin.
import type { FixtureKit } from '../../../core/index.ts';

/** A suppressed address of the workspace. */
export async function suppressedAddress(kit: FixtureKit, workspaceId: string): Promise<string> {
  const email = `${kit.unique('released').toLowerCase()}@example.com`;
  await kit.call('suppressions.create', { email }, workspaceId);
  return email;
}
