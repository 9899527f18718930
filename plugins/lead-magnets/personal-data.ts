// Personal data of lead magnets. Their texts belong to the company, so they are not exported. An erased person's
// address is removed from them.
import { type AddressFinder, eraseIn, type PersonalData, sweepRows } from '../../core/index.ts';
import { outlineOf, textHash } from './content.ts';
import { type LeadMagnetRow, leadMagnetRows } from './tables.ts';

function withoutAddress(finder: AddressFinder, row: LeadMagnetRow): Partial<LeadMagnetRow> {
  const { title, brief, chapters, build, error } = row;
  const erasedFields = eraseIn(finder, { title, brief, chapters, build, error });
  return {
    ...erasedFields,
    outline: outlineOf(erasedFields.chapters),
    text_hash: textHash({ ...row, ...erasedFields }),
  };
}

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: (place, finder) =>
    sweepRows(place, finder, {
      rows: leadMagnetRows,
      batch: 20,
      changes: (row, now) => ({ ...withoutAddress(finder, row), updated_at: now }),
    }),
};
