// Captions and variables may contain addresses of people. They are not indexed by address, so an erasure searches every row.
import { eraseIn, eraseText, type PersonalData, sweepRows } from '../../core/index.ts';
import { runRows, variableRows } from './tables.ts';

export const personalData: PersonalData = {
  // Posts and captions are texts of the company, so an export does not contain them.
  export: async () => ({}),
  erase: async () => 'done',
  async sweep(place, finder) {
    await sweepRows(place, finder, {
      rows: runRows,
      textOf: ({ captions, dedupe_key: dedupeKey }) => JSON.stringify([captions, dedupeKey]),
      changes: ({ captions, dedupe_key: dedupeKey }) => ({
        captions: eraseIn(finder, captions),
        dedupe_key: eraseText(finder, dedupeKey)?.slice(0, 200) ?? null,
      }),
    });
    await sweepRows(place, finder, {
      rows: variableRows,
      textOf: ({ variables }) => JSON.stringify(variables),
      changes: ({ variables }) => ({ variables: eraseIn(finder, variables) }),
    });
  },
};
