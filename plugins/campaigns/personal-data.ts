// Plans are texts of the company, so an export has none of them. An address that a plan mentions goes when the person is erased.
import { eraseText, type PersonalData, sweepRows } from '../../core/index.ts';
import { plannedRows } from './tables.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: (place, finder) =>
    sweepRows(place, finder, {
      rows: plannedRows,
      textOf: ({ name, description }) => `${name}\n${description ?? ''}`,
      changes: ({ name, description }, now) => ({
        name: finder.erase(name),
        description: eraseText(finder, description),
        updated_at: now,
      }),
    }),
};
