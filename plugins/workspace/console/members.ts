// The page of members in the console: the people of the workspace, from the program's own directory.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { dataTable, emptyNotice, html, idOfRow, pager } from '../../../core/unstable.ts';

const path = 'members';
const pageSize = 50;

/** The list, by uid. */
export async function memberList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.workspace.members({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map(({ uid, name, email, role }) => [
    html`<span class="name" dir="auto">${name}</span><span class="below">${idOfRow(uid)}</span>`,
    html`<span dir="auto">${email}</span>`,
    html`<span dir="auto">${role}</span>`,
  ]);
  const table =
    rows.length === 0
      ? emptyNotice(
          'Your program lists no members. Its option members.list returns the people who work in a workspace and may decide approvals.',
        )
      : dataTable('Members', ['Member', 'Address', 'Role'], rows);
  return { heading: 'Members', body: html`${table}${pager(ctx, path, next)}` };
}
