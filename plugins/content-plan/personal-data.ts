// Plans are texts of the company, so an export has none of them. An address that they mention goes when the person is erased. News
// come from the press, and votes belong to members.
import { eraseIn, eraseText, type PersonalData, sweepRows } from '../../core/index.ts';
import { runRows } from './runs/tables.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: (place, finder) =>
    sweepRows(place, finder, {
      rows: runRows,
      changes: ({ brief, error, themes, gates, drafted }, now) => ({
        brief: eraseText(finder, brief),
        error: eraseText(finder, error),
        ...eraseIn(finder, { themes, gates, drafted }),
        updated_at: now,
      }),
    }),
};
