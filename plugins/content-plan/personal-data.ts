// Plans are texts of the company, so an export has none of them. An address that they mention goes when the person is erased. News
// come from the press, and votes belong to members.
import type { PersonalData } from '../../core/index.ts';
import { runRows } from './runs/tables.ts';

const batch = 100;

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ read, write, signal }, finder) {
    const found: string[] = [];
    await read(async (handle) => {
      for await (const rows of runRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const { id, brief, error, themes, gates, drafted } of rows)
          if (finder.isIn(JSON.stringify([brief, error, themes, gates, drafted]))) found.push(id);
      }
    });
    for (const id of found) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await runRows.lock(trx, id);
        if (row === undefined) return;
        const { themes, gates, drafted } = JSON.parse(
          finder.eraseJson(JSON.stringify({ themes: row.themes, gates: row.gates, drafted: row.drafted })),
        );
        const erased = (text: string | null): string | null => (text === null ? null : finder.erase(text));
        const texts = { brief: erased(row.brief), error: erased(row.error) };
        await runRows.change(trx, row, { ...texts, themes, gates, drafted, updated_at: now });
      });
    }
  },
};
