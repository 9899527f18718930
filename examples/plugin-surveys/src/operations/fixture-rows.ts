import type { FixtureKit } from 'postrider';

/** The id of a new survey. */
export async function surveyRow(kit: FixtureKit, workspaceId = kit.workspaceId): Promise<string> {
  const question = kit.unique('How was it?');
  const { id } = await kit.call('surveys.create', { email: 'ada@example.com', question }, workspaceId);
  return String(id);
}
