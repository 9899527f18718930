// Commands that a plugin adds to the command line `postrider`. Declared here with `defineCommand`, run by hosts/cli. A
// plugin uses the terminal only through this file. A command never ends the process.
import type { Calls } from './calls.ts';
import type { ReadContext, ServiceContext, TransactionContext } from './context.ts';
import type { Api } from './open.ts';
import type { Workspace } from './workspace.ts';

/** An argument: by position, or `--name`. Names are kebab-case on the command line as they are here. */
export interface CommandArgument {
  /**
   * `positional`: taken by position, in the order of declaration. `string`: follows `--name`. `boolean`: a switch,
   * unset by `--no-name`.
   */
  readonly type: 'positional' | 'string' | 'boolean';
  /** A sentence without its full stop. */
  readonly description: string;
  /** A missing required argument is a usage error. (Default: false) */
  readonly required?: boolean;
  readonly default?: string | boolean;
  /** The placeholder for the value in the help: `FILE`. (Default: the name in capitals) */
  readonly hint?: string;
  /** May be given several times, or as several positionals at the end; the value is then a list. (Default: false) */
  readonly multiple?: boolean;
  /** The allowed values; any other is a usage error. */
  readonly choices?: readonly string[];
}

/** The value of an argument. */
export type CommandValue = string | boolean | readonly string[] | undefined;

/** Shows progress. Without a terminal only the last line is printed. */
export interface CommandProgress {
  advance(done: number, total: number | undefined): void;
  /** The last line; stays on the screen. */
  end(line: string): void;
}

/** What a command works with. */
export interface CommandContext {
  /**
   * The folder in which the command runs (`--cwd`). Resolve the user's relative paths against it, never against
   * process.cwd().
   */
  readonly cwd: string;
  /** The folder of the program's postrider.config, among its sources; `cwd` where it has none. Generated sources belong there. */
  readonly configFolder: string;
  /** Prints a line on stdout. With --json nothing is printed but the result of `run`. */
  print(line: string): void;
  /** Prints a line on stderr. */
  warn(line: string): void;
  /** Rows under their headings, aligned, on stdout as `print` does. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): void;
  progress(label: string): CommandProgress;
  /** Whether a user at a terminal can answer questions. */
  readonly interactive: boolean;
  /** Asks the user at the terminal. Without a terminal the answer is `otherwise`. */
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  /** All of stdin as text, for arguments that are `-`. */
  stdin(): Promise<string>;
  /** Aborted by Ctrl-C: finish and return. */
  readonly signal: AbortSignal;
  /** What the plugins of the composed service have. @throws CommandError when it cannot be composed */
  context(): Promise<ServiceContext>;
  /** The workspace of --workspace, or the only one there is. @throws CommandError that lists the workspaces */
  workspace(): Promise<Workspace>;
  /** All workspaces that are not suspended, the oldest first, for a command with --all. @throws CommandError beside --workspace */
  workspaces(): Promise<readonly Workspace[]>;
  /**
   * Typed calls in the chosen workspace, with every scope; the audit shows `cli`. No policy of the workspace holds them,
   * unless they are those of a `member`. `workspaceId` is for another workspace than the chosen one, such as each of
   * `workspaces()`. @throws CommandError as `workspace`
   */
  calls(options?: {
    readonly sandbox?: boolean;
    readonly member?: string;
    readonly workspaceId?: string;
  }): Promise<Calls<keyof Api & string>>;
  /**
   * Reads the chosen workspace's rows, of both sides (`ctx.trx.onSide` narrows it): for what is too many for calls.
   * @throws CommandError as `workspace`
   */
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
  /**
   * A transaction in the chosen workspace with everything that follows from it: for rows by the thousand, where a call for
   * each would take too long. The audit has one entry of it. `sandbox` chooses the side. (Default: false, the live side)
   * @throws CommandError as `workspace`
   */
  transact<T>(
    entry: { readonly action: string; readonly kind: string; readonly id: string; readonly sandbox?: boolean },
    work: (ctx: TransactionContext) => Promise<T>,
  ): Promise<T>;
}

/** A command without its argument types, as lists hold it. */
export interface CommandDeclaration {
  /** One or two words: `notes push`. */
  readonly name: string;
  /** A sentence without its full stop, for lists. */
  readonly summary: string;
  /** Shown in the help below the summary. */
  readonly description?: string;
  /** Complete command lines without `$`, each with what it does. */
  readonly examples?: readonly (readonly [call: string, does: string])[];
  readonly arguments: Readonly<Record<string, CommandArgument>>;
  /** The result is printed with --json. @throws CommandError, PostriderError: one line on stderr, exit code 1 */
  run(context: CommandContext, given: Readonly<Record<string, CommandValue>>): Promise<unknown>;
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

/** The arguments that `run` gets: a switch that is not given is false, a list that is not given is empty. */
export type CommandGiven<A extends Readonly<Record<string, CommandArgument>>> = {
  readonly [Name in keyof A]: ValueOf<A[Name]>;
};

/** Declares a command; `run` gets its arguments by name, typed. */
export function defineCommand<const A extends Readonly<Record<string, CommandArgument>>>(
  command: Omit<CommandDeclaration, 'arguments' | 'run'> & {
    readonly arguments: A;
    run(context: CommandContext, given: CommandGiven<A>): Promise<unknown>;
  },
): CommandDeclaration {
  const { run, ...rest } = command;
  return { ...rest, run: (context, given) => run.call(command, context, given as CommandGiven<A>) };
}

/** A failure whose message is all that the user needs: no stack is shown. `exitCode` 2 means a usage error. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, options: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? 1;
  }
}
