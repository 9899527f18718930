// The designs with contact cards of a person. They are exported and erased with the person's data. Printed codes stay as they are.
import type { PersonalData, WorkspaceHandle } from '../../core/index.ts';
import { presentQr } from './present.ts';
import { addressRows, qrRows } from './tables.ts';

const batch = 200;

async function designIds(handle: WorkspaceHandle, emails: readonly string[]): Promise<string[]> {
  const rows = await addressRows.findIn(handle, 'email', emails);
  return [...new Set(rows.map(({ qr_id }) => qr_id))];
}

export const personalData: PersonalData = {
  async export({ trx: handle }, { emails }, limit) {
    const rows = await qrRows.findIn(handle, 'id', (await designIds(handle, emails)).slice(0, limit));
    return { qr_designs: rows.map(presentQr) };
  },

  async erase({ trx }, { emails }) {
    const ids = await designIds(trx, emails);
    for (const id of ids.slice(0, batch)) {
      for (const row of await addressRows.findIn(trx, 'qr_id', [id])) await addressRows.remove(trx, row.id);
      await qrRows.remove(trx, id);
    }
    return ids.length > batch ? 'more' : 'done';
  },
};
