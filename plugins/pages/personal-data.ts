// Forms that a person sent are exported and erased. Pages are texts of the company, so an export has none of them; an address that a page or a kept version mentions goes when the person
// is erased.
import type { AddressFinder, PersonalData, SweepPlace, TenantRows } from '../../core/index.ts';
import { summaryOf, workingHash } from './content.ts';
import { exportSubmissions, sweepSubmissions } from './forms/keeping.ts';
import type { PageContent, PageRow } from './tables.ts';
import { pageRows, versionRows } from './tables.ts';

const batch = 20;

/** The ids of rows that mention an address. */
async function mentioning<Row extends { readonly id: string }>(
  { read, signal }: SweepPlace,
  rows: TenantRows<Row>,
  finder: AddressFinder,
): Promise<string[]> {
  const found: string[] = [];
  await read(async (handle) => {
    for await (const some of rows.each(handle, {}, batch)) {
      signal.throwIfAborted();
      for (const row of some) if (finder.isIn(JSON.stringify(row))) found.push(row.id);
    }
  });
  return found;
}

const erased = <T>(finder: AddressFinder, value: T): T => JSON.parse(finder.eraseJson(JSON.stringify(value))) as T;

function pageWithout(finder: AddressFinder, row: PageRow): Partial<PageRow> {
  const { title, metadata, sections, html, brief, objective, vibe, build } = row;
  const changes = {
    ...erased(finder, { title, metadata, sections, build }),
    html: html === null ? null : finder.erase(html),
    ...{ brief: finder.erase(brief), objective: objective === null ? null : finder.erase(objective) },
    vibe: vibe === null ? null : finder.erase(vibe),
  };
  const after = { ...row, ...changes };
  return { ...changes, outline: summaryOf(changes.sections), content_hash: workingHash(after) };
}

const contentWithout = (finder: AddressFinder, { html, ...content }: PageContent): PageContent => ({
  ...erased(finder, content),
  ...(html === undefined ? {} : { html: finder.erase(html) }),
});

export const sweepPages: NonNullable<PersonalData['sweep']> = async (place, finder) => {
  const { write, signal } = place;
  for (const id of await mentioning(place, pageRows, finder)) {
    signal.throwIfAborted();
    await write(async ({ trx, now }) => {
      const row = await pageRows.lock(trx, id);
      if (row !== undefined) await pageRows.change(trx, row, { ...pageWithout(finder, row), updated_at: now });
    });
  }
  for (const id of await mentioning(place, versionRows, finder)) {
    signal.throwIfAborted();
    await write(async ({ trx }) => {
      const row = await versionRows.lock(trx, id);
      if (row === undefined) return;
      const changes = { title: finder.erase(row.title), content: contentWithout(finder, row.content) };
      await versionRows.change(trx, row, changes);
    });
  }
};

export const personalData: PersonalData = {
  export: exportSubmissions,
  erase: async () => 'done',
  async sweep(place, finder) {
    await sweepPages(place, finder);
    await sweepSubmissions(place, finder);
  },
};
