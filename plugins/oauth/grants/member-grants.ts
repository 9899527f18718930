// The grants of one person over all of their workspaces, for the page of connected apps. Includes suspended workspaces,
// because their grants work again when the suspension ends.
import {
  type CursorPosition,
  filledList,
  type Handle,
  olderThan,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { grantColumns } from './store.ts';

/** The maximum number of workspaces in one statement. */
const maxWorkspacesPerQuery = 1_000;

interface MemberGrants {
  readonly member: string;
  /** The workspaces that the person may see. */
  readonly workspaceIds: readonly string[];
  readonly limit: number;
  readonly after: CursorPosition | undefined;
}

function grantsIn({ db }: Handle, ids: readonly string[], { member, limit, after }: MemberGrants, now: number) {
  const query = db
    .selectFrom('oauth_grants')
    .innerJoin('api_keys', 'api_keys.id', 'oauth_grants.key_id')
    .innerJoin('workspaces', 'workspaces.id', 'oauth_grants.workspace_id')
    .select([...grantColumns, 'workspaces.id as workspace_id', 'workspaces.name as workspace_name'])
    .select('workspaces.suspended_at')
    .where('oauth_grants.workspace_id', 'in', filledList(ids))
    .where('oauth_grants.member', '=', member)
    .where('oauth_grants.ended', '=', 0)
    .where('api_keys.revoked_at', 'is', null)
    .where('oauth_grants.expires_at', '>', now);
  const older =
    after === undefined ? query : query.where(olderThan('oauth_grants.created_at', 'oauth_grants.id', after));
  return older.orderBy('oauth_grants.created_at', 'desc').orderBy('oauth_grants.id', 'desc').limit(limit).execute();
}

/** The person's active grants, newest first. */
export async function listMemberGrants(ctx: Pick<PublicRouteContext, 'readUnscoped' | 'now'>, query: MemberGrants) {
  const ids = [...new Set(query.workspaceIds)];
  const grants: Awaited<ReturnType<typeof grantsIn>> = [];
  for (let start = 0; start < ids.length; start += maxWorkspacesPerQuery) {
    const chunk = ids.slice(start, start + maxWorkspacesPerQuery);
    const reason = 'a person sees what acts for them in all of their workspaces';
    grants.push(...(await ctx.readUnscoped(reason, (handle) => grantsIn(handle, chunk, query, ctx.now))));
  }
  const newestFirst = (one: (typeof grants)[number], other: (typeof grants)[number]): number =>
    Number(other.created_at) - Number(one.created_at) || (one.id < other.id ? 1 : -1);
  return grants.sort(newestFirst).slice(0, query.limit);
}
