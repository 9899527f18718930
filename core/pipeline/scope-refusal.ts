// The refusal of a call for which the key lacks the scope. Called by authorize.ts.

import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { PostriderError } from '../contract/errors/errors.ts';
import type { Registry } from './core.ts';
import { mayCall } from './scopes.ts';

/** Makes the refusal. If the operation declares an alternative that the key may call, the refusal names it. */
export function scopeRefusal(
  { operations }: Pick<Registry, 'operations'>,
  { scopes, instead }: Operation,
  grantedScopes: ReadonlySet<string>,
): PostriderError {
  for (const [id, action] of instead) {
    const alternative = operations.get(id);
    if (alternative !== undefined && mayCall(alternative, grantedScopes))
      return coreErrors.insufficient_scope({ scopes, instead: `${action}: ${alternative.method} ${alternative.path}` });
  }
  return coreErrors.insufficient_scope({ scopes });
}
