// `ctx.ports.heldCalls`: runs a held call again after its decision, as its requester. Made by container.ts.

import { defineStatement } from '../contract/context/handle.ts';
import type { ApprovedCall, HeldCallsPort, Requester } from '../contract/declaration/held-calls.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { grantedScopes } from '../pipeline/admit.ts';
import type { Core, Registry } from '../pipeline/core.ts';
import { execute } from '../pipeline/execute.ts';
import { leashEnded, storedLeash } from '../pipeline/leash.ts';
import { unflatten } from '../projections/flat.ts';
import { readWorkspace } from './workspace-transaction.ts';

const keyById = defineStatement((db, p: { id: string }) =>
  db
    .selectFrom('api_keys')
    .select(['scopes', 'leash', 'leash_counter', 'expires_at', 'revoked_at', 'grant_id', 'members'])
    .where('id', '=', p.id),
);

/**
 * Whether the members for whom the key of an OAuth grant acts have left. Keys that the program made end only if it revokes them.
 */
async function membersHaveLeft(core: Core, workspaceId: string, grantId: string | null, members: string | null) {
  if (grantId === null) return false;
  const uids = JSON.parse(members ?? '[]') as string[];
  return !(await core.ports.members.list(workspaceId)).some(({ uid }) => uids.includes(uid));
}

/** The scopes and the leash that the requester has now; callers in the process have all scopes. @throws invalid_api_key */
async function rightsNow(core: Core, workspaceId: string, { keyId }: Requester) {
  if (keyId === undefined) return { scopes: undefined };
  const database = await core.database();
  const key = await database.read(workspaceId, (handle) => handle.one(keyById, { id: keyId }));
  const isValid =
    key !== undefined && key.revoked_at === null && (key.expires_at === null || key.expires_at > core.ports.now());
  const leash = storedLeash(key?.leash ?? null);
  const hasEnded = !isValid || leashEnded(leash, core.ports.now());
  if (hasEnded || (await membersHaveLeft(core, workspaceId, key.grant_id, key.members)))
    throw coreErrors.invalid_api_key({ fault: 'unknown' });
  return { scopes: grantedScopes(core.registry.scopes, key.scopes), leash, leashCounter: key.leash_counter ?? keyId };
}

/** Makes the port; `core` is called at the first use. */
export function createHeldCalls(
  registry: Pick<Registry, 'contentKinds' | 'operations'>,
  core: () => Core,
): HeldCallsPort {
  return {
    contentKinds: registry.contentKinds,
    async run(call: ApprovedCall) {
      const operation = registry.operations.get(call.operation);
      if (operation === undefined)
        throw coreErrors.state_conflict({ reason: `The service has no operation ${call.operation} any more.` });
      const workspace = await readWorkspace(core(), call.workspaceId);
      const rights = await rightsNow(core(), workspace.id, call.requester);
      await execute(core(), {
        operation,
        admission: { workspace, actor: call.requester, ...rights, sandbox: call.sandbox, headers: {} },
        requestId: core().ports.ids.create('req'),
        input: () => unflatten(operation, call.input),
        idempotencyKey: undefined,
        dryRun: false,
        programTransaction: undefined,
        signal: call.signal,
        approvedRequest: call.approvedRequest,
      });
    },
  };
}
