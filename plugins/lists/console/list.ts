// One contact list in the console: its facts, and its members on this side.
import type { ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import {
  dataTable,
  detailLayout,
  emptyNotice,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
  panel,
  pill,
  tabBar,
} from '../../../core/unstable.ts';
import { type memberResource, memberStatus } from '../schema.ts';

const pageSize = 50;

type Member = z.output<typeof memberResource>;

const sourceWords: Readonly<Record<Member['source'], string>> = {
  api: 'Your program',
  form: 'A form',
  sequence: 'A sequence',
  import: 'An import',
};

function memberCell(ctx: ConsoleContext, { contactId, email, external_id: externalId }: Member): Html {
  const name = email ?? externalId ?? contactId;
  return ctx.mayCall('contacts.read')
    ? nameCell(ctx.link(`contacts/${contactId}`), name)
    : html`<span class="name" dir="auto">${name}</span>`;
}

/** `?status=` shows only members of one status. */
export async function listPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const listId = ctx.params['listId'] ?? '';
  const status = memberStatus.safeParse(ctx.query['status']).data;
  const { cursor } = ctx.query;
  const list = await ctx.calls.lists.read({ listId });
  const { data, next_cursor: next } = await ctx.calls.lists.members({
    listId,
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const path = `lists/${listId}`;
  const tabs = tabBar('Members', [
    { text: 'All', href: ctx.link(path), isCurrent: status === undefined },
    ...(
      [
        ['confirmed', `Confirmed ${list.contactCount}`],
        ['unconfirmed', `Unconfirmed ${list.unconfirmedCount}`],
      ] as const
    ).map(([one, text]) => ({ text, href: ctx.link(path, { status: one }), isCurrent: status === one })),
  ]);
  const rows = data.map((member) => [
    memberCell(ctx, member),
    member.status === 'confirmed' ? pill('Confirmed', 'good') : pill('Unconfirmed', 'wait'),
    sourceWords[member.source],
    moment(member.addedAt, ctx),
  ]);
  const table =
    rows.length === 0
      ? emptyNotice('Nobody is here. Contacts join by calls, imports, sequences and forms.')
      : dataTable('Members, the newest first', ['Contact', 'State', 'Added by', 'Added'], rows);
  const known = facts([
    ['Description', list.description],
    ['New members', list.optin === 'double' ? 'After they confirm a mail' : 'At once'],
    ['Visibility', list.visibility === 'public' ? 'Public' : 'Private'],
    ['Form', list.subscribeUrl === null ? null : html`<a href="${list.subscribeUrl}">${list.subscribeUrl}</a>`],
    ['Created', moment(list.createdAt, ctx)],
    ['Changed', moment(list.updatedAt, ctx)],
    ['Id', idOfRow(list.listId)],
  ]);
  return { heading: list.name, body: detailLayout([tabs, table, pager(ctx, path, next)], panel('List', known)) };
}
