// The page of one broadcast in the console: its actions, its audience, and the events of its mails.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  conclusion,
  dataTable,
  detailLayout,
  facts as factsOf,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { factWords } from '../report/pictures.ts';
import { exclusions, facts } from '../schema.ts';
import { broadcastForms } from './actions.ts';
import { chartParts, variantPart } from './charts.ts';
import { scheduleForm } from './compose.ts';
import { conversionPart, experimentPart, liftPart } from './measures.ts';
import { recipientLinks, recipientsPath } from './recipients.ts';
import { readReputation, reputationNotice } from './reputation-notice.ts';
import { numberColumn, section } from './section.ts';
import { tryOutParts } from './try-out.ts';
import { audienceText, exclusionWords, firstMail, pauseText, share, statePill } from './words.ts';

export const reportStyle =
  '.choices{display:flex;flex-wrap:wrap;gap:8px}.choices [open]{flex-basis:100%}.chart{padding:12px;overflow-x:auto}.chart img{display:block;width:100%;min-width:576px;height:auto}.stack details>summary{padding-block:6px}.figures{overflow-x:auto}@media(min-width:768px){.figures>.table{width:max-content;min-width:100%}}';

/** The notices at the top of the page: a decision that waits, or a pause. */
function notices({ status, approval, pausedBy, error, counts, ceiling }: BroadcastResource): Html[] {
  const detail =
    pausedBy === 'ceiling'
      ? `The audience has ${counts.audience} contacts, the ceiling is ${ceiling ?? 0}.`
      : pausedBy === 'error' && error !== null
        ? error
        : undefined;
  return [
    ...(approval === null
      ? []
      : [
          conclusion(
            'wait',
            status === 'paused'
              ? 'Its higher ceiling waits for a decision.'
              : 'It waits for a decision. Until then it is not scheduled.',
          ),
        ]),
    ...(status !== 'paused' || pausedBy === null
      ? []
      : [conclusion(pausedBy === 'error' ? 'bad' : 'wait', pauseText(pausedBy), detail)]),
  ];
}

function audiencePart(ctx: ConsoleContext, broadcast: BroadcastResource): Html {
  const { audience, recipients, excluded, waiting, accepted, failed, canceled } = broadcast.counts;
  const numbers = [
    ['Audience', audience],
    ['Left out', audience - recipients],
    ['Recipients', recipients],
    ['Waiting', waiting],
    ['Accepted', accepted],
    ['Failed', failed],
    ['Canceled', canceled],
  ] as const;
  const note = html`<p class="quiet">Left out and recipients are the audience. Waiting, accepted, failed and canceled are the recipients.</p>`;
  const audienceTable = dataTable(
    'What became of the audience',
    ['Contacts', numberColumn('Number'), numberColumn('Of the audience')],
    numbers.map(([name, number]) => [name, number, share(number, audience)]),
  );
  const path = recipientsPath(broadcast);
  const reasons = exclusions.filter((reason) => excluded[reason] > 0);
  const reasonTable = dataTable(
    'Why contacts were left out',
    ['Reason', numberColumn('Contacts')],
    reasons.map((reason) => [
      html`<a href="${ctx.link(path, { status: 'excluded', reason })}">${exclusionWords[reason]}</a>`,
      excluded[reason],
    ]),
  );
  return html`${section('Audience', [audienceTable, note, recipientLinks(ctx, broadcast)])}${reasons.length === 0 ? null : section('Left out', reasonTable)}`;
}

function factPart({ counts }: BroadcastResource): Html {
  const table = dataTable(
    'What happened to the accepted mails',
    ['Mails', numberColumn('Number'), numberColumn('Of the accepted')],
    facts.map((fact) => [factWords[fact], counts[fact], share(counts[fact], counts.accepted)]),
  );
  const note = html`<p class="quiet">Each recipient counts once. Programs that open and click do not count.</p>`;
  return section('Mails', [table, note]);
}

function templateFact(ctx: ConsoleContext, { templateKey: key, templateVersion: version }: BroadcastResource): Html {
  if (key === null) return html`None yet`;
  const name = ctx.mayCall('templates.read')
    ? html`<a href="${ctx.link(`templates/${key}`)}">${key}</a>`
    : html`${key}`;
  return html`${name}${version === null ? null : html` <span class="quiet">version ${version}</span>`}`;
}

function broadcastFacts(ctx: ConsoleContext, broadcast: BroadcastResource): Html {
  const { topicKey, from, pace, holdoutPercent, ceiling, finishedAt } = broadcast;
  return factsOf([
    ['Template', templateFact(ctx, broadcast)],
    ['Audience', audienceText(broadcast)],
    ['Topic', topicKey],
    ['Sender', from === null ? undefined : from.name === '' ? from.email : `${from.name} <${from.email}>`],
    ['First mail', firstMail(ctx, broadcast)],
    ['Finished', finishedAt === null ? undefined : moment(finishedAt, ctx)],
    ['Pace', pace === null ? undefined : `${pace.perHour} mails an hour`],
    ['Held out', holdoutPercent === 0 ? undefined : `${holdoutPercent} %`],
    ['Ceiling', ceiling],
    ['Changed', moment(broadcast.updatedAt, ctx)],
    ['Id', idOfRow(broadcast.broadcastId)],
  ]);
}

/** The page of one broadcast. */
export async function reportPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const broadcast = await ctx.calls.broadcasts.read({ broadcastId: ctx.params['broadcastId'] ?? '' });
  const { broadcastId, name, status, counts } = broadcast;
  const report = await ctx.calls.broadcasts.report({ broadcastId });
  const reputation = await readReputation(ctx);
  const isCounted = counts.audience > 0;
  const main = [
    reputationNotice(ctx, reputation),
    ...notices(broadcast),
    await scheduleForm(ctx, broadcast),
    broadcastForms(ctx, broadcast, reputation?.state === 'held'),
    await tryOutParts(ctx, broadcast),
    isCounted ? audiencePart(ctx, broadcast) : html`<p>Its audience is counted when its time has come.</p>`,
  ];
  const figures = [
    factPart(broadcast),
    experimentPart(broadcast),
    variantPart(report),
    conversionPart(report),
    liftPart(report),
    ...chartParts(report),
  ];
  return {
    heading: name,
    status: statePill(status),
    body: html`${detailLayout(main, panel('Broadcast', broadcastFacts(ctx, broadcast)))}${isCounted ? html`<div class="stack">${figures}</div>` : null}`,
  };
}
