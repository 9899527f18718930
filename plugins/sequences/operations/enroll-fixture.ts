// The fixture of the two operations that enrol one contact.
import type { ErrorCases, FixtureKit } from '../../../core/index.ts';
import { foreignContact, someDraft, someSequence } from './fixture-rows.ts';

const elsewhere = 'unreachable here: shown in test/plugins/sequences-enroll.test.ts' as const;

/** `params` names a sequence in the path. */
export async function enrollFixture(kit: FixtureKit, params: (key: string) => Readonly<Record<string, string>>) {
  const withKey = async (key: Promise<string>) => ({ params: params(await key) });
  const errors: ErrorCases = {
    sequence_not_published: (own) => withKey(someDraft(own, own.workspaceId)),
    sequence_invalid: elsewhere,
    contact_required: async () => ({ body: { contact: {} } }),
    contact_not_found: async () => ({ body: { contact: { id: 'con_01ARZ3NDEKTSV4RRFFQ69G5FAV' } } }),
    variables_invalid: elsewhere,
    limit_reached: elsewhere,
    state_conflict: elsewhere,
  };
  return {
    params: params(await someSequence(kit, kit.workspaceId)),
    body: {
      contact: { external_id: kit.unique('user'), email: `${kit.unique('ada')}@example.com` },
      variables: { plan: 'pro' },
    },
    foreign: {
      params: params(await someSequence(kit, kit.foreignWorkspaceId)),
      body: await foreignContact(kit),
    },
    errors,
  };
}
