// Extension points: a plugin declares one under `extensionPoints`, and other plugins add entries to it under `contributes`. The
// handlers, jobs and services of the owner read the entries through `ctx.ports.contributions`.
import type { ExtensionPoints } from '../open.ts';

/** The name of an extension point: the id of its owner, a dot, and a word, such as `lists.references`. */
export type ExtensionPointName = keyof ExtensionPoints & string;

/**
 * Returns the entries of an extension point by the id of the contributing plugin, in the order in which the plugins are
 * composed. Empty if no plugin contributes.
 */
export type ContributionsPort = <P extends ExtensionPointName>(point: P) => ReadonlyMap<string, ExtensionPoints[P]>;
