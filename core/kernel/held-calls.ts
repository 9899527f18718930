// `ctx.ports.heldCalls`: runs a held call again after its decision, as its requester. Made by container.ts.
import { coreErrors } from '../contract/core-errors.ts';
import { defineStatement } from '../contract/handle.ts';
import type { ApprovedCall, HeldCallsPort, Requester } from '../contract/held-calls.ts';
import { heldScopes } from '../pipeline/admit.ts';
import type { Core, Registry } from '../pipeline/core.ts';
import { execute } from '../pipeline/execute.ts';
import { unflatten } from '../projections/flat.ts';
import { readWorkspace } from './workspace-transaction.ts';

const keyById = defineStatement((db, p: { id: string }) =>
  db.selectFrom('api_keys').select(['scopes', 'expires_at', 'revoked_at']).where('id', '=', p.id),
);

/** The scopes that the requester has now; undefined for callers in the process, which have all scopes. @throws invalid_api_key */
async function scopesNow(core: Core, workspaceId: string, { keyId }: Requester) {
  if (keyId === undefined) return undefined;
  const database = await core.database();
  const key = await database.read(workspaceId, (handle) => handle.one(keyById, { id: keyId }));
  const isValid =
    key !== undefined && key.revoked_at === null && (key.expires_at === null || key.expires_at > core.ports.now());
  if (!isValid) throw coreErrors.invalid_api_key({ fault: 'unknown' });
  return heldScopes(core.registry.scopes, key.scopes);
}

/** Makes the port; `core` is called at the first use. */
export function createHeldCalls(registry: Pick<Registry, 'surfaces' | 'operations'>, core: () => Core): HeldCallsPort {
  return {
    surfaces: registry.surfaces,
    async run(call: ApprovedCall) {
      const operation = registry.operations.get(call.operation);
      if (operation === undefined)
        throw coreErrors.state_conflict({ reason: `The service has no operation ${call.operation} any more.` });
      const workspace = await readWorkspace(core(), call.workspaceId);
      const scopes = await scopesNow(core(), workspace.id, call.requester);
      await execute(core(), {
        operation,
        admission: { workspace, actor: call.requester, scopes, sandbox: call.sandbox, headers: {} },
        requestId: core().ports.ids.create('req'),
        input: () => unflatten(operation, call.input),
        idempotencyKey: undefined,
        dryRun: false,
        foreign: undefined,
        signal: call.signal,
        approvedRequest: call.approvedRequest,
      });
    },
  };
}
