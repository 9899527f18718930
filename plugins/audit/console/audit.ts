// The page of the audit in the console: who changed what in the last 90 days.
import type { ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  firstPageWithRows,
  type Html,
  html,
  idOfRow,
  moment,
  noMatchNotice,
  pager,
} from '../../../core/unstable.ts';
import type { auditEntry } from '../schema.ts';
import { noTime, periodFields, periodOf } from './period.ts';

const path = 'audit';
const pageSize = 50;

type Entry = z.output<typeof auditEntry>;

const actorWords: Readonly<Record<Entry['actor']['kind'], string>> = {
  api: 'A key',
  mcp: 'An agent',
  dashboard: 'A person',
  service: 'The program',
  system: 'The service itself',
};

/** The page of each kind of target, and the operation that reads the page's data. */
const targets: Readonly<Record<string, readonly [path: string, operation: string]>> = {
  broadcast: ['broadcasts', 'broadcasts.read'],
  contact: ['contacts', 'contacts.read'],
  send: ['sends', 'sends.read'],
  template: ['templates', 'templates.read'],
};

function targetCell(ctx: ConsoleContext, { kind, id }: Entry['target']): Html {
  const [page, operation] = Object.hasOwn(targets, kind) ? (targets[kind] ?? []) : [];
  if (page === undefined || operation === undefined || !ctx.mayCall(operation)) return html`${kind} ${idOfRow(id)}`;
  return html`${kind} <a href="${ctx.link(`${page}/${id}`)}">${id}</a>`;
}

function actorCell({ kind, user, client, key_id: keyId }: Entry['actor']): Html {
  const actorName = user ?? client;
  return html`${actorWords[kind]}${actorName === undefined ? null : html` <span dir="auto">${actorName}</span>`}${keyId === undefined ? null : html`<span class="below">${idOfRow(keyId)}</span>`}`;
}

async function list(ctx: ConsoleContext): Promise<Html> {
  const { actor, action, since, until } = ctx.query;
  const period = periodOf(ctx);
  if (period === undefined) return emptyNotice(noTime, clearFilters(ctx, path));
  const { data, next_cursor: next } = await firstPageWithRows(ctx, (at) =>
    ctx.calls.audit.list({
      limit: pageSize,
      ...period,
      ...(actor === undefined ? {} : { actor }),
      ...(action === undefined ? {} : { action }),
      ...at,
    }),
  );
  const pages = pager(ctx, path, next);
  if (data.length === 0)
    return [actor, action, since, until].every((filter) => filter === undefined)
      ? emptyNotice(
          'Every change is listed here for 90 days, with the person or key that made it. There are no changes yet.',
        )
      : html`${noMatchNotice(ctx, path, 'change', next)}${pages}`;
  const rows = data.map((entry) => [
    html`<span class="name">${entry.action}</span><span class="below">${targetCell(ctx, entry.target)}</span>`,
    actorCell(entry.actor),
    entry.sandbox === true ? 'Sandbox' : 'Live',
    idOfRow(entry.request_id),
    moment(entry.ts, ctx),
  ]);
  return html`${dataTable('Changes', ['Change', 'Who', 'Side', 'Request', 'Time'], rows)}${pages}`;
}

export async function auditList(ctx: ConsoleContext): Promise<ConsoleView> {
  const filter = filterForm(ctx, path, [
    { name: 'action', label: 'Action, such as template.*' },
    { name: 'actor', label: 'Id of a key' },
    ...periodFields(['24h', '7d', '30d']),
  ]);
  return { heading: 'Audit', body: html`${filter}${await list(ctx)}` };
}
