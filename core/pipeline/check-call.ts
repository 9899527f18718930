// The checks of a call's input before it runs: schema, representation and idempotency key. Called by execute.ts and inner-call.ts,
// after authorize.ts.
import type { OperationInput } from '../contract/declaration/operation-spec.ts';
import { jsonType } from '../contract/declaration/representation.ts';
import type { OperationCall } from './call.ts';
import type { Core } from './core.ts';
import { fingerprint } from './fingerprint.ts';
import { checkKey, type IdempotentCall } from './idempotency.ts';
import type { CallDetails } from './operation-context.ts';
import { chooseType } from './representations.ts';
import { type RawInput, validateInput } from './validate.ts';

/** A call that has passed all checks, with its typed input. */
export interface ValidatedCall {
  readonly core: Core;
  readonly call: OperationCall;
  readonly details: CallDetails;
  readonly input: OperationInput;
  /** The input as it was sent. */
  readonly raw: RawInput;
  readonly idempotent: IdempotentCall | undefined;
}

/**
 * The fingerprint of the request as sent, before the schema adds defaults: a new default must not break a retry. Sandbox and
 * live calls have different fingerprints: a sandbox answer must never be replayed for a live send.
 */
function fingerprintOf({ operation, admission, ifMatch }: OperationCall, raw: RawInput, type: string): string {
  const body = raw.body === undefined && operation.input.body ? {} : raw.body;
  const representation = type === jsonType ? undefined : type;
  const requestFingerprint = fingerprint({ ...raw, body, representation, ifMatch });
  return admission.sandbox ? `sandbox ${requestFingerprint}` : requestFingerprint;
}

/**
 * Whether the plan requires an idempotency key. Never for the embedding program, because it has its own transactions; for a dry
 * run, because it stores nothing; or for an approved call, because it runs only once.
 */
function mustHaveKey({ operation: { idempotencyKeyRequiredFromTier }, admission, ...call }: OperationCall): boolean {
  if (idempotencyKeyRequiredFromTier === undefined || call.dryRun || admission.scopes === undefined) return false;
  if (call.approvedRequest !== undefined) return false;
  const { tier, keyOptional } = admission.workspace.plan;
  return tier >= idempotencyKeyRequiredFromTier && !keyOptional;
}

/** The signal for callers that cannot disconnect. */
const neverAborted = new AbortController().signal;

/** The validated call for its handler. @throws validation_failed, idempotency_key_invalid */
export function validateCall(core: Core, call: OperationCall, raw: RawInput, now: number): ValidatedCall {
  const { operation, admission, requestId } = call;
  const input = validateInput(operation, raw);
  const representation = chooseType(operation, input, call.choose);
  const mutating = operation.idempotency !== 'read';
  const key = mutating ? call.idempotencyKey : undefined;
  if (mutating) checkKey(key, mustHaveKey(call));
  const idempotent: IdempotentCall | undefined =
    key === undefined || call.dryRun || operation.idempotency !== 'replay'
      ? undefined
      : {
          workspaceId: admission.workspace.id,
          endpoint: `${operation.method} ${operation.path}`,
          key,
          fingerprint: fingerprintOf(call, raw, representation),
          sandbox: admission.sandbox,
        };
  const details: CallDetails = {
    workspace: admission.workspace,
    actor: admission.actor,
    scopes: admission.scopes,
    leash: admission.leash,
    leashCounter: admission.leashCounter,
    sandbox: admission.sandbox,
    requestId,
    now,
    dryRun: call.dryRun && mutating,
    idempotencyKey: key,
    representation,
    ifMatch: call.ifMatch,
    signal: call.signal ?? neverAborted,
  };
  return { core, call, details, input, raw, idempotent };
}
