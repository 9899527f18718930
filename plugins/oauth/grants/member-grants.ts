// The grants of one person over all of their workspaces, for the page of connected apps. Includes suspended workspaces, because
// access works again when the suspension ends.
import {
  type CursorPosition,
  filledList,
  type Handle,
  olderThan,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { grantColumns } from './store.ts';

/** How many workspaces one statement names. */
const workspacesAtOnce = 1_000;

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
export async function listMemberGrants(ctx: Pick<PublicRouteContext, 'readUnscoped' | 'now'>, asked: MemberGrants) {
  const ids = [...new Set(asked.workspaceIds)];
  const found: Awaited<ReturnType<typeof grantsIn>> = [];
  for (let start = 0; start < ids.length; start += workspacesAtOnce) {
    const part = ids.slice(start, start + workspacesAtOnce);
    const reason = 'a person sees what acts for them in all of their workspaces';
    found.push(...(await ctx.readUnscoped(reason, (handle) => grantsIn(handle, part, asked, ctx.now))));
  }
  const newer = (one: (typeof found)[number], other: (typeof found)[number]): number =>
    Number(other.created_at) - Number(one.created_at) || (one.id < other.id ? 1 : -1);
  return found.sort(newer).slice(0, asked.limit);
}
