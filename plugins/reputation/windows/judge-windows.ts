// Judges the windows of a workspace's mail. Each window ends with a minute in which mail was handed over, so the result
// does not depend on the order or the time of the reports. Pure.
import { minutesOf, type RateKind, type ReputationRule, type WindowLength } from '../options.ts';
import { type Amounts, levelOf, minuteMs, type Series, type SpanRows, seriesOf } from './series.ts';

/** A window at which the guard warns or holds. */
export interface WindowFinding extends Amounts {
  readonly level: 'warned' | 'held';
  /** The sending domain; null for the whole workspace. */
  readonly domain: string | null;
  readonly kind: RateKind;
  readonly window: WindowLength;
  /** The share at which the level begins. */
  readonly limit: number;
}

const isWorse = (one: WindowFinding, other: WindowFinding | undefined): boolean => {
  if (other === undefined) return true;
  if (one.level !== other.level) return one.level === 'held';
  return one.faults * other.handedOver > other.faults * one.handedOver;
};

/** The result for the mail of a span of time. */
export interface Judgement {
  /** The worst window; undefined if no window reaches a limit. A hold is worse than a warning, and then a higher rate is worse. */
  readonly worst: WindowFinding | undefined;
  /**
   * Whether a window has enough faults but too little mail: further mail may then reach a limit without another report.
   */
  readonly isTooEarly: boolean;
}

/** Judges the windows of one series under one rule. */
function judgeSeries({ domain, kind, minutes }: Series, rule: ReputationRule, from: number): Judgement {
  const times = [...minutes.keys()].sort((one, other) => one - other);
  const span = minutesOf[rule.window] * minuteMs;
  const zero = { handedOver: 0, faults: 0 };
  let [sum, oldestIndex]: [Amounts, number] = [zero, 0];
  let worst: WindowFinding | undefined;
  let isTooEarly = false;
  for (const minute of times) {
    const newAmounts = minutes.get(minute) ?? zero;
    sum = { handedOver: sum.handedOver + newAmounts.handedOver, faults: sum.faults + newAmounts.faults };
    for (
      let oldest = times[oldestIndex];
      oldest !== undefined && oldest <= minute - span;
      oldest = times[oldestIndex]
    ) {
      const oldAmounts = minutes.get(oldest) ?? zero;
      sum = { handedOver: sum.handedOver - oldAmounts.handedOver, faults: sum.faults - oldAmounts.faults };
      oldestIndex += 1;
    }
    if (minute < from) continue;
    if (sum.faults >= rule.faults && sum.handedOver < rule.handedOver) isTooEarly = true;
    const level = levelOf(rule, sum);
    if (level === 'ok') continue;
    const limit = level === 'held' ? rule.hold : rule.warn;
    const finding: WindowFinding = { level, domain, kind, window: rule.window, limit, ...sum };
    if (isWorse(finding, worst)) worst = finding;
  }
  return { worst, isTooEarly };
}

/**
 * Judges all windows that end at `from` or later. `mailCounts` must begin at least one longest window before `from`,
 * because a window without its oldest mail would have a wrong rate.
 */
export function judgeWindows(mailCounts: SpanRows, rules: readonly ReputationRule[], from: number): Judgement {
  let worst: WindowFinding | undefined;
  let isTooEarly = false;
  for (const series of seriesOf(mailCounts))
    for (const rule of rules) {
      if (rule.kind !== series.kind) continue;
      const judgement = judgeSeries(series, rule, from);
      if (judgement.worst !== undefined && isWorse(judgement.worst, worst)) worst = judgement.worst;
      isTooEarly ||= judgement.isTooEarly;
    }
  return { worst, isTooEarly };
}
