// Scopes: declared by plugins, held by keys, with implication. Presets are named sets.

/** One scope and what a key with it may do. */
export interface ScopeDeclaration {
  readonly scope: string;
  /** In plain words, as a consent page shows it. */
  readonly description: string;
  /** Other scopes that this one implies, beside the resource's own `:read`. */
  readonly implies?: readonly string[];
  /**
   * Presets that contain it, beside `full`, which contains every scope. Author contains all of Read: a scope for
   * reading names both. (Default: none)
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

/** May imply a scope of another plugin's resource; it is ignored when that plugin is not composed. */
export function defineScopes(scopes: readonly ScopeDeclaration[]): readonly ScopeDeclaration[] {
  return scopes;
}
