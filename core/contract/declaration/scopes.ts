// Scopes: declared by plugins and granted to keys. A scope can imply others. Presets are named sets of scopes.

/** The declaration of one scope. */
export interface ScopeDeclaration {
  readonly scope: string;
  /** The permission that the scope gives, in plain words for a consent page. */
  readonly description: string;
  /** Other scopes that this scope implies, in addition to the `:read` scope of its resource. */
  readonly implies?: readonly string[];
  /**
   * The risk if an agent has the scope, in one sentence for a consent page. The page lists such a scope separately, and
   * it is off until a person allows it. (Default: no risk worth a warning)
   */
  readonly risk?: string;
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

/** The declared scopes of one service. Plugins get it as `ctx.ports.scopes`. */
export interface ScopesPort {
  /** Every declaration, in the order of the plugins. */
  readonly declarations: readonly ScopeDeclaration[];
  /** Whether a composed plugin declares the scope. */
  has(scope: string): boolean;
  /** The declared scopes among `scopes`, with all scopes that they imply. Undeclared scopes are dropped. */
  expand(scopes: Iterable<string>): ReadonlySet<string>;
  /** The scopes of a new key with the preset: the declared scopes of the preset; for `full`, every declared scope. */
  preset(name: Preset): string[];
}

/** Declares scopes. A scope may imply a scope of another plugin; this is ignored if that plugin is not composed. */
export function defineScopes(scopes: readonly ScopeDeclaration[]): readonly ScopeDeclaration[] {
  return scopes;
}
