// A report as the lines of a table: one figure per line, so that a spreadsheet can filter and sum. Pure.
import type { BroadcastReport } from './schema.ts';

/** The names of the columns. `part` is the field of the report, `name` the hour, the domain, the link, the variant or the currency. */
const heading = ['part', 'name', 'figure', 'value'];

type Figures = Readonly<Record<string, string | number | null>>;

const linesOf = (part: string, name: string, figures: Figures): string[][] =>
  Object.entries(figures).map(([figure, value]) => [part, name, figure, value === null ? '' : String(value)]);

/** The lines of a report, the heading first. */
export function reportLines({
  counts,
  byHour,
  byDomain,
  byLink,
  byVariant,
  conversions,
  lift,
}: BroadcastReport): string[][] {
  const { excluded, ...otherCounts } = counts;
  const { values, ...events } = conversions;
  return [
    heading,
    ...linesOf('counts', '', otherCounts),
    ...linesOf('counts', 'excluded', excluded),
    ...byHour.flatMap(({ hour, ...figures }) => linesOf('byHour', hour, figures)),
    ...byDomain.flatMap(({ domain, ...figures }) => linesOf('byDomain', domain, figures)),
    ...byLink.flatMap(({ url, ...figures }) => linesOf('byLink', url, figures)),
    ...byVariant.flatMap(({ variant, ...figures }) => linesOf('byVariant', variant, figures)),
    ...linesOf('conversions', '', events),
    ...values.flatMap(({ currency, ...figures }) => linesOf('conversions', currency ?? '', figures)),
    ...(lift === null
      ? []
      : [
          ...linesOf('lift', 'mail', lift.mail),
          ...linesOf('lift', 'holdout', lift.holdout),
          ...linesOf('lift', '', { difference: lift.difference, low: lift.low, high: lift.high }),
        ]),
  ];
}
