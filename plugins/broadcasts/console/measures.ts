// Parts of a report that only some broadcasts have: an experiment, conversions, the effect compared with the holdout. Pure.
import { counted, dataTable, type Html, html } from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import type { BroadcastReport } from '../report/schema.ts';
import { numberColumn, section } from './section.ts';
import { share } from './words.ts';

type Experiment = NonNullable<BroadcastResource['experiment']>;

const metricWords: Readonly<Record<string, string>> = {
  human_clicks: 'clicks of people',
  human_opens: 'opens of people',
  conversions: 'conversions',
};

function verdict({ status, decision, variants }: Experiment): Html {
  if (status === null) return html`It begins when the broadcast is sent.`;
  if (decision === null) return html`The sample is being sent, and nothing is decided yet.`;
  const certain = decision.p === null ? '' : ` (p = ${Number(decision.p.toFixed(4))})`;
  if (status === 'no_winner')
    return html`No winner${certain}: the difference may be chance. All others get ${variants[0]?.name ?? decision.variant}, the first variant.`;
  return decision.by === 'hand'
    ? html`A person chose ${decision.variant}.`
    : html`${decision.variant} has won${certain}. All others get it.`;
}

/** The experiment of a broadcast: its variants in the sample, and the decision. Null if the broadcast has none. */
export function experimentPart({ experiment }: Pick<BroadcastResource, 'experiment'>): Html | null {
  if (experiment === null) return null;
  const { metric, samplePercent, variants, decision } = experiment;
  const figures = dataTable(
    'The sample at the moment of the decision',
    ['Variant', ...['Recipients', 'Hits', 'Share'].map(numberColumn)],
    (decision?.variants ?? []).map(({ name, recipients, hits }) => [
      html`<span dir="auto">${name}</span>`,
      recipients,
      hits,
      share(hits, recipients),
    ]),
  );
  const sentence = html`<p dir="auto">${counted(variants.length, 'variant')}, compared by ${metricWords[metric] ?? metric} in ${samplePercent} % of the recipients. ${verdict(experiment)}</p>`;
  const sample = html`<p class="quiet">The sample at the moment of the decision:</p>${figures}`;
  return section('Experiment', [sentence, decision === null ? null : sample]);
}

/** The conversions that are attributed to a broadcast, with their value. Null without conversions. */
export function conversionPart({ conversions }: Pick<BroadcastReport, 'conversions'>): Html | null {
  if (conversions.total === 0) return null;
  const { total, clicked, delivered, values } = conversions;
  const table = dataTable(
    'Value by currency',
    ['Currency', ...['Conversions', 'Value'].map(numberColumn)],
    values.map(({ currency, conversions: number, amount }) => [currency ?? 'none named', number, amount]),
  );
  const sentence = html`<p>${counted(total, 'conversion')}: ${clicked} of contacts who had clicked, ${delivered} of contacts who got the mail and clicked in no mail.</p>`;
  return section('Conversions', [sentence, values.length === 0 ? null : table]);
}

/** A difference of two shares in percentage points. */
const points = (value: number): string => `${value > 0 ? '+' : ''}${Number((value * 100).toFixed(2))}`;

/** The difference between the share of conversions with the mail and in the holdout. Null without a holdout. */
export function liftPart({ lift }: Pick<BroadcastReport, 'lift'>): Html | null {
  if (lift === null) return null;
  const { mail, holdout, difference, low, high } = lift;
  const table = dataTable(
    'Contacts with a conversion, mailed or held out',
    ['Group', ...['Contacts', 'Converted', 'Share'].map(numberColumn)],
    [
      ['With the mail', mail.assigned, mail.converted, share(mail.converted, mail.assigned)],
      ['Held out', holdout.assigned, holdout.converted, share(holdout.converted, holdout.assigned)],
    ],
  );
  const isProven = low > 0 || high < 0;
  const sentence = html`<p>${points(difference)} percentage points, between ${points(low)} and ${points(high)} with 95 % confidence. ${isProven ? 'The mail made this difference.' : 'The difference may be chance.'}</p>`;
  return section('Effect', [sentence, table]);
}
