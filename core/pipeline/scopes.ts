// The scopes that a scope implies and the scopes of a preset, from the declarations of the composed plugins. Made once by the
// registry, which refuses duplicate declarations; pure functions of the declarations.
import { hash } from 'node:crypto';
import type { Operation } from '../contract/declaration/operation.ts';
import { presetNames, type ScopeDeclaration, type ScopesPort } from '../contract/declaration/scopes.ts';

/** The declared scopes of one service, for the core. */
export interface ScopeRegistry extends ScopesPort {
  /** Equal declarations have the same id: results may be cached under it. */
  readonly id: string;
}

/** `orders:write` → `orders:read`, `shop.orders.send` → `shop.orders.read`. */
function readScopeOf(scope: string): string | undefined {
  const separator = scope.includes(':') ? ':' : '.';
  const end = scope.lastIndexOf(separator);
  return end < 1 ? undefined : `${scope.slice(0, end)}${separator}read`;
}

/** The scopes that one scope implies directly, declared or not. */
function impliedBy({ scope, implies = [] }: ScopeDeclaration): string[] {
  const readScope = readScopeOf(scope);
  return [...(readScope === undefined ? [] : [readScope]), ...implies];
}

/** Makes the registry of one service's scopes. Implied scopes that no plugin declares are dropped. */
export function createScopeRegistry(declarations: readonly ScopeDeclaration[]): ScopeRegistry {
  const declared = new Map(declarations.map((declaration) => [declaration.scope, declaration]));
  const rules = declarations.map(({ scope, implies = [] }) => [scope, ...implies]);

  function collect(scope: string, collected: Set<string>): void {
    const declaration = declared.get(scope);
    if (declaration === undefined || collected.has(scope)) return;
    collected.add(scope);
    for (const implied of impliedBy(declaration)) collect(implied, collected);
  }

  return {
    id: hash('sha256', JSON.stringify(rules), 'base64url'),
    declarations: [...declarations],
    has: (scope) => declared.has(scope),
    expand(scopes) {
      const expanded = new Set<string>();
      for (const scope of scopes) collect(scope, expanded);
      return expanded;
    },
    preset(name) {
      if (name === 'full') return [...declared.keys()];
      if (!presetNames.includes(name))
        throw new TypeError(`There is no preset ${String(name)}. Available: ${presetNames.join(', ')}.`);
      return declarations.flatMap(({ scope, presets = [] }) => (presets.includes(name) ? [scope] : []));
    },
  };
}

/** Whether a key with these scopes may call an operation. */
export const mayCall = ({ anyKey, scopes }: Operation, grantedScopes: ReadonlySet<string>): boolean =>
  anyKey || scopes.some((scope) => grantedScopes.has(scope));
