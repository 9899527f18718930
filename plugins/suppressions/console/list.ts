// The page of suppressions in the console: the addresses that get no mail, why, and since when. Addresses are added and removed here.
import type { ConsoleAction, ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import {
  actionForm,
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  type Html,
  html,
  moment,
  pager,
  pill,
} from '../../../core/unstable.ts';
import { suppressionReason, type suppressionResource } from '../schema.ts';

const path = 'suppressions';
const pageSize = 50;

type Suppression = z.output<typeof suppressionResource>;

const reasonWords: Readonly<Record<Suppression['reason'], string>> = {
  hard_bounce: 'The address does not exist',
  complaint: 'Complained about mail',
  unsubscribe: 'Unsubscribed',
  soft_bounces: 'Bounced again and again',
  manual: 'Added by hand',
};

const choices = suppressionReason.options.map((reason) => [reason, reasonWords[reason]] as const);

function addressCell(ctx: ConsoleContext, { email, note }: Suppression): Html {
  const address = ctx.mayCall('sends.list')
    ? html`<a class="name" dir="auto" href="${ctx.link('sends', { to: email })}">${email}</a>`
    : html`<span class="name" dir="auto">${email}</span>`;
  return html`${address}${note === null ? null : html`<span class="below" dir="auto">${note}</span>`}`;
}

function reasonCell(ctx: ConsoleContext, { reason, send_id: sendId }: Suppression): Html {
  const words = reasonWords[reason];
  if (sendId === null || !ctx.mayCall('sends.read')) return html`${words}`;
  return html`${words}<span class="below"><a href="${ctx.link(`sends/${sendId}`)}">The mail that caused it</a></span>`;
}

function removeCell(ctx: ConsoleContext, { email, reason }: Suppression): Html | null {
  if (!ctx.mayCall('suppressions.delete')) return null;
  const warning =
    reason === 'complaint' || reason === 'unsubscribe'
      ? ' The owner wanted no more mail: make sure that they have changed their mind.'
      : '';
  return actionForm(ctx, 'remove', {
    label: 'Remove',
    question: html`${email} gets mail again.${warning}`,
    verb: 'Remove the suppression',
    isDestructive: true,
    fields: { email },
  });
}

const addForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('suppressions.create')
    ? actionForm(ctx, 'add', {
        label: 'Suppress an address',
        question: 'Mail to this address is not delivered from now on.',
        verb: 'Suppress the address',
        inputs: [
          { name: 'email', label: 'Address', isRequired: true, maxLength: 254 },
          { name: 'note', label: 'Note for your team' },
        ],
      })
    : null;

/** Suppresses an address by hand. */
export const addAction: ConsoleAction = {
  done: 'The address is suppressed.',
  async run({ calls }, { idempotencyKey, fields: { email = '', note = '' } }) {
    const text = note.trim();
    const created = { email: email.trim(), ...(text === '' ? {} : { note: text }) };
    await calls.suppressions.create(created, { idempotencyKey });
  },
};

/** Takes an address off the list. */
export const removeAction: ConsoleAction = {
  done: 'The address gets mail again.',
  async run({ calls }, { idempotencyKey, fields: { email = '' } }) {
    await calls.suppressions.delete({ email }, { idempotencyKey });
  },
};

/** The list. */
export async function suppressionList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { email, cursor } = ctx.query;
  const reason = suppressionReason.safeParse(ctx.query['reason']).data;
  const { data, next_cursor: next } = await ctx.calls.suppressions.list({
    limit: pageSize,
    ...(email === undefined ? {} : { email }),
    ...(reason === undefined ? {} : { reason }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'email', label: 'Whole address' },
    { name: 'reason', label: 'Reason', options: choices },
  ]);
  const isFiltered = email !== undefined || reason !== undefined;
  const empty = isFiltered
    ? emptyNotice('No suppression matches these filters.', clearFilters(ctx, path))
    : emptyNotice('Every address gets mail. Addresses that bounce for good, complain or unsubscribe appear here.');
  const rows = data.map((suppression) => [
    addressCell(ctx, suppression),
    reasonCell(ctx, suppression),
    suppression.scope === 'all' ? pill('All mail', 'bad') : pill('Marketing', 'wait'),
    moment(suppression.created_at, ctx),
    suppression.expires_at === null ? '' : moment(suppression.expires_at, ctx),
    removeCell(ctx, suppression),
  ]);
  const columns = ['Address', 'Reason', 'Stops', 'Since', 'Until', 'Remove'];
  const table = rows.length === 0 ? empty : dataTable('Suppressions', columns, rows);
  return { heading: 'Suppressions', body: html`${addForm(ctx)}${filter}${table}${pager(ctx, path, next)}` };
}
