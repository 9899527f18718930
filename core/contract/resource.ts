// What the tool endpoint offers beside tools: resources (things to read by URI) and prompts (common jobs as messages).
// Declared by plugins, served by core/mcp. A resource is the answer of a read operation: its scopes are the operation's.

/** Things to read. */
export interface ResourceDeclaration {
  /** `postrider://notes/{key}`; its `{name}`s are arguments of the operation. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The read operation whose answer it is. */
  readonly operation: string;
  /** The read operation whose `data` lists what there is; each member fills the URI's `{name}`s with its own fields. */
  readonly list?: string;
}

/** An argument of a prompt: text. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The URI of a declared resource with a list: what fills its first `{name}` is suggested here. (Default: nothing) */
  readonly resource?: string;
}

/** A common job, told to a language model in words. */
export interface PromptDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Tools that the job takes: shown only to keys that see them all. */
  readonly tools: readonly string[];
  /** What the user would say. */
  text(given: Readonly<Record<string, string>>): string;
}
