// Briefs and strategies are texts of the company, so an export has none of them. An address that they mention goes when the person
// is erased.
import { eraseIn, eraseText, type PersonalData, sweepRows } from '../../core/index.ts';
import { creationRows, itemRows } from './tables.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep(place, finder) {
    await sweepRows(place, finder, {
      rows: creationRows,
      textOf: ({ name, brief, objective, comment, strategy }) =>
        JSON.stringify([name, brief, objective, comment, strategy]),
      changes: ({ name, brief, objective, comment, strategy }, now) => ({
        name: finder.erase(name),
        brief: finder.erase(brief),
        objective: eraseText(finder, objective),
        comment: eraseText(finder, comment),
        strategy: eraseIn(finder, strategy),
        updated_at: now,
      }),
    });
    await sweepRows(place, finder, {
      rows: itemRows,
      textOf: ({ purpose, url, error }) => `${purpose}\n${url ?? ''}\n${error ?? ''}`,
      changes: ({ purpose, url, error }, now) => ({
        purpose: finder.erase(purpose),
        url: eraseText(finder, url),
        error: eraseText(finder, error),
        updated_at: now,
      }),
    });
  },
};
