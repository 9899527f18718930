// The charts of a report on its page, by variant, hour, link and domain, each with the same figures as a table. Pure.
import { dataTable, type Html, html } from '../../../core/unstable.ts';
import { chartOf, factWords } from '../report/pictures.ts';
import type { BroadcastReport, ChartName } from '../report/schema.ts';
import { type Fact, facts } from '../schema.ts';
import { numberColumn, section, wideTable } from './section.ts';

/** A chart of the report. The picture is embedded in the page, so that the report is read only once. */
function chartWith(report: BroadcastReport, name: ChartName, title: string, table: Html): Html {
  const source = `data:image/svg+xml;base64,${Buffer.from(chartOf(report, name)).toString('base64')}`;
  const chart = html`<div class="card chart" tabindex="0" role="region" aria-label="${title}: chart"><img src="${source}" alt="${title}. The table below says the same."></div>`;
  return section(title, [chart, html`<details><summary>The figures as a table</summary>${table}</details>`]);
}

/** A chart of the rows, and a table whose last columns are the facts. Nothing if there are no rows. */
function factPart<Row extends Readonly<Record<Fact, number>>>(
  report: BroadcastReport,
  chart: { readonly name: ChartName; readonly title: string; readonly caption?: string },
  rows: readonly Row[],
  columns: readonly (readonly [
    head: Parameters<typeof dataTable>[1][number],
    cell: (row: Row) => Html | string | number,
  ])[],
): Html | null {
  if (rows.length === 0) return null;
  const { name, title, caption = title } = chart;
  const table = wideTable(
    caption,
    [...columns.map(([head]) => head), ...facts.map((fact) => numberColumn(factWords[fact]))],
    rows.map((row) => [...columns.map(([, cell]) => cell(row)), ...facts.map((fact) => row[fact])]),
  );
  return chartWith(report, name, title, table);
}

const hourPart = (report: BroadcastReport): Html | null =>
  factPart(report, { name: 'byHour', title: 'By hour' }, report.byHour, [
    ['Hour (UTC)', ({ hour }) => hour.slice(0, 16).replace('T', ' ')],
  ]);

function linkPart(report: BroadcastReport): Html | null {
  const { byLink } = report;
  if (byLink.length === 0) return null;
  const table = dataTable(
    'By link',
    ['Link', numberColumn('Recipients who clicked')],
    byLink.map(({ url, clicked }) => [html`<span dir="ltr">${url}</span>`, clicked]),
  );
  return chartWith(report, 'byLink', 'By link', table);
}

const domainPart = (report: BroadcastReport): Html | null =>
  factPart(
    report,
    { name: 'byDomain', title: 'By domain', caption: "By domain of the recipients' addresses" },
    report.byDomain,
    [
      ['Domain', ({ domain }) => html`<span dir="ltr">${domain}</span>`],
      [numberColumn('Accepted'), ({ accepted }) => accepted],
    ],
  );

/** The sample of an experiment, and the recipients who got the variant after the decision. Null without an experiment. */
export const variantPart = (report: BroadcastReport): Html | null =>
  factPart(
    report,
    {
      name: 'byVariant',
      title: 'By variant',
      caption: 'By variant: the sample, and the recipients who got the variant after the decision',
    },
    report.byVariant,
    [
      ['Variant', ({ variant }) => html`<span dir="auto">${variant}</span>`],
      [numberColumn('Accepted'), ({ accepted }) => accepted],
    ],
  );

/** The charts of every broadcast that was sent. */
export const chartParts = (report: BroadcastReport): readonly (Html | null)[] => [
  hourPart(report),
  linkPart(report),
  domainPart(report),
];
