// The windows that end now, as callers see them. Pure.
import { minutesOf, type ReputationRule } from '../options.ts';
import { reporting } from '../receivers.ts';
import type { ReputationWindow } from '../schema.ts';
import { type Amounts, levelOf, minuteMs, minuteOf, type Series, type SpanRows, seriesOf } from './series.ts';

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
 * The windows of the workspace, then the windows of each domain. `mailCounts`: the mail of the last 24 hours and its
 * faults. Complaints: the rate of the reporting domains, unless another domain of recipients has a higher rate above a
 * limit.
 */
export function presentWindows(
  mailCounts: SpanRows,
  rules: readonly ReputationRule[],
  { domains, now }: { readonly domains: readonly string[]; readonly now: number },
): ReputationWindow[] {
  const allSeries = seriesOf(mailCounts);
  const senders = new Set([...domains, ...mailCounts.handedOver.map(({ domain }) => domain)]);
  return [null, ...[...senders].sort()].flatMap((domain) =>
    rules.map((rule) => {
      const { kind, window, warn, hold } = rule;
      const since = minuteOf(now) - (minutesOf[window] - 1) * minuteMs;
      const domainSeries = allSeries.filter((series) => series.domain === domain && series.kind === kind);
      const isMain = ({ group }: Series) => group === '' || group === reporting;
      let shownAmounts = amountsSince(domainSeries.find(isMain), since);
      for (const series of domainSeries) {
        const amounts = amountsSince(series, since);
        const isHigher =
          amounts.faults * Math.max(shownAmounts.handedOver, 1) > shownAmounts.faults * amounts.handedOver;
        if (!isMain(series) && isHigher && levelOf(rule, amounts) !== 'ok') shownAmounts = amounts;
      }
      const rate =
        shownAmounts.handedOver === 0 ? 0 : Number((shownAmounts.faults / shownAmounts.handedOver).toFixed(6));
      return { domain, window, kind, ...shownAmounts, rate, warn, hold };
    }),
  );
}
