// Rows for the generated tests.
import type { FixtureKit } from '../../core/index.ts';
import { createGrant } from './grants/create-grant.ts';
import { refreshMs } from './tokens/issue.ts';

/** Creates a grant on the side of the kit, or in the sandbox, and returns its id. */
export const someGrant = (kit: FixtureKit, workspaceId = kit.workspaceId): Promise<string> =>
  kit.write(async (ctx) => {
    const host = `${kit.unique('client-')}.example`;
    const { id } = await createGrant(ctx, {
      client: { id: `https://${host}/client.json`, name: 'Assistant', host },
      member: 'u_ada',
      memberAddress: null,
      sandbox: ctx.sandbox,
      scopes: ['templates:read'],
      leash: undefined,
      resource: 'https://api.example.com/v1/mcp',
      source: null,
      expiresAt: ctx.now + refreshMs,
    });
    return id;
  }, workspaceId);
