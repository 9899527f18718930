// Whether a caller may call an operation: scopes, leash, side, suspension. Called by execute.ts and inner-call.ts.

import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { Admission } from './admit.ts';
import type { Registry } from './core.ts';
import { assertTool } from './leash.ts';
import { scopeRefusal } from './scope-refusal.ts';
import { mayCall } from './scopes.ts';

/**
 * Refuses a sandbox call of a live-only operation. Workspaces on the sandbox plan have no live side, so they pass.
 * @throws live_key_required
 */
export function assertLive({ liveOnly }: Operation, caller: Pick<Admission, 'sandbox' | 'workspace'>): void {
  if (liveOnly && caller.sandbox && caller.workspace.plan.name !== 'sandbox') throw coreErrors.live_key_required();
}

/** Checks that the caller may call the operation. @throws insufficient_scope, leash_exceeded, live_key_required, workspace_suspended */
export function authorize(registry: Registry, operation: Operation, admission: Admission): void {
  const { scopes, leash } = admission;
  if (scopes !== undefined && !mayCall(operation, scopes)) throw scopeRefusal(registry, operation, scopes);
  assertTool(leash, operation);
  assertLive(operation, admission);
  if (admission.workspace.suspended && !operation.allowWhenSuspended) throw coreErrors.workspace_suspended();
}
