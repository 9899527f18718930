// Lets a member connect an app to a workspace, without the steps of OAuth. For tests of the pages that show connected apps.
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';
import { createGrant, type NewGrant } from '../../plugins/oauth/grants/create-grant.ts';

/** Creates a grant for an app. `more` replaces its fields. Returns its id. (Default workspace: that of the bench) */
export async function connectApp(
  { service, workspaceId }: Pick<AnyTestService, 'service' | 'workspaceId'>,
  name: string,
  more: Partial<NewGrant> & { readonly workspaceId?: string } = {},
): Promise<string> {
  const { workspaceId: inside = workspaceId, ...fields } = more;
  const { core } = service;
  return inWorkspace(core, await readWorkspace(core, inside), async (ctx) => {
    const host = `${name.toLowerCase()}.example`;
    const { id } = await createGrant(ctx, {
      client: { id: `https://${host}/app.json`, name, host },
      member: 'u_sue',
      memberAddress: null,
      sandbox: false,
      scopes: ['workspace:read', 'keys:read'],
      leash: { sendsPerHour: 20 },
      resource: 'https://x.example/v1/mcp',
      source: null,
      expiresAt: ctx.now + 86_400_000,
      ...fields,
    });
    return id;
  });
}
