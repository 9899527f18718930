// The interfaces that plugins and programs extend by declaration merging, and nothing else. Plugins of this repository
// augment this file; others augment 'postrider/open', which is this file. Never augment a module that only re-exports
// it: TypeScript then loses one of two augmentations, depending on the order of files.

/** Event name → the type of its `data`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface EventMap {}

/** The data of every custom event. Extended by the plugin that accepts custom events. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by a plugin
export interface CustomEventData {}

/** Table name (without the prefix) → its row. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by the core and by plugins
export interface Tables {}

/** Service name → the service, as handlers see it in `ctx.services`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Services {}

/**
 * Name of an extension point → the type of its entries: `'lists.references': ReferenceSource`. The name begins with the id of the
 * plugin that declares it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extended by the core and by plugins
export interface ExtensionPoints {}

/**
 * Port name → the plugin that declares it and the type of its adapters: `{ plugin: 'fax'; adapter: FaxAdapter }`. If that
 * plugin is composed, the name is an option of createService and a member of `ctx.ports`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Ports {}

/**
 * Member of the service → the plugin that adds it and its type: `{ plugin: 'fax'; calls: FaxProvisioning }`. For calls that only
 * the embedding program may make. A name such as `workspaces.archive` adds one call to a member of the core.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Provisioning {}

/** Name of a plan's limit → its type, a number or a boolean. A plugin declares the limit with `planLimits`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface PluginPlanLimits {}

/** Name of a workspace's setting → its type, as an optional member. A plugin declares the setting with `workspaceSettings`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface WorkspaceSettings {}

/**
 * Plugin id → the calls that `service.as(workspace)` offers if the plugin is composed. A plugin without operations adds
 * `CallsOf<readonly []>`, so that `Service<'its-id'>` compiles.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extended by plugins
export interface Api {}

/** Template key → its variables. Extended by a file that the command line generates. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by the program
export interface TemplateVariables {}
