// service.as(workspace): typed calls by name, through the same pipeline as REST and MCP.
import type { CallOptions, DryRunReport } from '../contract/context/api.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { ProgramTransaction } from '../contract/ports/storage.ts';
import type { Core } from '../pipeline/core.ts';
import { execute } from '../pipeline/execute.ts';
import { refuse } from '../pipeline/refusals.ts';
import { onlyType } from '../pipeline/representations.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import { callName } from '../projections/call-name.ts';
import { flatRefusal, unflatten } from '../projections/flat.ts';
import { processRefusal } from '../projections/route-words.ts';
import type { Database } from '../storage/database.ts';
import { checkOptions, transactionSynonyms } from './call-options.ts';
import { joinProgramTransaction, readInProgramTransaction, trxFault } from './program-transaction.ts';

/** Options of in-process callers. */
export interface CallerOptions {
  /** The name in the audit: a service, a job, a user of the program. (Default: none) */
  readonly actor?: string;
  /** The uid of the member for whom the caller acts: the member asks for decisions and decides. (Default: none) */
  readonly member?: string;
  /** All effects of these calls stay in the sandbox; on the sandbox plan they always do. (Default: false) */
  readonly sandbox?: boolean;
}

/** A caller in the process: the program, or a page of a plugin. */
interface Caller extends CallerOptions {
  /** (Default: service) */
  readonly kind?: 'service' | 'dashboard';
  /** The scopes of the caller, including all implied scopes. (Default: every scope) */
  readonly scopes?: ReadonlySet<string>;
}

interface AnyCallOptions extends CallOptions {
  readonly trx?: object;
  readonly representation?: string;
}

const callOptions = {
  argument: 'The second argument',
  names: {
    idempotencyKey: true,
    dryRun: true,
    requestId: true,
    signal: true,
    trx: true,
    representation: true,
  } satisfies Record<keyof AnyCallOptions, true>,
  synonyms: { ...transactionSynonyms, abortSignal: 'signal' },
};

const callerOptions = {
  argument: 'The caller',
  names: { actor: true, member: true, sandbox: true } satisfies Record<keyof CallerOptions, true>,
};

/** Checks the arguments of `as`. @throws validation_failed for an invalid workspace id, and for an unknown option */
export function checkCaller(workspaceId: unknown, caller: unknown): void {
  if (typeof workspaceId !== 'string' || workspaceId === '')
    throw coreErrors.validation_failed({
      summary: 'as() takes the id of a workspace, such as the id that workspaces.create() returned.',
    });
  checkOptions(callerOptions, caller);
}

const requestIdPattern = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

function programTransactionOf(
  database: Database,
  operation: Operation,
  options: AnyCallOptions,
): ProgramTransaction | undefined {
  if (operation.prepared && options.trx !== undefined) {
    throw coreErrors.state_conflict({
      reason: `${operation.id} does work outside a transaction first and cannot join one. Call it without trx.`,
    });
  }
  return joinProgramTransaction(database, options);
}

async function workspaceOf(
  core: Core,
  database: Database,
  id: string,
  programTransaction: ProgramTransaction | undefined,
): Promise<Workspace> {
  const workspace =
    programTransaction === undefined
      ? await database.read(id, (handle) => findWorkspace(handle, core.plans), { mayShare: true })
      : await readInProgramTransaction(core, database, programTransaction, id);
  if (workspace !== undefined) return workspace;
  if (
    programTransaction !== undefined &&
    (await workspaceOf(core, database, id, undefined).catch(() => undefined)) !== undefined
  )
    throw trxFault(
      `The database of this trx has no workspace ${id}, but the service's own database has it: the trx belongs to another database.`,
    );
  throw coreErrors.workspace_not_found({ id });
}

/** Runs one operation for a workspace. Returns the checked output, or the requested representation. */
export async function callInProcess(
  core: Core,
  operation: Operation,
  workspaceId: string,
  caller: Caller,
  flat: Readonly<Record<string, unknown>>,
  options: AnyCallOptions,
): Promise<unknown> {
  const requested = options?.requestId;
  const requestId =
    requested !== undefined && requestIdPattern.test(requested) ? requested : core.ports.ids.create('req');
  const rejectWith = (error: unknown): never => {
    throw refuse(core, { requestId, operation: operation.id }, error);
  };
  try {
    checkOptions(callOptions, options);
  } catch (error) {
    rejectWith(error);
  }
  const database = await core.database().catch(rejectWith);
  await core.telemetry.load();
  let programTransaction: ProgramTransaction | undefined;
  try {
    programTransaction = programTransactionOf(database, operation, options);
  } catch (error) {
    return rejectWith(error);
  }
  const workspace = await workspaceOf(core, database, workspaceId, programTransaction).catch(rejectWith);
  const result = await execute(core, {
    operation,
    admission: {
      workspace,
      actor: {
        kind: caller.kind ?? 'service',
        ...(caller.actor === undefined ? {} : { client: caller.actor }),
        ...(caller.member === undefined ? {} : { member: caller.member }),
        // The audit names the person who used a page.
        ...(caller.kind === 'dashboard' && caller.member !== undefined ? { user: caller.member } : {}),
      },
      scopes: caller.scopes,
      sandbox: caller.sandbox === true || workspace.plan.name === 'sandbox',
      headers: {},
    },
    requestId,
    input: () => unflatten(operation, flat),
    idempotencyKey: options.idempotencyKey,
    dryRun: options.dryRun !== undefined && options.dryRun !== false,
    programTransaction,
    signal: options.signal,
    ...(options.representation === undefined ? {} : { choose: onlyType(options.representation) }),
  }).catch((error: unknown) => {
    throw processRefusal(core.registry, flatRefusal(operation, error, 'process'));
  });
  if (typeof options.dryRun === 'function') options.dryRun(result.report as DryRunReport);
  if (result.representation !== undefined) return result.representation;
  return result.replayed ? JSON.parse(result.json) : result.value;
}

/** The object behind `as(workspace)`: the calls by area. */
export function createCalls(core: Core, workspaceId: string, caller: Caller): Record<string, Record<string, unknown>> {
  const calls: Record<string, Record<string, unknown>> = {};
  for (const operation of core.registry.operations.values()) {
    const { area, name } = callName(operation.id);
    const group = calls[area] ?? {};
    calls[area] = group;
    group[name] = (flat: Record<string, unknown> = {}, options: AnyCallOptions = {}) =>
      callInProcess(core, operation, workspaceId, caller, flat, options);
  }
  return calls;
}
