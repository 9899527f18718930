// Mail and its faults, minute by minute, for each rate that the guard computes. Every fault counts in the minute in
// which its mail was handed over, however late the report is. Pure.
import type { RateKind, ReputationRule } from '../options.ts';
import type { FaultKind } from '../tables.ts';

export const minuteMs = 60_000;

/** The beginning of the minute of a time. */
export const minuteOf = (at: number): number => at - (at % minuteMs);

/** Mail that was handed over in one minute from one domain to one group of receivers. */
export interface HandedOver {
  readonly minute: number;
  readonly domain: string;
  readonly receiver: string;
  readonly mails: number;
}

/** Hard bounces or complaints about this mail. */
export interface CountedFaults {
  readonly minute: number;
  readonly domain: string;
  readonly receiver: string;
  readonly kind: FaultKind;
  readonly count: number;
}

/** The mail of a span of time, and its faults. */
export interface SpanRows {
  readonly handedOver: readonly HandedOver[];
  readonly faults: readonly CountedFaults[];
}

export interface Amounts {
  readonly handedOver: number;
  readonly faults: number;
}

/** One rate, with its amounts by minute. Only minutes in which mail was handed over have amounts. */
export interface Series {
  /** The sending domain; null for the whole workspace. */
  readonly domain: string | null;
  readonly kind: RateKind;
  /** The group of receivers; empty for all of them. */
  readonly group: string;
  readonly minutes: ReadonlyMap<number, Amounts>;
}

const kindOf = { hard_bounce: 'hard_bounces', complaint: 'complaints' } as const;

/**
 * Bounces count for all receivers together. Complaints count for all reporting domains together, and for each other
 * domain separately, because only a complaint shows that such a domain reports complaints.
 */
const groupOf = (kind: RateKind, receiver: string): string => (kind === 'complaints' ? receiver : '');

/**
 * A fault counts only if mail of the same minute, domain and receiver counts. Mail from before a release does not count.
 */
export function seriesOf({ handedOver, faults }: SpanRows): Series[] {
  const seriesByKey = new Map<string, Omit<Series, 'minutes'> & { readonly minutes: Map<number, Amounts> }>();
  const keyOf = (kind: RateKind, group: string, domain: string | null) => `${kind} ${group} ${domain ?? ''}`;
  for (const { minute, domain: sender, receiver, mails } of handedOver)
    for (const kind of ['complaints', 'hard_bounces'] as const)
      for (const domain of [null, sender]) {
        const group = groupOf(kind, receiver);
        const key = keyOf(kind, group, domain);
        const series = seriesByKey.get(key) ?? { domain, kind, group, minutes: new Map<number, Amounts>() };
        seriesByKey.set(key, series);
        const amounts = series.minutes.get(minute) ?? { handedOver: 0, faults: 0 };
        series.minutes.set(minute, { ...amounts, handedOver: amounts.handedOver + mails });
      }
  for (const { minute, domain: sender, receiver, kind: fault, count } of faults)
    for (const domain of [null, sender]) {
      const kind = kindOf[fault];
      const minutes = seriesByKey.get(keyOf(kind, groupOf(kind, receiver), domain))?.minutes;
      const amounts = minutes?.get(minute);
      if (amounts !== undefined) minutes?.set(minute, { ...amounts, faults: amounts.faults + count });
    }
  return [...seriesByKey.values()];
}

export type Level = 'ok' | 'warned' | 'held';

/** Compensates rounding: a product such as 0.07 × 100 may be slightly above its exact value, a whole number. */
const rounding = 1 - 1e-12;

/** The level that these amounts reach under a rule. */
export function levelOf(rule: ReputationRule, { handedOver, faults }: Amounts): Level {
  if (handedOver < rule.handedOver || faults < rule.faults) return 'ok';
  if (faults >= rule.hold * handedOver * rounding) return 'held';
  return faults >= rule.warn * handedOver * rounding ? 'warned' : 'ok';
}
