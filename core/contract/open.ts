// The interfaces that plugins and programs extend by declaration merging, and no more than these.
// A plugin of this repository augments this file; one outside augments 'postrider/open', which is this file. Whatever only
// re-exports it must not be augmented: which of two augmentations TypeScript then loses depends on the order of the files.

/** Event name → the type of its `data`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface EventMap {}

/** What every custom event carries. Extended by the plugin that takes custom events. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by a plugin
export interface CustomEventData {}

/** Table name (without the prefix) → its row. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by the core and by plugins
export interface Tables {}

/** Service name → the service, as handlers see it in `ctx.services`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Services {}

/**
 * Port name → the plugin that brings it and what its adapters are: `{ plugin: 'fax'; adapter: FaxAdapter }`. The name is an
 * option of createService where that plugin is composed, and a member of `ctx.ports`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Ports {}

/** Plugin id → what `service.as(workspace)` offers when the plugin is composed. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Api {}

/** Template key → its variables. Extended by a file that the program generates. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by the program
export interface TemplateVariables {}
