// The suppressions of a person. An erased address stays suppressed: a pseudonym replaces it, and a lookup of the same
// address finds the pseudonym.
import { type PersonalData, pseudonymOf } from '../../core/index.ts';
import { deleteSuppression, findSuppression, presentSuppression, rows } from './store.ts';

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }) {
    const suppressionRows = await Promise.all(emails.map((email) => findSuppression(handle, email)));
    return { suppressions: suppressionRows.flatMap((row) => (row === undefined ? [] : [presentSuppression(row)])) };
  },

  async erase({ trx }, { emails }) {
    for (const email of emails) {
      const row = await findSuppression(trx, email);
      const pseudonym = pseudonymOf(trx.workspaceId, email);
      if (row === undefined || (row.email === pseudonym && row.note === null)) continue;
      await deleteSuppression(trx, email);
      // Notes and diagnostics may contain addresses.
      await rows.insert(trx, { ...row, email: pseudonym, note: null });
    }
    return 'done';
  },
};
