// The refusal of a call for which the key lacks the scope. Called by check-call.ts.

import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import type { Registry } from './core.ts';
import { mayCall } from './scopes.ts';

/** If the operation declares an alternative that the key may call, the refusal names it. */
export function scopeRefusal(
  { operations }: Pick<Registry, 'operations'>,
  { scopes, instead }: Operation,
  held: ReadonlySet<string>,
): PostriderError {
  for (const [id, action] of instead) {
    const other = operations.get(id);
    if (other !== undefined && mayCall(other, held))
      return coreErrors.insufficient_scope({ scopes, instead: `${action}: ${other.method} ${other.path}` });
  }
  return coreErrors.insufficient_scope({ scopes });
}
