// Scopes: declared by plugins, held by keys, with implication. Presets are named sets.

/** One scope and what holding it means. */
export interface ScopeDeclaration {
  readonly scope: string;
  /** In plain words, as a consent page shows it. */
  readonly description: string;
  /** Other scopes that holding this one implies, beside the resource's own `:read`. */
  readonly implies?: readonly string[];
  /** Presets that hold it beside `full`, for scopes of plugins that come from elsewhere. (Default: none) */
  readonly presets?: readonly Exclude<Preset, 'full'>[];
}

/** The presets that an installer offers. */
export type Preset = 'read' | 'send' | 'author' | 'full';

/** A scope of another plugin's resource may be implied; unknown ones are ignored when it is not composed. */
export function defineScopes(scopes: readonly ScopeDeclaration[]): readonly ScopeDeclaration[] {
  return scopes;
}
