// Briefs and strategies are texts of the company, so an export has none of them. An address that they mention goes when the person
// is erased.
import type { PersonalData } from '../../core/index.ts';
import { creationRows, itemRows } from './tables.ts';

const batch = 100;

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ read, write, signal }, finder) {
    const found = { creations: [] as string[], items: [] as string[] };
    await read(async (handle) => {
      for await (const rows of creationRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const { id, name, brief, objective, comment, strategy } of rows)
          if (finder.isIn(JSON.stringify([name, brief, objective, comment, strategy]))) found.creations.push(id);
      }
      for await (const rows of itemRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const { id, purpose, url, error } of rows)
          if (finder.isIn(`${purpose}\n${url ?? ''}\n${error ?? ''}`)) found.items.push(id);
      }
    });
    const erased = (text: string | null): string | null => (text === null ? null : finder.erase(text));
    for (const id of found.creations) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await creationRows.lock(trx, id);
        if (row === undefined) return;
        const { strategy } = row;
        await creationRows.change(trx, row, {
          ...{ name: finder.erase(row.name), brief: finder.erase(row.brief), updated_at: now },
          ...{ objective: erased(row.objective), comment: erased(row.comment) },
          strategy: strategy === null ? null : JSON.parse(finder.eraseJson(JSON.stringify(strategy))),
        });
      });
    }
    for (const id of found.items) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await itemRows.lock(trx, id);
        if (row !== undefined)
          await itemRows.change(trx, row, {
            purpose: finder.erase(row.purpose),
            url: erased(row.url),
            error: erased(row.error),
            updated_at: now,
          });
      });
    }
  },
};
