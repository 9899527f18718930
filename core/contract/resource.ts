// What the tool endpoint offers beside tools: resources (things to read by URI), prompts (common jobs as messages) and orders of tools.
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
  /** The read operation whose `data` lists the resources; the fields of each member fill the `{name}`s of the URI. */
  readonly list?: string;
}

/** An argument of a prompt: text. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The URI of a declared resource with a list: its members are suggested as completions. (Default: none) */
  readonly resource?: string;
}

/** A common task, described for a language model. */
export interface PromptDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Tools that the task needs: the prompt is shown only to keys that see all of them. */
  readonly tools: readonly string[];
  /** The text of the user's message. */
  text(given: Readonly<Record<string, string>>): string;
}

/** In which order the tools of a common job are called: a line of the instructions that a client gets when it connects. */
export interface ToolOrder {
  /** The job, as the beginning of a sentence: `A new mail`. */
  readonly job: string;
  /** The tools in order. The line is shown only to keys that see all of them. */
  readonly tools: readonly string[];
  /** A tool that makes the order needless: keys that see it are not shown the line. (Default: none) */
  readonly unless?: string;
  /** What to know beside the order, as a sentence. (Default: nothing) */
  readonly note?: string;
  /** Whether its tools are in every toolset: any area's work can lead to the job. (Default: in that of the plugin only) */
  readonly everyToolset?: boolean;
}
