// The clicks of a link as charts, each with a table of the same figures. Pure. Called by the page of a link.
import {
  barChart,
  counted,
  dataTable,
  type Html,
  html,
  lineChart,
  panel,
  pictureWithTable,
} from '../../../core/unstable.ts';
import type { AnalyticsCardRow } from '../rollups/card.ts';

/** The maximum number of bars of a chart. */
const maxBars = 10;

const formatted = (count: number): string => count.toLocaleString('en-GB');

const columnsOf = (name: string) => [name, { head: 'Clicks', isNumber: true }, { head: 'Unique', isNumber: true }];

/** Clicks by day. */
export function dayChart(rows: readonly AnalyticsCardRow[]): Html {
  const title = 'Clicks by day (UTC)';
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  const picture = lineChart({
    title,
    showsTitle: false,
    description: `${formatted(total)} clicks in ${counted(rows.length, 'day')}.`,
    labels: rows.map(({ value }) => value),
    lines: [
      { name: 'Clicks', values: rows.map(({ clicks }) => clicks) },
      { name: 'Unique', values: rows.map(({ unique }) => unique) },
    ],
  });
  const cells = rows.map(({ value, clicks, unique }) => [value, formatted(clicks), formatted(unique)]);
  return panel(title, pictureWithTable(title, picture, dataTable(title, columnsOf('Day'), cells)));
}

const labelOf = ({ field, value }: AnalyticsCardRow): string => (field === undefined ? value : `${field}: ${value}`);

/** The values with the most clicks, such as countries. */
export function valueChart(title: string, name: string, rows: readonly AnalyticsCardRow[]): Html {
  const picture = barChart({
    title,
    showsTitle: false,
    description: `The ${counted(Math.min(rows.length, maxBars), 'value')} with most clicks.`,
    bars: rows.slice(0, maxBars).map((row) => ({ label: labelOf(row), value: row.clicks })),
  });
  const cells = rows.map((row) => [
    html`<span dir="auto">${labelOf(row)}</span>`,
    formatted(row.clicks),
    formatted(row.unique),
  ]);
  return panel(title, pictureWithTable(title, picture, dataTable(title, columnsOf(name), cells)));
}
