// The refusal of a call for which the key lacks the scope. Called by execute.ts.
import { coreErrors } from '../contract/core-errors.ts';
import type { PostriderError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { Registry } from './core.ts';
import { mayCall } from './scopes.ts';

/** Names what the key may do instead, if the operation declares it. */
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
