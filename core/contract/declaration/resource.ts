// Declarations for the MCP endpoint, in addition to tools: resources (things to read by URI), prompts (common tasks as
// messages) and workflows (the order of the tools for a task). Declared by plugins, served by core/mcp. A resource is
// the response of a read operation and needs its scopes.

/** A kind of resource that agents can read by URI. */
export interface ResourceDeclaration {
  /** Such as `postrider://notes/{key}`. Each `{name}` is an argument of the operation. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The id of the read operation whose response is the resource. */
  readonly operation: string;
  /** The id of the read operation whose `data` lists the resources. The fields of each member fill the `{name}`s of the URI. */
  readonly list?: string;
}

/** An argument of a prompt. Its value is text. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The URI of a declared resource with a list. The members of the list are suggested as completions. (Default: none) */
  readonly resource?: string;
}

/** A common task, described for a language model. */
export interface PromptDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The tools that the task needs. The prompt is shown only to keys that see all of them. */
  readonly tools: readonly string[];
  /** Returns the text of the user's message. */
  text(values: Readonly<Record<string, string>>): string;
}

/** The order in which the tools are called for a common task: one line of the instructions that a client gets when it connects. */
export interface ToolWorkflow {
  /** The task, as the beginning of a sentence: `A new mail`. */
  readonly task: string;
  /** The tools, in the order of their calls. The line is shown only to keys that see all of them. */
  readonly tools: readonly string[];
  /** A tool that makes the workflow unnecessary: the line is not shown to keys that see this tool. (Default: none) */
  readonly unless?: string;
  /** An additional sentence about the workflow. (Default: none) */
  readonly note?: string;
  /**
   * Whether its tools are in every toolset, because work in any area can lead to the task. (Default: only in the plugin's toolset)
   */
  readonly everyToolset?: boolean;
}
