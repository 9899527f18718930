// Commands that a plugin adds to the command line `postrider`. Declared here with `defineCommand`, run by hosts/cli;
// nothing of a terminal is known to a plugin but what this file says. A command never ends the process.
import type { Calls } from './calls.ts';
import type { Effects, ServiceSurface } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';
import type { Api } from './open.ts';
import type { Workspace } from './workspace.ts';

/** An argument: by position, or `--name`. Names are kebab-case on the command line as they are here. */
export interface CommandArgument {
  /** What follows stands by position in the order of declaration, after `--name`, or is a switch (`--no-name` unsets it). */
  readonly type: 'positional' | 'string' | 'boolean';
  /** A sentence without its full stop. */
  readonly description: string;
  /** Missing is a usage error. (Default: false) */
  readonly required?: boolean;
  readonly default?: string | boolean;
  /** What stands for the value in the help: `FILE`. (Default: the name in capitals) */
  readonly hint?: string;
  /** May be given several times, or as several positionals at the end: the value is a list. (Default: false) */
  readonly multiple?: boolean;
  /** The values that there are; another one is a usage error. */
  readonly choices?: readonly string[];
}

/** What was given for an argument. */
export type CommandValue = string | boolean | readonly string[] | undefined;

/** How far something is. Without a terminal it is silent until it ends. */
export interface CommandProgress {
  advance(done: number, total: number | undefined): void;
  /** The last line; stays on the screen. */
  end(line: string): void;
}

/** What a command works with. */
export interface CommandContext {
  /** The folder that it was called in (`--cwd`). Relative paths of the user start here, never at process.cwd(). */
  readonly cwd: string;
  /** A line on stdout for people; with --json nothing is printed but what `run` answers. */
  print(line: string): void;
  /** A line on stderr. */
  warn(line: string): void;
  /** Rows under their headings, aligned, on stdout as `print` does. */
  table(headings: readonly string[], rows: readonly (readonly string[])[]): void;
  progress(label: string): CommandProgress;
  /** Whether somebody sits at a terminal and can be asked. */
  readonly interactive: boolean;
  /** Asks somebody who sits at a terminal, and nobody else: `otherwise` is the answer then. */
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  /** All of stdin as text, for arguments that are `-`. */
  stdin(): Promise<string>;
  /** Ended by Ctrl-C: finish and return. */
  readonly signal: AbortSignal;
  /** The composed service's surface. @throws CommandError when it cannot be composed */
  surface(): Promise<ServiceSurface>;
  /** The chosen workspace: that of --workspace, or the only one there is. @throws CommandError listing what there is */
  workspace(): Promise<Workspace>;
  /** Typed calls in the chosen workspace, with every scope; the audit shows `cli`. @throws CommandError as `workspace` */
  calls(options?: { readonly sandbox?: boolean }): Promise<Calls<keyof Api & string>>;
  /**
   * Reads the chosen workspace's rows, of both sides (`handle.onSide` narrows it): for what is too many for calls.
   * @throws CommandError as `workspace`
   */
  read<T>(work: (handle: WorkspaceHandle) => Promise<T>): Promise<T>;
  /**
   * A transaction in the chosen workspace with everything that follows from it: for rows by the thousand, where a call for
   * each would take too long. The audit has one entry of it. `sandbox` chooses the side. (Default: false, the live side)
   * @throws CommandError as `workspace`
   */
  transact<T>(
    entry: { readonly action: string; readonly kind: string; readonly id: string; readonly sandbox?: boolean },
    work: (effects: Effects) => Promise<T>,
  ): Promise<T>;
}

/** A command, erased. */
export interface CommandDeclaration {
  /** One or two words: `notes push`. */
  readonly name: string;
  /** A sentence without its full stop, for lists. */
  readonly summary: string;
  /** What the help says beneath it. */
  readonly description?: string;
  /** Whole calls as they are typed, without `$`; each with what it does. */
  readonly examples?: readonly (readonly [call: string, does: string])[];
  readonly arguments: Readonly<Record<string, CommandArgument>>;
  /** What it answers is printed with --json. @throws CommandError, PostriderError: one line on stderr, exit code 1 */
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

/** What `run` is given for declared arguments: a switch that was not given is false, a list then empty. */
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

/** A failure whose message is all that the user needs: no stack is shown. `exitCode` 2 says that the call was wrong. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, options: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'CommandError';
    this.exitCode = options.exitCode ?? 1;
  }
}
