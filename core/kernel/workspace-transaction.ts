// One transaction in one workspace as the service itself, outside any operation. Called by provisioning and by public routes.
import { coreErrors } from '../contract/core-errors.ts';
import type { Actor, Workspace } from '../contract/workspace.ts';
import { writeAudit } from '../pipeline/audit.ts';
import type { CallEffects } from '../pipeline/call-effects.ts';
import { createEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';

/** What a change may do. */
export interface Change {
  readonly effects: CallEffects;
  readonly audit: (action: string, kind: string, id: string) => void;
}

/** Runs `work` and commits what it wrote and caused. `client` is who the audit shows. (Default: nobody by name) */
export async function inWorkspace<T>(
  core: Core,
  workspace: Workspace,
  work: (change: Change) => Promise<T>,
  client?: string,
): Promise<T> {
  const actor: Actor = { kind: 'service', ...(client === undefined ? {} : { client }) };
  const database = await core.database();
  const now = core.ports.now();
  const { result, effects } = await database.transact(async (scope) => {
    const effects = createEffects({ core, scope, workspace, now, sandbox: false });
    const requestId = core.ports.ids.create('req');
    const audit = (action: string, kind: string, id: string) =>
      writeAudit(effects.trx, {
        id: core.ports.ids.create('aud'),
        now,
        actor,
        action,
        target: { kind, id },
        requestId,
        metadata: {},
        idempotencyKey: undefined,
      });
    const result = await work({ effects, audit });
    await scope.flush();
    return { result, effects };
  });
  effects.committed(false);
  return result;
}

/** @throws workspace_not_found */
export async function readWorkspace(core: Core, id: string): Promise<Workspace> {
  const database = await core.database();
  const found = await database.read(id, (handle) => findWorkspace(handle, core.plans));
  if (found === undefined) throw coreErrors.workspace_not_found({ id });
  return found;
}
