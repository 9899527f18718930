// The list of requests for approval: waiting requests with the oldest first, or all requests with the newest first.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  dataTable,
  emptyNotice,
  foundByIdOrName,
  type Html,
  html,
  joined,
  moment,
  nameCell,
  pager,
  tabBar,
} from '../../../core/unstable.ts';
import { memberNames } from '../../kit/member-names.ts';
import type { RequestResource } from '../schema.ts';
import { decisionWords, kindWords, requesterText, statePill } from './words.ts';

const path = 'approvals';
const pageSize = 50;

const decidedBy = ({ decisions }: RequestResource, names: ReadonlyMap<string, string>): Html =>
  joined(
    decisions.map(
      ({ uid, decision }) => html`<span dir="auto">${names.get(uid) ?? uid}</span> ${decisionWords[decision]}`,
    ),
    ', ',
  );

/** The requests for approval that a search of the console finds. */
export const findRequests = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'apr',
    read: (id) => calls.approvals.read({ requestId: id }),
    list: (page) => calls.approvals.list(page),
    namesOf: ({ summary }) => [summary],
    matchOf: ({ requestId, summary }) => ({ title: summary, path: `${path}/${requestId}` }),
  });

export async function approvalList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { calls, query } = ctx;
  const isAll = query['list'] === 'all';
  const page = { limit: pageSize, ...(query['cursor'] === undefined ? {} : { cursor: query['cursor'] }) };
  const { data, next_cursor: next } = isAll ? await calls.approvals.list(page) : await calls.approvals.pending(page);
  const names = data.length === 0 ? new Map<string, string>() : await memberNames(ctx);
  const tabs = tabBar('Requests', [
    { text: 'Waiting', href: ctx.link(path), isCurrent: !isAll },
    { text: 'All', href: ctx.link(path, { list: 'all' }), isCurrent: isAll },
  ]);
  const rows = data.map((request) => [
    nameCell(ctx.link(`${path}/${request.requestId}`), request.summary, kindWords[request.surfaceKind]),
    statePill(request),
    requesterText(request, names),
    decidedBy(request, names),
    moment(request.createdAt, ctx),
  ]);
  const none = isAll
    ? 'Nobody has asked for an approval yet. A policy says which changes wait for one before they become public.'
    : 'Nothing waits for a decision.';
  const table =
    rows.length === 0
      ? emptyNotice(none)
      : dataTable('Requests for approval', ['Request', 'State', 'Asked for by', 'Decisions', 'Since'], rows);
  const pageLinks = isAll ? pager(ctx, path, next) : newerLink(ctx, next);
  return { heading: 'Approvals', body: html`${tabs}${table}${pageLinks}` };
}

/** The link to newer requests, because this list begins with the oldest. */
function newerLink(ctx: ConsoleContext, next: string | null): Html | null {
  const isFirst = ctx.query['cursor'] === undefined;
  if (isFirst && next === null) return null;
  return html`<nav class="pager" aria-label="Pages of the list">${isFirst ? null : html`<a class="button" href="${ctx.link(path)}">Oldest</a>`}${next === null ? null : html`<a class="button" rel="next" href="${ctx.link(path, { cursor: next })}">Newer</a>`}</nav>`;
}
