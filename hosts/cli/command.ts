// A built-in command: a command as plugins declare it (core/contract/declaration/command.ts), plus the project, the streams and
// the options of all commands. One file for each command in commands/, listed in commands.ts.
import type {
  CommandArgument,
  CommandContext,
  CommandDeclaration,
  CommandInput,
  CommandValue,
} from '../../core/index.ts';
import type { GlobalOptions } from './arguments.ts';
import type { Environment, Project } from './project.ts';
import type { Terminal } from './terminal.ts';

/** The context of a built-in command. */
export interface CliContext extends CommandContext {
  readonly project: Project;
  readonly globals: GlobalOptions;
  readonly terminal: Terminal;
  readonly env: Environment;
  /** The environment without the variables of .env. */
  readonly outerEnv: Environment;
  /** With --json, prints the command's result before the command has ended. For commands that keep running. */
  printResult(value: unknown): void;
  /** Sets the exit code to 1 although the command returns a result. For a check that found a fault. */
  setFailed(): void;
}

/** A built-in command without its argument types. */
export interface CliCommand extends Omit<CommandDeclaration, 'run'> {
  run(context: CliContext, values: Readonly<Record<string, CommandValue>>): Promise<unknown>;
}

/** Declares a command. `run` gets its arguments by name, with their types, and returns the value that --json prints. */
export function defineCliCommand<const A extends Readonly<Record<string, CommandArgument>>>(
  command: Omit<CliCommand, 'arguments' | 'run'> & {
    readonly arguments: A;
    run(context: CliContext, input: CommandInput<A>): Promise<unknown>;
  },
): CliCommand {
  const { run, ...rest } = command;
  return { ...rest, run: (context, values) => run.call(command, context, values as CommandInput<A>) };
}
