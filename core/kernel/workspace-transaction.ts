// One transaction in one workspace, as the service itself, outside any operation. Called by provisioning and by public
// routes.
import type { TransactionContext } from '../contract/context/context.ts';
import type { Actor, Workspace } from '../contract/context/workspace.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { ProgramTransaction } from '../contract/ports/storage.ts';
import { createEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import { notifyDueJobs } from '../pipeline/notify-due-jobs.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import type { TransactionScope } from '../storage/database.ts';

/** The options of the work. */
interface WorkspaceWork {
  /** The name that the audit shows beside `service`. (Default: none) */
  readonly client?: string;
  /** An open transaction of the program, in which the work is done. (Default: a transaction of its own) */
  readonly programTransaction?: ProgramTransaction | undefined;
  /** The side of the workspace. (Default: false, the live side) */
  readonly sandbox?: boolean;
}

/** Runs `work` and commits its writes and effects. In a transaction of the program, the program commits. */
export async function inWorkspace<T>(
  core: Core,
  workspace: Workspace,
  work: (effects: TransactionContext) => Promise<T>,
  { client, programTransaction, sandbox = false }: WorkspaceWork = {},
): Promise<T> {
  const actor: Actor = { kind: 'service', ...(client === undefined ? {} : { client }) };
  const database = await core.database();
  const now = core.ports.now();
  const run = async (scope: TransactionScope) => {
    const effects = createEffects({ core, scope, workspace, now, sandbox, actor });
    const result = await work(effects);
    if (scope.joined) await notifyDueJobs(scope, effects);
    await scope.flush();
    return { result, effects };
  };
  const { result, effects } = await (programTransaction === undefined
    ? database.transact(run)
    : database.transactIn(programTransaction, run));
  effects.committed(programTransaction !== undefined);
  return result;
}

/** Reads a workspace. @throws workspace_not_found */
export async function readWorkspace(core: Core, id: string): Promise<Workspace> {
  const database = await core.database();
  const workspace = await database.read(id, (handle) => findWorkspace(handle, core.plans));
  if (workspace === undefined) throw coreErrors.workspace_not_found({ id });
  return workspace;
}
