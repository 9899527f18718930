// Lead magnets are texts of the company, so an export has none of them; an address that one mentions goes when the person is erased.
import type { AddressFinder, PersonalData } from '../../core/index.ts';
import { outlineOf, textHash } from './content.ts';
import type { LeadMagnetRow } from './tables.ts';
import { leadMagnetRows } from './tables.ts';

const batch = 20;

function without(finder: AddressFinder, row: LeadMagnetRow): Partial<LeadMagnetRow> {
  const { title, brief, chapters, build, error } = row;
  const kept = JSON.parse(finder.eraseJson(JSON.stringify({ title, brief, chapters, build, error }))) as Pick<
    LeadMagnetRow,
    'title' | 'brief' | 'chapters' | 'build' | 'error'
  >;
  return { ...kept, outline: outlineOf(kept.chapters), text_hash: textHash({ ...row, ...kept }) };
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ read, write, signal }, finder) {
    const found: string[] = [];
    await read(async (handle) => {
      for await (const rows of leadMagnetRows.each(handle, {}, batch)) {
        signal.throwIfAborted();
        for (const row of rows) if (finder.isIn(JSON.stringify(row))) found.push(row.id);
      }
    });
    for (const id of found) {
      signal.throwIfAborted();
      await write(async ({ trx, now }) => {
        const row = await leadMagnetRows.lock(trx, id);
        if (row !== undefined) await leadMagnetRows.change(trx, row, { ...without(finder, row), updated_at: now });
      });
    }
  },
};
