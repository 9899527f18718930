// Scopes: declared by plugins, held by keys, with implication. Presets are named sets.

/** One scope and what holding it means. */
export interface ScopeDeclaration {
  readonly scope: string;
  /** In plain words, as a consent page shows it. */
  readonly description: string;
  /** Other scopes that holding this one implies, beside the resource's own `:read`. */
  readonly implies?: readonly string[];
  /**
   * Presets that hold it beside `full`, which holds every scope. Author holds all that Read holds: a scope to read names
   * both. (Default: none)
   */
  readonly presets?: readonly Exclude<Preset, 'full'>[];
}

/**
 * The presets that an installer offers. Read changes nothing, Send is for the program's own backend, Author writes drafts and
 * sends nothing, Full holds every scope.
 */
export const presetNames = ['read', 'send', 'author', 'full'] as const;

/** One of the presets. */
export type Preset = (typeof presetNames)[number];

/** A scope of another plugin's resource may be implied; unknown ones are ignored when it is not composed. */
export function defineScopes(scopes: readonly ScopeDeclaration[]): readonly ScopeDeclaration[] {
  return scopes;
}
