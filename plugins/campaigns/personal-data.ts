// Plans are texts of the company, so an export has none of them. An address that a plan mentions goes when the person is erased.
import type { PersonalData } from '../../core/index.ts';
import { plannedRows } from './tables.ts';

const batch = 100;

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ read, write, signal }, finder) {
    const found: string[] = [];
    await read(async (handle) => {
      for await (const rows of plannedRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const { id, name, description } of rows) if (finder.isIn(`${name}\n${description ?? ''}`)) found.push(id);
      }
    });
    for (const id of found) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await plannedRows.lock(trx, id);
        if (row === undefined) return;
        const description = row.description === null ? null : finder.erase(row.description);
        await plannedRows.change(trx, row, { name: finder.erase(row.name), description, updated_at: now });
      });
    }
  },
};
