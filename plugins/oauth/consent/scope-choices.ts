// The scopes that a member can grant a client: scopes that the client asked for and that the member has in the workspace. Pure.
import type { ScopeDeclaration, ScopesPort } from '../../../core/index.ts';

/** The scopes that a client asked for, in the order of the plugins. */
export interface ScopeChoices {
  /** Scopes that only read. */
  readonly reading: readonly ScopeDeclaration[];
  /** Scopes for changes that do little harm. */
  readonly changing: readonly ScopeDeclaration[];
  /** Scopes with a risk: off until the member turns them on. */
  readonly risky: readonly ScopeDeclaration[];
  /** Scopes that the member does not have. */
  readonly lacking: readonly ScopeDeclaration[];
}

export function scopeChoices(
  { declarations }: Pick<ScopesPort, 'declarations'>,
  requestedScopes: readonly string[],
  held: ReadonlySet<string>,
): ScopeChoices {
  const requested = declarations.filter(({ scope }) => requestedScopes.includes(scope));
  const offered = requested.filter(({ scope }) => held.has(scope));
  const harmless = offered.filter(({ risk }) => risk === undefined);
  const isReading = ({ scope }: ScopeDeclaration): boolean => /[:.]read$/.test(scope);
  return {
    reading: harmless.filter(isReading),
    changing: harmless.filter((declaration) => !isReading(declaration)),
    risky: offered.filter(({ risk }) => risk !== undefined),
    lacking: requested.filter(({ scope }) => !held.has(scope)),
  };
}

/** The scopes that are on when the page opens. */
export const harmlessScopes = ({ reading, changing }: ScopeChoices): readonly string[] =>
  [...reading, ...changing].map(({ scope }) => scope);
