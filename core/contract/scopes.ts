// Scopes: declared by plugins and granted to keys. A scope can imply others. Presets are named sets of scopes.

/** One scope, and what a key with this scope may do. */
export interface ScopeDeclaration {
  readonly scope: string;
  /** What the scope allows, in plain words for a consent page. */
  readonly description: string;
  /** Other scopes that this scope implies, in addition to the `:read` scope of its resource. */
  readonly implies?: readonly string[];
  /**
   * Presets that contain the scope, in addition to `full`, which contains every scope. Author contains all of Read, so a
   * scope for reading must list both. (Default: none)
   */
  readonly presets?: readonly Exclude<Preset, 'full'>[];
}

/**
 * The presets that an installer offers. Read changes nothing. Send is for the program's own backend. Author writes drafts
 * and sends nothing. Full contains every scope.
 */
export const presetNames = ['read', 'send', 'author', 'full'] as const;

export type Preset = (typeof presetNames)[number];

/** Declares scopes. A scope may imply a scope of another plugin; this is ignored if that plugin is not composed. */
export function defineScopes(scopes: readonly ScopeDeclaration[]): readonly ScopeDeclaration[] {
  return scopes;
}
