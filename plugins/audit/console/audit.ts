// The page of the audit in the console: who changed what in the last 90 days.
import type { ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import { dataTable, emptyNotice, filterForm, type Html, html, idOfRow, moment, pager } from '../../../core/unstable.ts';
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

/** The pages of what an action changed, and the operation that they need. */
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
  const who = user ?? client;
  return html`${actorWords[kind]}${who === undefined ? null : html` <span dir="auto">${who}</span>`}${keyId === undefined ? null : html`<span class="below">${idOfRow(keyId)}</span>`}`;
}

async function list(ctx: ConsoleContext): Promise<Html> {
  const { cursor, actor, action, since, until } = ctx.query;
  const clear = { text: 'Clear filters', href: ctx.link(path) };
  const period = periodOf(ctx);
  if (period === undefined) return emptyNotice(noTime, clear);
  const { data, next_cursor: next } = await ctx.calls.audit.list({
    limit: pageSize,
    ...period,
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (data.length === 0)
    return [actor, action, since, until].every((one) => one === undefined)
      ? emptyNotice('Every change stands here for 90 days, with who made it. Nothing was changed yet.')
      : emptyNotice('No change matches these filters.', clear);
  const rows = data.map((entry) => [
    html`<span class="name">${entry.action}</span><span class="below">${targetCell(ctx, entry.target)}</span>`,
    actorCell(entry.actor),
    entry.sandbox === true ? 'Sandbox' : 'Live',
    idOfRow(entry.request_id),
    moment(entry.ts, ctx),
  ]);
  return html`${dataTable('Changes', ['Change', 'Who', 'Side', 'Request', 'Time'], rows)}${pager(ctx, path, next)}`;
}

/** The list. */
export async function auditList(ctx: ConsoleContext): Promise<ConsoleView> {
  const filter = filterForm(ctx, path, [
    { name: 'action', label: 'Action, such as template.*' },
    { name: 'actor', label: 'Id of a key' },
    ...periodFields(['24h', '7d', '30d']),
  ]);
  return { heading: 'Audit', body: html`${filter}${await list(ctx)}` };
}
