// The report of one broadcast on its page: what became of the audience, what happened to the mail, by variant, hour, link and
// domain.
import { type ConsoleLocation, type Html, html, linkWithin, tableOf, timeOf } from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { chartOf, factWords } from '../report/pictures.ts';
import type { ChartName } from '../report/schema.ts';
import { exclusions, type Fact, facts } from '../schema.ts';
import { conversionPart, experimentPart, liftPart } from './measures.ts';
import type { BroadcastView, PageCalls } from './page-calls.ts';
import { recipientLinks } from './recipients.ts';
import { audienceText, exclusionWords, firstMail, pauseText, share, statusChip } from './words.ts';

export const reportStyle =
  '.narrow{max-width:45rem}.chart{padding:.75rem}.chart img{display:block;width:100%;min-width:36rem;height:auto}details{margin-top:.5rem}summary{padding:.375rem 0;cursor:pointer}';

type Report = Awaited<ReturnType<PageCalls['broadcasts']['report']>>;

/** What a person should know first: a decision that waits, a pause, a ceiling. */
function notices({ status, approval, pausedBy, error, counts, ceiling }: BroadcastResource): Html[] {
  return [
    ...(approval === null
      ? []
      : [html`<p class="warning">It waits for a decision. Until then it is not scheduled.</p>`]),
    ...(status !== 'paused' || pausedBy === null
      ? []
      : [
          html`<p class="warning">${pauseText(pausedBy)}${pausedBy === 'ceiling' ? ` The audience has ${counts.audience} contacts, the ceiling is ${ceiling ?? 0}.` : null}${pausedBy === 'error' && error !== null ? ` ${error}` : null}</p>`,
        ]),
  ];
}

function audienceTables({ counts }: BroadcastResource): Html {
  const { audience, recipients, excluded, waiting, accepted, failed, canceled } = counts;
  const leftOut = audience - recipients;
  const numbers = [
    ['Audience', audience],
    ['Left out', leftOut],
    ['Recipients', recipients],
    ['Waiting', waiting],
    ['Accepted', accepted],
    ['Failed', failed],
    ['Canceled', canceled],
  ] as const;
  const became = tableOf(
    'Left out and recipients are the audience; waiting, accepted, failed and canceled are the recipients',
    ['Contacts', 'Number', 'Of the audience'],
    numbers.map(([name, number]) => [name, number, share(number, audience)]),
  );
  const reasons = exclusions.filter((reason) => excluded[reason] > 0);
  const why = tableOf(
    'Why contacts were left out',
    ['Reason', 'Contacts'],
    reasons.map((reason) => [exclusionWords[reason], excluded[reason]]),
  );
  return html`<h2>The audience</h2><div class="narrow">${became}${reasons.length === 0 ? null : why}</div>`;
}

function factTable({ counts }: BroadcastResource): Html {
  const table = tableOf(
    'What happened to the accepted mails. Each recipient counts once; programs that open and click do not count',
    ['Mails', 'Number', 'Of the accepted'],
    facts.map((fact) => [factWords[fact], counts[fact], share(counts[fact], counts.accepted)]),
  );
  return html`<div class="narrow">${table}</div>`;
}

/** A chart of the report, and the same figures as a table. The picture is inside the page, so that the report is read once. */
function chartWith(report: Report, name: ChartName, title: string, table: Html): Html {
  const source = `data:image/svg+xml;base64,${Buffer.from(chartOf(report, name)).toString('base64')}`;
  return html`<h2>${title}</h2><div class="sheet chart narrow" tabindex="0" role="region" aria-label="${title}: chart"><img src="${source}" alt="${title}. The table below says the same."></div><details><summary>The figures as a table</summary>${table}</details>`;
}

/** A chart of the rows, and a table whose last columns are the facts. Nothing if there are no rows. */
function factPart<Row extends Readonly<Record<Fact, number>>>(
  report: Report,
  chart: { readonly name: ChartName; readonly title: string; readonly caption?: string },
  rows: readonly Row[],
  columns: readonly (readonly [head: string, cell: (row: Row) => Html | string | number])[],
): Html | null {
  if (rows.length === 0) return null;
  const { name, title, caption = title } = chart;
  const table = tableOf(
    caption,
    [...columns.map(([head]) => head), ...facts.map((fact) => factWords[fact])],
    rows.map((row) => [...columns.map(([, cell]) => cell(row)), ...facts.map((fact) => row[fact])]),
  );
  return chartWith(report, name, title, table);
}

const hourPart = (report: Report): Html | null =>
  factPart(report, { name: 'byHour', title: 'By hour' }, report.byHour, [
    ['Hour (UTC)', ({ hour }) => timeOf(Date.parse(hour))],
  ]);

function linkPart(report: Report): Html | null {
  const { byLink } = report;
  if (byLink.length === 0) return null;
  const table = tableOf(
    'By link',
    ['Link', 'Recipients who clicked'],
    byLink.map(({ url, clicked }) => [html`<span dir="ltr">${url}</span>`, clicked]),
  );
  return chartWith(report, 'byLink', 'By link', table);
}

const domainPart = (report: Report): Html | null =>
  factPart(
    report,
    { name: 'byDomain', title: 'By domain', caption: "By domain of the recipients' addresses" },
    report.byDomain,
    [
      ['Domain', ({ domain }) => domain],
      ['Accepted', ({ accepted }) => accepted],
    ],
  );

const variantPart = (report: Report): Html | null =>
  factPart(
    report,
    {
      name: 'byVariant',
      title: 'By variant',
      caption: 'By variant: the sample, and those who got the variant after the decision',
    },
    report.byVariant,
    [
      ['Variant', ({ variant }) => variant],
      ['Accepted', ({ accepted }) => accepted],
    ],
  );

export async function reportView(
  place: ConsoleLocation,
  calls: PageCalls,
  broadcast: BroadcastResource,
): Promise<BroadcastView> {
  const { broadcastId, name, status, templateKey, templateVersion, topicKey, counts, finishedAt } = broadcast;
  const report = await calls.broadcasts.report({ broadcastId });
  const template =
    templateKey === null
      ? 'No template yet'
      : `Template ${templateKey}${templateVersion === null ? '' : `, version ${templateVersion}`}`;
  const topic = topicKey === null ? null : html`, topic ${topicKey}`;
  const meta = html`${template}${topic}, ${audienceText(broadcast)}. First mail: ${firstMail(broadcast)}.${finishedAt === null ? null : html` Finished: ${timeOf(Date.parse(finishedAt))} UTC.`}`;
  const sent = html`${audienceTables(broadcast)}<h2>The mails</h2>${factTable(broadcast)}${experimentPart(broadcast)}${variantPart(report)}${conversionPart(report)}${liftPart(report)}${hourPart(report)}${linkPart(report)}${domainPart(report)}<h2>Recipients</h2>${recipientLinks(place, broadcast)}`;
  const body = html`<p><a href="${linkWithin(place)}">All broadcasts</a></p><h1 dir="auto">${name}</h1><p>${statusChip(status)} <span class="hush">${meta}</span></p>${notices(broadcast)}${counts.audience === 0 ? html`<p>Its audience is counted when its time has come.</p>` : sent}`;
  return { about: name, body };
}
