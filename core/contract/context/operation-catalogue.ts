// The composed operations as data, for a plugin that finds or shows operations. Made by core/kernel/operation-catalogue.ts.

/** A JSON Schema, as plain data. */
type Schema = Readonly<Record<string, unknown>>;

/** An operation as its callers see it. */
export interface CataloguedOperation {
  readonly id: string;
  /** The id of its plugin. */
  readonly plugin: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly method: string;
  readonly path: string;
  /** The name of its tool. */
  readonly tool: string | undefined;
  /** Whether it is one of the few tools that most work needs. */
  readonly isEveryday: boolean;
  /** A sentence that search_tools adds to the tool's description. */
  readonly note: string | undefined;
  /** The caller needs at least one of these scopes. Empty: every caller may call it. */
  readonly scopes: readonly string[];
  /** Whether it is refused on the sandbox side, except in workspaces on the sandbox plan. */
  readonly liveOnly: boolean;
  /** Users' words for the operation that its own texts lack. */
  readonly searchWords: readonly string[];
  /** The arguments: path, query and body as one object, without references. Converted at each use. */
  inputSchema(): Schema;
  /** The response. Converted at each use. */
  outputSchema(): Schema;
}

/** `ctx.ports.operations`: the operations of the composed plugins. */
export interface OperationsPort {
  list(): readonly CataloguedOperation[];
}
