// What the suppression list knows of a person. Erasing never lets mail through to them: the address becomes a pseudonym,
// under which it is found by whoever gives the address again.
import type { PersonalData } from '../../core/index.ts';
import { pseudonymOf } from '../../core/index.ts';
import { deleteSuppression, findSuppression, presentSuppression, rows } from './store.ts';

export const personalData: PersonalData = {
  async export(handle, { emails }) {
    const found = await Promise.all(emails.map((email) => findSuppression(handle, email)));
    return { suppressions: found.flatMap((row) => (row === undefined ? [] : [presentSuppression(row)])) };
  },

  async erase({ trx }, { emails }) {
    for (const email of emails) {
      const row = await findSuppression(trx, email);
      const pseudonym = pseudonymOf(trx.workspaceId, email);
      if (row === undefined || (row.email === pseudonym && row.note === null)) continue;
      await deleteSuppression(trx, email);
      // Notes and diagnostics repeat addresses.
      await rows.insert(trx, { ...row, email: pseudonym, note: null });
    }
    return 'done';
  },
};
