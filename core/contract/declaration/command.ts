// Commands that a plugin adds to the command line `postrider`. Plugins declare them with `defineCommand`; hosts/cli runs
// them. A plugin uses the terminal only through this file. A command never ends the process.
import type { Calls } from '../context/calls.ts';
import type { ReadContext, ServiceContext, TransactionContext } from '../context/context.ts';
import type { Workspace } from '../context/workspace.ts';
import type { Api } from '../open.ts';

/** An argument, given by position or as `--name`. Names are kebab-case, here and on the command line. */
export interface CommandArgument {
  /**
   * `positional`: given by position, in the order of declaration. `string`: the value after `--name`. `boolean`: a switch,
   * which `--no-name` unsets.
   */
  readonly type: 'positional' | 'string' | 'boolean';
  /** A sentence without its full stop. */
  readonly description: string;
  /** A missing required argument is a usage error. (Default: false) */
  readonly required?: boolean;
  readonly default?: string | boolean;
  /** The placeholder for the value in the help: `FILE`. (Default: the name in capitals) */
  readonly hint?: string;
  /** If true, it may be given several times, or as several positionals at the end, and its value is a list. (Default: false) */
  readonly multiple?: boolean;
  /** The allowed values. Any other value is a usage error. */
  readonly choices?: readonly string[];
}

/** The value of an argument. */
export type CommandValue = string | boolean | readonly string[] | undefined;

/** Shows progress. Without a terminal only the last line is printed. */
export interface CommandProgress {
  advance(done: number, total: number | undefined): void;
  /** Prints the last line, which stays on the screen. */
  end(line: string): void;
}

/** The context of a command. */
export interface CommandContext {
  /**
   * The folder in which the command runs (`--cwd`). Resolve the user's relative paths against it, never against
   * process.cwd().
   */
  readonly cwd: string;
  /** The source folder with the program's postrider.config, or `cwd` if there is none. Generated sources belong there. */
  readonly configFolder: string;
  /** Prints a line on stdout. With --json, it prints nothing: only the result of `run` is printed. */
  print(line: string): void;
  /** Prints a line on stderr. */
  warn(line: string): void;
  /** Prints aligned rows under their headings on stdout, like `print`. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): void;
  progress(label: string): CommandProgress;
  /** Whether a user at a terminal can answer questions. */
  readonly interactive: boolean;
  /** Asks the user at the terminal a yes-or-no question. Without a terminal it returns `otherwise`. */
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  /** Reads all of stdin as text, for an argument with the value `-`. */
  stdin(): Promise<string>;
  /** Aborted by Ctrl-C. The command must then finish and return. */
  readonly signal: AbortSignal;
  /** The context of the composed service's plugins. @throws CommandError if the service cannot be composed */
  context(): Promise<ServiceContext>;
  /** The workspace of --workspace, or the only existing workspace. @throws CommandError that lists the workspaces */
  workspace(): Promise<Workspace>;
  /**
   * For a command with --all: all workspaces that are not suspended, oldest first.
   * @throws CommandError if --workspace is given
   */
  workspaces(): Promise<readonly Workspace[]>;
  /**
   * Typed calls in the chosen workspace, with every scope. The audit shows `cli`. The workspace's policies hold these calls
   * only if a `member` is given. `workspaceId` selects another workspace than the chosen one, such as each of `workspaces()`.
   * @throws CommandError as `workspace`
   */
  calls(options?: {
    readonly sandbox?: boolean;
    readonly member?: string;
    readonly workspaceId?: string;
  }): Promise<Calls<keyof Api & string>>;
  /**
   * Reads rows of both sides of the chosen workspace (`ctx.trx.onSide` narrows to one side). Use it for more rows than
   * calls can handle. @throws CommandError as `workspace`
   */
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction in the chosen workspace, with its events and jobs. Use it for thousands of rows, if one call per row
   * would take too long. It writes one audit entry. `sandbox` chooses the side. (Default: false, the live side)
   * @throws CommandError as `workspace`
   */
  transact<T>(
    entry: { readonly action: string; readonly kind: string; readonly id: string; readonly sandbox?: boolean },
    work: (ctx: TransactionContext) => Promise<T>,
  ): Promise<T>;
}

/** A command without its argument types, as lists store it. */
export interface CommandDeclaration {
  /** One or two words: `notes push`. */
  readonly name: string;
  /** A sentence without its full stop, for lists. */
  readonly summary: string;
  /** Shown in the help below the summary. */
  readonly description?: string;
  /** Complete command lines without `$`, each with a description. */
  readonly examples?: readonly (readonly [call: string, does: string])[];
  readonly arguments: Readonly<Record<string, CommandArgument>>;
  /** With --json the result is printed. @throws CommandError, PostriderError: printed as one line on stderr, exit code 1 */
  run(context: CommandContext, values: Readonly<Record<string, CommandValue>>): Promise<unknown>;
}

type Text<A extends CommandArgument> = A extends { readonly choices: readonly (infer Choice extends string)[] }
  ? Choice
  : string;

type ValueOf<A extends CommandArgument> = A extends { readonly multiple: true }
  ? readonly Text<A>[]
  : A extends { readonly type: 'boolean' }
    ? boolean
    : A extends { readonly required: true } | { readonly default: string }
      ? Text<A>
      : Text<A> | undefined;

/** The arguments of `run`. A switch that the user leaves out is false, and a list that the user leaves out is empty. */
export type CommandInput<A extends Readonly<Record<string, CommandArgument>>> = {
  readonly [Name in keyof A]: ValueOf<A[Name]>;
};

/** Declares a command. `run` gets typed arguments by name. */
export function defineCommand<const A extends Readonly<Record<string, CommandArgument>>>(
  command: Omit<CommandDeclaration, 'arguments' | 'run'> & {
    readonly arguments: A;
    run(context: CommandContext, input: CommandInput<A>): Promise<unknown>;
  },
): CommandDeclaration {
  const { run, ...rest } = command;
  return { ...rest, run: (context, values) => run.call(command, context, values as CommandInput<A>) };
}

/** A failure. The user sees only its message, without a stack. `exitCode` 2 means a usage error. (Default: 1) */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, options: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? 1;
  }
}
