// Metrics in the memory of this process, written in Prometheus's text format
// (https://prometheus.io/docs/instrumenting/exposition_formats). Labels are names from declarations, never data of a
// user.

/** A counter, a distribution of seconds, or a gauge. */
export interface Instrument {
  /** The name in OpenTelemetry's form; in Prometheus's form the dots become underscores. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly unit: 's' | '1';
  readonly description: string;
}

/** Labels by their OpenTelemetry name. */
export type Labels = Readonly<Record<string, string | number>>;

/** Upper bounds in seconds, as OpenTelemetry's conventions advise for HTTP. */
export const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const;

/** All instruments, by the name under which the code records them. */
export const instruments = {
  requests: {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long requests took, by method, route and status.',
  },
  calls: {
    name: 'postrider.operation.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long operations took, by operation and error code, from every interface.',
  },
  jobs: {
    name: 'messaging.process.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long attempts of jobs took, by kind, lane and outcome.',
  },
  waits: {
    name: 'postrider.job.wait',
    kind: 'histogram',
    unit: 's',
    description: 'How long jobs waited from their due time to the beginning of an attempt, by lane.',
  },
  providers: {
    name: 'postrider.provider.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long calls to providers took, by port, provider, operation and error.',
  },
  relayed: {
    name: 'postrider.relay.references',
    kind: 'counter',
    unit: '1',
    description: 'References that were sent to the external queue, by outcome.',
  },
  ready: {
    name: 'postrider.jobs',
    kind: 'gauge',
    unit: '1',
    description:
      'Jobs by state: waiting, ready, in the external queue, running or failed. Counted at each request, up to 10,000 for each state.',
  },
} as const satisfies Record<string, Instrument>;

/** The name under which the code records an instrument. */
export type InstrumentName = keyof typeof instruments;

interface Series {
  readonly labels: string;
  sum: number;
  count: number;
  readonly buckets: number[];
}

/** The name as Prometheus writes it, with the unit. */
export function prometheusName({ name, kind, unit }: Instrument): string {
  const base = name.replaceAll('.', '_');
  if (kind === 'counter') return `${base}_total`;
  return unit === 's' ? `${base}_seconds` : base;
}

const escaped = (value: string | number): string =>
  String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name.replaceAll('.', '_')}="${escaped(value)}"`)
    .join(',');

/** The counts of one process. */
export class Metrics {
  readonly #series = new Map<InstrumentName, Map<string, Series>>();

  /** Adds to a counter, or to a distribution. */
  record(name: InstrumentName, value: number, labels: Labels): void {
    const text = labelText(labels);
    const seriesByLabels = this.#series.get(name) ?? new Map<string, Series>();
    this.#series.set(name, seriesByLabels);
    let series = seriesByLabels.get(text);
    if (series === undefined) {
      series = { labels: text, sum: 0, count: 0, buckets: secondsBounds.map(() => 0) };
      seriesByLabels.set(text, series);
    }
    series.sum += value;
    series.count += 1;
    const bucketIndex = secondsBounds.findIndex((bound) => value <= bound);
    if (bucketIndex >= 0) series.buckets[bucketIndex] = (series.buckets[bucketIndex] ?? 0) + 1;
  }

  /** All metrics as text, with the current values of gauges. */
  render(
    gauges: readonly { readonly name: InstrumentName; readonly labels: Labels; readonly value: number }[],
  ): string {
    const lines: string[] = [];
    for (const [key, instrument] of Object.entries(instruments) as [InstrumentName, Instrument][]) {
      const name = prometheusName(instrument);
      lines.push(`# HELP ${name} ${instrument.description}`, `# TYPE ${name} ${instrument.kind}`);
      for (const gauge of gauges)
        if (gauge.name === key) lines.push(`${name}{${labelText(gauge.labels)}} ${gauge.value}`);
      for (const series of this.#series.get(key)?.values() ?? []) {
        if (instrument.kind === 'counter') lines.push(`${name}{${series.labels}} ${series.sum}`);
        else lines.push(...histogramLines(name, series));
      }
    }
    return `${lines.join('\n')}\n`;
  }
}

function histogramLines(name: string, { labels, buckets, sum, count }: Series): string[] {
  const comma = labels === '' ? '' : `${labels},`;
  let countSoFar = 0;
  const lines = secondsBounds.map((bound, index) => {
    countSoFar += buckets[index] ?? 0;
    return `${name}_bucket{${comma}le="${bound}"} ${countSoFar}`;
  });
  return [
    ...lines,
    `${name}_bucket{${comma}le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ];
}
