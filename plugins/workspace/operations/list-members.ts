import { definePreparedOperation, z } from '../../../core/index.ts';
import { memberResource } from '../schema.ts';

export const listMembers = definePreparedOperation({
  id: 'workspace.members',
  summary: 'List the people of the workspace',
  description: "From the embedding program's own directory. Their uid is what actingAsMemberUid and reviewers take.",
  http: 'GET /v1/workspace/members',
  tool: 'list_workspace_members',
  scopes: ['workspace:read'],
  idempotency: 'read',
  output: z.object({ data: z.array(memberResource), next_cursor: z.null() }),
  fixture: async () => ({}),

  prepare: (ctx) => ctx.ports.members.list(ctx.workspace.id),

  async handler(_ctx, _input, members) {
    return { data: [...members], next_cursor: null };
  },
});
