import { decodeCursor, defineOperationWithPrepare, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { memberResource } from '../schema.ts';

const list = 'workspace.members';

/** Compares uids by code points. Members are sorted, because the order of the program's directory is not defined. */
const byUid = (a: { readonly uid: string }, b: { readonly uid: string }): number =>
  a.uid < b.uid ? -1 : Number(a.uid > b.uid);

export const listMembers = defineOperationWithPrepare({
  id: list,
  summary: 'List the people of the workspace',
  description:
    "From the embedding program's own directory, sorted by uid. Use the uid of a member for actingAsMemberUid and for reviewers.",
  http: 'GET /v1/workspace/members',
  tool: 'list_workspace_members',
  scopes: ['workspace:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(memberResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: members come from the directory of the program, shown in test/plugins/workspace.test.ts',

  prepare: (ctx) => ctx.ports.members.list(ctx.workspace.id),

  async handler(_ctx, { query: { cursor, limit } }, members) {
    const after = decodeCursor(list, cursor);
    const membersAfter = [...members].sort(byUid).filter(({ uid }) => after === undefined || uid > after.id);
    return toPage(
      list,
      membersAfter.slice(0, limit + 1),
      limit,
      ({ uid }) => ({ createdAt: 0, id: uid }),
      (member) => member,
    );
  },
});
