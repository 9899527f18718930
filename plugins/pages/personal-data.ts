// Personal data of pages. Forms that a person sent are exported and erased. Pages are texts of the company, so they are
// not exported, but an erased person's address is removed from pages and stored versions.
import { type AddressFinder, eraseIn, eraseText, type PersonalData, sweepRows } from '../../core/index.ts';
import { summaryOf, workingHash } from './content.ts';
import { exportSubmissions, sweepSubmissions } from './forms/retention.ts';
import { type PageContent, type PageRow, pageRows, versionRows } from './tables.ts';

const batch = 20;

function pageWithout(finder: AddressFinder, row: PageRow): Partial<PageRow> {
  const { title, metadata, sections, texts, html, brief, objective, vibe, build } = row;
  const changes = {
    ...eraseIn(finder, { title, metadata, sections, texts, build }),
    html: eraseText(finder, html),
    brief: finder.erase(brief),
    objective: eraseText(finder, objective),
    vibe: eraseText(finder, vibe),
  };
  const changed = { ...row, ...changes };
  return { ...changes, outline: summaryOf(changes.sections), content_hash: workingHash(changed) };
}

const contentWithout = (finder: AddressFinder, { html, ...content }: PageContent): PageContent => ({
  ...eraseIn(finder, content),
  ...(html === undefined ? {} : { html: finder.erase(html) }),
});

export const sweepPages: NonNullable<PersonalData['sweep']> = async (context, finder) => {
  await sweepRows(context, finder, {
    rows: pageRows,
    batch,
    changes: (row, now) => ({ ...pageWithout(finder, row), updated_at: now }),
  });
  await sweepRows(context, finder, {
    rows: versionRows,
    batch,
    changes: ({ title, content, texts }) => ({
      ...eraseIn(finder, { title, texts }),
      content: contentWithout(finder, content),
    }),
  });
};

export const personalData: PersonalData = {
  export: exportSubmissions,
  erase: async () => 'done',
  async sweep(place, finder) {
    await sweepPages(place, finder);
    await sweepSubmissions(place, finder);
  },
};
