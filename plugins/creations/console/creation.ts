// The page of one creation in the console: its strategy, its items with links to the built objects, and the decisions.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  conclusion,
  dataTable,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import type { CreationDetail } from '../schema.ts';
import { creationForms, retryForm } from './actions.ts';
import { isWorking, itemPill, kindWords, statusPill } from './words.ts';

/** The interval at which the browser reloads the page while something is drafted or built, in seconds. */
const refreshSeconds = 5;

type Item = CreationDetail['items'][number];

/** The page of the console for each kind of thing that is built, and the operation that reads it. */
const pagesByKind: Readonly<Record<string, readonly [path: string, operation: string]>> = {
  social_post: ['social/posts', 'social.post_read'],
  email_template: ['templates', 'templates.read'],
  page: ['pages', 'pages.read'],
  blog_post: ['blog', 'blog.read'],
  link: ['links', 'links.read'],
  sequence: ['sequences', 'sequences.read'],
  broadcast: ['broadcasts', 'broadcasts.read'],
};

function targetLink(ctx: ConsoleContext, { target }: Item): Html | null {
  if (target === null) return null;
  const [path, operation] = Object.hasOwn(pagesByKind, target.kind) ? (pagesByKind[target.kind] ?? []) : [];
  return path === undefined || operation === undefined || !ctx.mayCall(operation)
    ? idOfRow(target.id)
    : html`<a href="${ctx.link(`${path}/${target.id}`)}">${target.id}</a>`;
}

function itemsPart(ctx: ConsoleContext, { items, status }: CreationDetail): Html | null {
  if (items.length === 0) return null;
  const mayRetry = (status === 'partially_ready' || status === 'failed') && ctx.mayCall('creations.retry_item');
  const rows = items.map((item) => [
    html`<span class="name" dir="auto">${item.purpose}</span><span class="below">${kindWords[item.kind]}${item.channel === null ? null : html`, ${item.channel}`}</span>`,
    html`${itemPill(item)}${item.error === null ? null : html`<span class="below" dir="auto">${item.error}</span>`}`,
    item.at === null ? '' : moment(item.at, ctx),
    targetLink(ctx, item),
    item.price,
    item.status === 'failed' && mayRetry ? retryForm(ctx, item.itemId, item.purpose) : null,
  ]);
  const columns = ['Item', 'State', 'Planned for', 'Built', { head: 'Credits', isNumber: true }, 'Build again'];
  return html`<section class="stack"><h2>Items</h2>${dataTable('Items', columns, rows)}</section>`;
}

function strategyPart({ strategy }: CreationDetail): Html | null {
  if (strategy === null) return null;
  const messages = strategy.messages.map((message) => html`<li dir="auto">${message}</li>`);
  const channels = facts(strategy.channels.map(({ channel, purpose }) => [channel, purpose] as const));
  return panel('Strategy', html`<p dir="auto">${strategy.summary}</p><ul>${messages}</ul>${channels}`);
}

/** The page of one creation. */
export async function creationPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const creationDetail = await ctx.calls.creations.read({ creationId: ctx.params['creationId'] ?? '', detail: 'full' });
  const creation: CreationDetail = {
    ...creationDetail,
    strategy: creationDetail.strategy ?? null,
    items: creationDetail.items ?? [],
  };
  const { approval, icpId, startsAt, endsAt } = creation;
  const waiting = 'Waits for a decision';
  const creationFacts = facts([
    [
      'Approval',
      approval === null
        ? undefined
        : ctx.mayCall('approvals.read')
          ? html`<a href="${ctx.link(`approvals/${approval.requestId}`)}">${waiting}</a>`
          : waiting,
    ],
    ['Brief', creation.brief],
    ['Objective', creation.objective],
    ['For', icpId === null ? undefined : idOfRow(icpId)],
    ['Begins', startsAt === null ? undefined : moment(startsAt, ctx)],
    ['Ends', endsAt === null ? undefined : moment(endsAt, ctx)],
    ['Credits', `${creation.credits.charged} of ${creation.credits.price} charged`],
    ['UTM campaign', creation.utmCampaign],
    ['Drafted again', creation.revision === 0 ? undefined : creation.revision],
    ['Created', moment(creation.createdAt, ctx)],
    ['Id', idOfRow(creation.creationId)],
  ]);
  const main = [
    creation.error === null ? null : conclusion('bad', creation.error),
    strategyPart(creation),
    itemsPart(ctx, creation),
  ];
  return {
    heading: creation.name,
    status: statusPill(creation),
    body: detailLayout(main, [panel('Creation', creationFacts), creationForms(ctx, creation)]),
    ...(isWorking(creation) ? { refreshSeconds } : {}),
  };
}
