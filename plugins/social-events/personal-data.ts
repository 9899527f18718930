// Captions and variables may name people, and no index finds them: an erasure looks for the addresses in all of them.
import { eraseIn, eraseText, type PersonalData, sweepRows } from '../../core/index.ts';
import { runRows, variableRows } from './tables.ts';

export const personalData: PersonalData = {
  // Posts and captions are texts of the company.
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
