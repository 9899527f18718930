// The windows that end now, as callers see them. Pure.
import { minutesOf, type ReputationRule } from '../options.ts';
import { reporting } from '../receivers.ts';
import type { ReputationWindow } from '../schema.ts';
import { type Amounts, type Happened, levelOf, minuteMs, minuteOf, type Series, seriesOf } from './series.ts';

function amountsSince(series: Series | undefined, since: number): Amounts {
  let [handedOver, faults] = [0, 0];
  for (const [minute, amounts] of series?.minutes ?? []) {
    if (minute < since) continue;
    handedOver += amounts.handedOver;
    faults += amounts.faults;
  }
  return { handedOver, faults };
}

/**
 * The windows of the workspace, then those of each domain. `happened`: what happened to the mail of the last 24 hours. Complaints are
 * those of the reporting domains, unless the rate of another domain of recipients is over a limit and higher.
 */
export function presentWindows(
  happened: Happened,
  rules: readonly ReputationRule[],
  { domains, now }: { readonly domains: readonly string[]; readonly now: number },
): ReputationWindow[] {
  const all = seriesOf(happened);
  const senders = new Set([...domains, ...happened.handedOver.map(({ domain }) => domain)]);
  return [null, ...[...senders].sort()].flatMap((domain) =>
    rules.map((rule) => {
      const { kind, window, warn, hold } = rule;
      const since = minuteOf(now) - (minutesOf[window] - 1) * minuteMs;
      const own = all.filter((series) => series.domain === domain && series.kind === kind);
      const isMain = ({ group }: Series) => group === '' || group === reporting;
      let shown = amountsSince(own.find(isMain), since);
      for (const series of own) {
        const amounts = amountsSince(series, since);
        const isHigher = amounts.faults * Math.max(shown.handedOver, 1) > shown.faults * amounts.handedOver;
        if (!isMain(series) && isHigher && levelOf(rule, amounts) !== 'ok') shown = amounts;
      }
      const rate = shown.handedOver === 0 ? 0 : Number((shown.faults / shown.handedOver).toFixed(6));
      return { domain, window, kind, ...shown, rate, warn, hold };
    }),
  );
}
