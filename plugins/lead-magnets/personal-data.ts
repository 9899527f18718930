// Personal data of lead magnets. They are texts of the company, so they are not exported, but an erased person's
// address is removed from them.
import { type AddressFinder, eraseIn, type PersonalData, sweepRows } from '../../core/index.ts';
import { outlineOf, textHash } from './content.ts';
import { type LeadMagnetRow, leadMagnetRows } from './tables.ts';

function without(finder: AddressFinder, row: LeadMagnetRow): Partial<LeadMagnetRow> {
  const { title, brief, chapters, build, error } = row;
  const kept = eraseIn(finder, { title, brief, chapters, build, error });
  return { ...kept, outline: outlineOf(kept.chapters), text_hash: textHash({ ...row, ...kept }) };
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: (place, finder) =>
    sweepRows(place, finder, {
      rows: leadMagnetRows,
      batch: 20,
      changes: (row, now) => ({ ...without(finder, row), updated_at: now }),
    }),
};
