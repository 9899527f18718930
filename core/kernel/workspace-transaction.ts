// One transaction in one workspace, as the service itself, outside any operation. Called by provisioning and by public
// routes.
import type { Effects } from '../contract/context.ts';
import { coreErrors } from '../contract/core-errors.ts';
import type { Actor, Workspace } from '../contract/workspace.ts';
import { createEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';

/** How the work is done. */
interface WorkspaceWork {
  /** The name that the audit shows beside `service`. (Default: none) */
  readonly client?: string;
  /** On which side of the workspace. (Default: false, the live side) */
  readonly sandbox?: boolean;
}

/** Runs `work` and commits what it wrote and caused. */
export async function inWorkspace<T>(
  core: Core,
  workspace: Workspace,
  work: (effects: Effects) => Promise<T>,
  { client, sandbox = false }: WorkspaceWork = {},
): Promise<T> {
  const actor: Actor = { kind: 'service', ...(client === undefined ? {} : { client }) };
  const database = await core.database();
  const now = core.ports.now();
  const { result, effects } = await database.transact(async (scope) => {
    const effects = createEffects({ core, scope, workspace, now, sandbox, actor });
    const result = await work(effects);
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
