// A member is a person, too, so grants are personal data. A grant is found by the address that the member had when the grant was
// made, and by the uid if the program uses the uid as its own id of the person.
import type { PersonalData, PersonIdentifiers, WorkspaceHandle } from '../../core/index.ts';
import { endGrant } from './grants/end-grant.ts';
import { deleteEndedGrant, findGrant, presentGrant } from './grants/store.ts';
import { type GrantRow, grantRows } from './tables.ts';

const batch = 100;

/** The grants of a person, at most `limit`. */
async function grantsOf(
  trx: WorkspaceHandle,
  { externalId, emails }: PersonIdentifiers,
  limit: number,
): Promise<GrantRow[]> {
  const byAddress = await grantRows.findIn(trx, 'member_address', emails);
  const byUid = externalId === null ? [] : await grantRows.page(trx, { where: { member: externalId }, limit });
  return [...new Map([...byAddress, ...byUid].map((grant) => [grant.id, grant])).values()].slice(0, limit);
}

export const personalData: PersonalData = {
  async export({ trx, now }, subject, limit) {
    const grants = await grantsOf(trx, subject, limit);
    const views = await Promise.all(grants.map(({ id }) => findGrant(trx, id, now)));
    return { grants: views.flatMap((view) => (view === undefined ? [] : [presentGrant(view)])) };
  },
  async erase(ctx, subject) {
    const grants = await grantsOf(ctx.trx, subject, batch);
    for (const grant of grants) {
      await endGrant(ctx, grant, 'erased');
      await deleteEndedGrant(ctx.trx, grant);
    }
    return grants.length === batch ? 'more' : 'done';
  },
};
