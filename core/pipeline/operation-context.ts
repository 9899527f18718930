// The context of a handler, made from the call's details and the transaction's effects. Called by the pipeline.

import type {
  AuditMetadata,
  OperationContext,
  PrepareContext,
  ReadContext,
  TransactionContext,
} from '../contract/context/context.ts';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Actor, Workspace } from '../contract/context/workspace.ts';
import type { ErrorDetail } from '../contract/errors/errors.ts';
import { checkVersion, type IfMatch, type Version } from '../contract/http/conditional.ts';
import type { Leash } from '../contract/values/leash.ts';
import { oneSide } from '../storage/scope.ts';
import { type CallEffects, createEffects } from './call-effects.ts';
import type { Core } from './core.ts';
import { decisionOf, type HeldCallInput } from './held-call.ts';
import { assertCreditsLeft, type LeashedCall } from './leash.ts';
import { readContextOf } from './read-context.ts';
import { validationFailed } from './validate.ts';

/** The details of a call that are known before its handler runs. */
export interface CallDetails {
  readonly workspace: Workspace;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<string> | undefined;
  /** The leash of the caller's key; undefined for no limits. */
  readonly leash: Leash | undefined;
  /** The id of the counter of the leash; undefined for a caller without a key. */
  readonly leashCounter: string | undefined;
  readonly sandbox: boolean;
  readonly requestId: string;
  readonly now: number;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  /** The media type of the answer. */
  readonly representation: string;
  readonly ifMatch: IfMatch | undefined;
  readonly signal: AbortSignal;
}

/** The context of code outside the transaction: `prepare`, and reading the bytes of a reference. */
export const createPrepareContext = (
  core: Core,
  call: Omit<CallDetails, 'idempotencyKey' | 'ifMatch'> & { readonly approvedRequest?: string | undefined },
): PrepareContext => ({
  services: core.services,
  ports: core.ports,
  log: core.log,
  workspace: call.workspace,
  actor: call.actor,
  requestId: call.requestId,
  now: call.now,
  sandbox: call.sandbox,
  dryRun: call.dryRun,
  approvedRequest: call.approvedRequest,
  representation: call.representation,
  signal: call.signal,
  holds: (scope) => call.scopes === undefined || call.scopes.has(scope),
  read: (work) => readOutsideCall(core, call, work),
  async checkLeash(credits) {
    const caller = leashOf(call);
    if (caller !== undefined) await readOutsideCall(core, call, (ctx) => assertCreditsLeft(ctx, caller, credits));
  },
  checkpoint: (work) => checkpoint(core, call, work),
});

/** Reads outside the transaction of the call. */
const readOutsideCall = async <T>(
  core: Core,
  { workspace, sandbox, now }: Pick<CallDetails, 'workspace' | 'sandbox' | 'now'>,
  work: (ctx: ReadContext) => Promise<T>,
): Promise<T> =>
  (await core.database()).read(oneSide(workspace.id, sandbox), (trx) => work(readContextOf(core, trx, now)));

/** Runs a transaction that is separate from the transaction of the call. */
async function checkpoint<T>(
  core: Core,
  { workspace, sandbox }: Pick<CallDetails, 'workspace' | 'sandbox'>,
  work: (effects: TransactionContext) => Promise<T>,
): Promise<T> {
  const { result, effects } = await (await core.database()).transact(async (scope) => {
    const effects = createEffects({
      core,
      scope,
      workspace,
      now: core.ports.now(),
      sandbox,
      actor: { kind: 'service' },
    });
    const result = await work(effects);
    await scope.flush();
    return { result, effects };
  });
  effects.committed(false);
  return result;
}

/** The context, and the values that the handler set on it. */
export interface BuiltContext {
  readonly value: OperationContext;
  notes(): AuditMetadata;
  /** Whether the call waits for a decision. */
  isWaiting(): boolean;
}

/** The context of operations that change something. */
export function createOperationContext(
  core: Core,
  call: CallDetails,
  effects: CallEffects,
  heldCallInput: Omit<HeldCallInput, 'onWait'>,
  leashed: LeashedCall | undefined,
): BuiltContext {
  const { workspace, now, sandbox } = call;
  let isWaiting = false;
  const heldCall: HeldCallInput = {
    ...heldCallInput,
    onWait() {
      isWaiting = true;
    },
  };
  const metadata: Record<string, string | number | boolean> = {};
  const context: BuiltContext = {
    notes: () => metadata,
    isWaiting: () => isWaiting,
    // Listed one by one, not spread: this object is created for every call, and a spread is slower.
    value: {
      services: core.services,
      ports: core.ports,
      log: core.log,
      actor: call.actor,
      requestId: call.requestId,
      dryRun: call.dryRun,
      idempotencyKey: call.idempotencyKey,
      leash: leashed,
      representation: call.representation,
      ifMatch: call.ifMatch,
      expectVersion: (current, expected) => checkVersion(call.ifMatch, current, expected),
      signal: call.signal,
      trx: effects.trx,
      workspace,
      now,
      sandbox,
      newId: effects.newId,
      emit: effects.emit,
      emitIfSubscribed: effects.emitIfSubscribed,
      emitEach: effects.emitEach,
      emitCustom: effects.emitCustom,
      enqueue: effects.enqueue,
      cancelJob: effects.cancelJob,
      charge: effects.charge,
      spend: effects.spend,
      hold: effects.hold,
      settle: effects.settle,
      release: effects.release,
      as: effects.as,
      audit: effects.audit,
      afterCommit: effects.afterCommit,
      contentChanged: effects.contentChanged,
      requireDecision: decisionOf(core, heldCall, effects, () => context.value),
      approvedRequest: heldCallInput.approvedRequest,
      holds: (scope) => call.scopes === undefined || call.scopes.has(scope),
      refuse,
      note(entries) {
        Object.assign(metadata, entries);
      },
    },
  };
  return context;
}

function refuse(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw validationFailed(details);
}

const readOnly = (): never => {
  throw new Error('This operation is declared a read: it cannot write, emit, enqueue or charge.');
};

/** Reads do not count against the leash. */
function leashOf({
  leash,
  leashCounter: counter,
}: Pick<CallDetails, 'leash' | 'leashCounter'>): OperationContext['leash'] {
  return leash === undefined || counter === undefined ? undefined : { leash, counter, recipients: 0 };
}

/** Made for every read: all objects have the same fields, and methods are on the prototype. */
class ReadOnlyContext implements OperationContext {
  readonly services: OperationContext['services'];
  readonly ports: OperationContext['ports'];
  readonly log: OperationContext['log'];
  readonly actor: Actor;
  readonly requestId: string;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly leash: OperationContext['leash'];
  readonly representation: string;
  readonly ifMatch: IfMatch | undefined;
  readonly signal: AbortSignal;
  readonly trx: WorkspaceHandle;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  readonly #scopes: ReadonlySet<string> | undefined;

  constructor(core: Core, call: CallDetails, handle: WorkspaceHandle) {
    this.services = core.services;
    this.ports = core.ports;
    this.log = core.log;
    this.actor = call.actor;
    this.requestId = call.requestId;
    this.dryRun = call.dryRun;
    this.idempotencyKey = call.idempotencyKey;
    this.leash = leashOf(call);
    this.representation = call.representation;
    this.ifMatch = call.ifMatch;
    this.signal = call.signal;
    this.trx = handle;
    this.workspace = call.workspace;
    this.now = call.now;
    this.sandbox = call.sandbox;
    this.#scopes = call.scopes;
  }

  holds(scope: string): boolean {
    return this.#scopes === undefined || this.#scopes.has(scope);
  }

  expectVersion(current: Version, expected?: Version): void {
    checkVersion(this.ifMatch, current, expected);
  }

  readonly refuse = refuse;
  readonly newId = readOnly;
  readonly emit = readOnly;
  readonly emitIfSubscribed = readOnly;
  readonly emitEach = readOnly;
  readonly emitCustom = readOnly;
  readonly enqueue = readOnly;
  readonly audit = readOnly;
  readonly afterCommit = readOnly;
  readonly contentChanged = readOnly;
  readonly requireDecision = readOnly;
  readonly approvedRequest = undefined;
  readonly cancelJob = readOnly;
  readonly charge = readOnly;
  readonly spend = readOnly;
  readonly hold = readOnly;
  readonly settle = readOnly;
  readonly release = readOnly;
  readonly as = readOnly;
  readonly note = readOnly;
}

/** The context of reads: every write throws. */
export function createReadContext(core: Core, call: CallDetails, handle: WorkspaceHandle): OperationContext {
  return new ReadOnlyContext(core, call, handle);
}
