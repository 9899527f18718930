// The charts of a report as SVG pictures. Pure. Called by the report and by pages that show it.
import { barChart, counted, lineChart } from '../../../core/unstable.ts';
import { type Fact, facts } from '../schema.ts';
import type { BroadcastReport, ChartName } from './schema.ts';

/** The facts as people read them. */
export const factWords: Readonly<Record<Fact, string>> = {
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Complained',
  unsubscribed: 'Unsubscribed',
  converted: 'Converted',
};

const hourMs = 3_600_000;
/** The maximum number of hours with a point for each hour. Longer reports have a point for each day. */
const maxHours = 96;

/** Each hour from the first to the last hour with an event, or each day if there are too many hours. */
function periodsOf(byHour: BroadcastReport['byHour']) {
  const [first, last] = [byHour[0], byHour.at(-1)];
  if (first === undefined || last === undefined) return { labels: [], at: new Map<number, number>(), perDay: false };
  const [from, to] = [Date.parse(first.hour), Date.parse(last.hour)];
  const perDay = (to - from) / hourMs > maxHours;
  const length = perDay ? 24 * hourMs : hourMs;
  const begin = from - (from % length);
  const labels: string[] = [];
  const at = new Map<number, number>();
  for (let time = begin; time <= to; time += length) {
    at.set(time, labels.length);
    labels.push(
      new Date(time)
        .toISOString()
        .slice(0, perDay ? 10 : 16)
        .replace('T', ' '),
    );
  }
  return { labels, at, perDay };
}

function hours({ byHour }: BroadcastReport): string {
  const { labels, at, perDay } = periodsOf(byHour);
  const length = perDay ? 24 * hourMs : hourMs;
  const sums = new Map<Fact, number[]>();
  for (const { hour, ...counts } of byHour) {
    const time = Date.parse(hour);
    const index = at.get(time - (time % length)) ?? 0;
    for (const fact of facts) {
      const values = sums.get(fact) ?? labels.map(() => 0);
      values[index] = (values[index] ?? 0) + counts[fact];
      sums.set(fact, values);
    }
  }
  const lines = facts.flatMap((fact) => {
    const values = sums.get(fact) ?? [];
    return values.some((value) => value > 0) ? [{ name: factWords[fact], values }] : [];
  });
  const total = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
  const totals = lines.map(({ name, values }) => `${name}: ${total(values)}`).join(', ');
  return lineChart({
    id: 'by-hour',
    title: perDay ? 'Recipients by day (UTC)' : 'Recipients by hour (UTC)',
    description: totals === '' ? 'Nothing has happened yet.' : `${totals}, from ${labels[0]} to ${labels.at(-1)} UTC.`,
    labels,
    lines,
  });
}

/** The maximum number of bars of a chart. */
const maxBars = 15;

const domains = ({ byDomain }: BroadcastReport): string =>
  barChart({
    id: 'by-domain',
    title: 'Accepted mails by domain of the recipients',
    description: `The ${counted(Math.min(byDomain.length, maxBars), 'domain')} with most recipients, and how many of them opened and clicked.`,
    bars: byDomain.slice(0, maxBars).map(({ domain, accepted, opened, clicked }) => ({
      label: domain,
      value: accepted,
      note: `${accepted} (${opened} / ${clicked})`,
    })),
  });

const links = ({ byLink }: BroadcastReport): string =>
  barChart({
    id: 'by-link',
    title: 'Recipients who clicked, by link',
    description: `The ${counted(Math.min(byLink.length, maxBars), 'link')} that most recipients clicked. Bots do not count.`,
    bars: byLink
      .slice(0, maxBars)
      .map(({ url, clicked }) => ({ label: url.replace(/^https?:\/\//, ''), value: clicked })),
  });

/** The action that each metric of an experiment counts. */
const metricFacts = {
  human_clicks: 'clicked',
  human_opens: 'opened',
  conversions: 'converted',
} as const satisfies Readonly<Record<string, Fact>>;

/** The share of the accepted mails that the metric of the experiment counts, for each variant. */
function variants({ byVariant, experiment }: BroadcastReport): string {
  const fact = metricFacts[experiment?.metric ?? 'human_clicks'];
  const shares = byVariant.map((row) => `${row.variant}: ${row[fact]} of ${row.accepted}`).join(', ');
  return barChart({
    id: 'by-variant',
    title: `${factWords[fact]}, in percent of the accepted mails, by variant`,
    description: shares === '' ? 'No mail of a variant has been accepted yet.' : `${shares}.`,
    bars: byVariant.map((row) => {
      const percent = row.accepted === 0 ? 0 : (row[fact] / row.accepted) * 100;
      return { label: row.variant, value: percent, note: `${Number(percent.toFixed(2))} %` };
    }),
  });
}

const charts: Readonly<Record<ChartName, (report: BroadcastReport) => string>> = {
  byHour: hours,
  byDomain: domains,
  byLink: links,
  byVariant: variants,
};

/** A chart of a report. */
export const chartOf = (report: BroadcastReport, name: ChartName): string => charts[name](report);
