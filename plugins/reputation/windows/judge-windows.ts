// Judges the windows of a workspace's mail. Each window ends with a minute in which mail was handed over. So the result depends on
// what happened to which mail, and not on the order or the time of the reports. Pure.
import { minutesOf, type RateKind, type ReputationRule, type WindowLength } from '../options.ts';
import { type Amounts, type Happened, levelOf, minuteMs, type Series, seriesOf } from './series.ts';

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

/** The result for the mail of some time. */
export interface Judgement {
  /** The worst window; undefined if no window reaches a limit. A hold is worse than a warning, and then a higher rate is worse. */
  readonly worst: WindowFinding | undefined;
  /** Whether a window has faults enough and too little mail: more mail may then reach a limit without a further report. */
  readonly isTooEarly: boolean;
}

/** Judges the windows of one series under one rule. */
function judgeSeries({ domain, kind, minutes }: Series, rule: ReputationRule, from: number): Judgement {
  const times = [...minutes.keys()].sort((one, other) => one - other);
  const span = minutesOf[rule.window] * minuteMs;
  const none = { handedOver: 0, faults: 0 };
  let [sum, first]: [Amounts, number] = [none, 0];
  let worst: WindowFinding | undefined;
  let isTooEarly = false;
  for (const minute of times) {
    const added = minutes.get(minute) ?? none;
    sum = { handedOver: sum.handedOver + added.handedOver, faults: sum.faults + added.faults };
    for (let oldest = times[first]; oldest !== undefined && oldest <= minute - span; oldest = times[first]) {
      const gone = minutes.get(oldest) ?? none;
      sum = { handedOver: sum.handedOver - gone.handedOver, faults: sum.faults - gone.faults };
      first += 1;
    }
    if (minute < from) continue;
    if (sum.faults >= rule.faults && sum.handedOver < rule.handedOver) isTooEarly = true;
    const level = levelOf(rule, sum);
    if (level === 'ok') continue;
    const limit = level === 'held' ? rule.hold : rule.warn;
    const found: WindowFinding = { level, domain, kind, window: rule.window, limit, ...sum };
    if (isWorse(found, worst)) worst = found;
  }
  return { worst, isTooEarly };
}

/**
 * Judges all windows that end at `from` or later. `happened` must go back as far as the longest window before `from`, because a window
 * without its oldest mail would have another rate.
 */
export function judgeWindows(happened: Happened, rules: readonly ReputationRule[], from: number): Judgement {
  let worst: WindowFinding | undefined;
  let isTooEarly = false;
  for (const series of seriesOf(happened))
    for (const rule of rules) {
      if (rule.kind !== series.kind) continue;
      const found = judgeSeries(series, rule, from);
      if (found.worst !== undefined && isWorse(found.worst, worst)) worst = found.worst;
      isTooEarly ||= found.isTooEarly;
    }
  return { worst, isTooEarly };
}
