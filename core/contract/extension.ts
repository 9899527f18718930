// Extension points: a plugin declares one under `extensionPoints`, others give their entries for it under `contributes`.
// The owner's handlers, jobs and services read the entries through `ctx.ports.contributions`.
import type { ExtensionPoints } from './open.ts';

/** The name of an extension point: the id of its owner, a dot, and a word: `lists.references`. */
export type ExtensionPointName = keyof ExtensionPoints & string;

/**
 * The entries of an extension point by the id of the plugin that contributes them, in the order in which the plugins are composed.
 * Empty where nothing is contributed.
 */
export type ContributionsPort = <P extends ExtensionPointName>(point: P) => ReadonlyMap<string, ExtensionPoints[P]>;
