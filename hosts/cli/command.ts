// A command of the command line itself: what plugins' commands have (core/contract/command.ts), and beside it the
// project, the streams and the options of all commands. One file a command in commands/, listed in commands.ts.
import type {
  CommandArgument,
  CommandContext,
  CommandDeclaration,
  CommandGiven,
  CommandValue,
} from '../../core/index.ts';
import type { GlobalOptions } from './arguments.ts';
import type { Environment, Project } from './project.ts';
import type { Terminal } from './terminal.ts';

/** What a command of our own works with. */
export interface CliContext extends CommandContext {
  readonly project: Project;
  readonly globals: GlobalOptions;
  readonly terminal: Terminal;
  readonly env: Environment;
  /** The environment without what .env says. */
  readonly outerEnv: Environment;
  /** Prints with --json what the command answers, before it has ended: for those that run on. */
  answer(value: unknown): void;
  /** Makes the exit code 1 although the command answers: a check that found something. */
  fail(): void;
}

/** A command of our own, erased. */
export interface CliCommand extends Omit<CommandDeclaration, 'run'> {
  run(context: CliContext, given: Readonly<Record<string, CommandValue>>): Promise<unknown>;
}

/** Declares one; `run` gets its arguments by name, typed, and answers what --json prints. */
export function defineCliCommand<const A extends Readonly<Record<string, CommandArgument>>>(
  command: Omit<CliCommand, 'arguments' | 'run'> & {
    readonly arguments: A;
    run(context: CliContext, given: CommandGiven<A>): Promise<unknown>;
  },
): CliCommand {
  const { run, ...rest } = command;
  return { ...rest, run: (context, given) => run.call(command, context, given as CommandGiven<A>) };
}
