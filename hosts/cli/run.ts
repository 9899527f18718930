// Runs one call of the command line, from its words to its exit code. Called by main.ts. Every error of a command is printed here
// as one line on stderr. With --json, stdout contains the result only.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError, didYouMean, release } from '../../core/command-line.ts';
import type { CommandDeclaration } from '../../core/index.ts';
import { type CommandLineCall, type GlobalOptions, readArguments, readCall } from './arguments.ts';
import type { CliCommand } from './command.ts';
import { commands } from './commands.ts';
import { createContext } from './context.ts';
import { type Failure, failureOf } from './failure.ts';
import { commandHelp, groupHelp, type Overview, overviewHelp } from './help.ts';
import { type Interruption, interruptedError, watchForInterruption } from './interruption.ts';
import { createProject, type Environment, loadEnvironment, type Project } from './project.ts';
import { createTerminal, type Terminal } from './terminal.ts';

type AnyCommand = CliCommand | CommandDeclaration;

/** The command whose name begins the words; of several commands, the command with the longest name. */
function commandIn(args: readonly string[], list: readonly AnyCommand[]): AnyCommand | undefined {
  const [two, one] = [args.slice(0, 2).join(' '), args[0]];
  return list.find(({ name }) => name === two) ?? list.find(({ name }) => name === one);
}

/** Commands of two words that begin with this word. */
const groupOf = (word: string | undefined, list: readonly AnyCommand[]): readonly AnyCommand[] =>
  list.filter(({ name }) => name.startsWith(`${word} `));

interface ContributedCommands {
  readonly commands: readonly CommandDeclaration[];
  /** The reason why the plugins' commands could not be looked up. */
  readonly fault: string | undefined;
}

/** Commands of the composed plugins. */
async function contributedBy(project: Project): Promise<ContributedCommands> {
  try {
    const { core } = await project.declared();
    return { commands: [...core.registry.commands.values()], fault: undefined };
  } catch (error) {
    return { commands: [], fault: failureOf(error).line };
  }
}

async function overviewOf(project: Project): Promise<Overview> {
  const { commands: contributed, fault } = await contributedBy(project);
  const note = fault === undefined ? undefined : `The commands of plugins are missing here: ${fault}`;
  return { version: release, builtIn: commands, contributed, note };
}

const usage = (message: string): CommandError => new CommandError(message, { exitCode: 2 });

/** Resolves the words to a built-in command or a command of a plugin. @throws CommandError with exit code 2 */
async function findCommand(args: readonly string[], project: Project): Promise<AnyCommand> {
  const builtIn = commandIn(args, commands);
  // `migrate status` is built in. `migrate other` may be a plugin's command; otherwise it is `migrate` with an extra word.
  if (builtIn !== undefined && (builtIn.name.includes(' ') || args.length === 1)) return builtIn;
  const { commands: contributed, fault } = await contributedBy(project);
  const all = [...commands, ...contributed];
  const command = commandIn(args, all);
  if (command !== undefined) return command;
  const [first = '', second] = args;
  const group = groupOf(first, all);
  const names = all.map(({ name }) => name);
  // If the second word alone is a command, that command was probably meant: `contacts import` for `import`.
  const suggestion = names.includes(second ?? '')
    ? ` Did you mean postrider ${second}?`
    : didYouMean(args.slice(0, 2).join(' '), names, 'postrider ');
  if (group.length > 0) {
    const complaint = second === undefined ? 'needs a second word' : `has no command ${second}`;
    const seconds = group.map(({ name }) => name.split(' ')[1]).join(', ');
    const commands = second === undefined ? `: ${seconds}.` : `. Its commands: ${seconds}.${suggestion}`;
    throw usage(`postrider ${first} ${complaint}${commands}`);
  }
  const groups = new Set(names.map((name) => name.split(' ')[0] ?? name));
  const hint = suggestion || didYouMean(first, [...names, ...groups], 'postrider ');
  let pluginHint = '';
  if (fault !== undefined)
    pluginHint = ` A plugin may have it, but ${fault.slice(0, 1).toLowerCase()}${fault.slice(1)}`;
  else if (hint === '' && project.config() === undefined)
    pluginHint = ' A plugin of yours may have it, but there is no postrider.config here: name yours with --config.';
  throw usage(`There is no command ${first}.${hint}${pluginHint} See: postrider --help`);
}

async function helpFor(args: readonly string[], project: Project, { out }: Terminal): Promise<string> {
  const words = args[0] === 'help' ? args.slice(1) : args;
  if (words.length === 0) return overviewHelp(await overviewOf(project), out);
  const builtIn = commandIn(words, commands);
  if (builtIn !== undefined && builtIn.name === words.join(' ')) return commandHelp(builtIn, out);
  const all = [...commands, ...(await contributedBy(project)).commands];
  const group = groupOf(words[0], all);
  const isGroup = words.length === 1 && group.length > 0 && !all.some(({ name }) => name === words[0]);
  return isGroup ? groupHelp(words[0] ?? '', group, out) : commandHelp(await findCommand(words, project), out);
}

function folderOf({ cwd }: GlobalOptions): string {
  const folder = resolve(cwd ?? '.');
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandError(`There is no folder ${folder}. Check --cwd.`, { exitCode: 2 });
  return folder;
}

/** Prints the result once, if --json is given. */
type Answer = (value: unknown) => void;

/** The state of one call, from its beginning to its end. */
interface CallState {
  readonly project: Project;
  readonly terminal: Terminal;
  readonly interruption: Interruption;
  readonly outerEnv: Environment;
  readonly answer: Answer;
}

async function runCommand(
  argv: readonly string[],
  { globals, words }: CommandLineCall,
  parts: CallState,
): Promise<number> {
  const { project, terminal, interruption, answer } = parts;
  const wantsHelp = globals.help || words[0] === 'help';
  if (globals.json && (wantsHelp || words.length === 0)) {
    throw usage(wantsHelp ? 'The help is text: leave out --json.' : 'There is no command. See: postrider --help');
  }
  if (wantsHelp) {
    terminal.out.write(await helpFor(words, project, terminal));
    return 0;
  }
  if (words.length === 0) {
    terminal.err.write(overviewHelp(await overviewOf(project), terminal.err));
    return 2;
  }
  const command = await findCommand(words, project);
  const values = readArguments(argv, command.name, command.arguments);
  let exitCode = 0;
  const interactive = terminal.interactive && !globals.json;
  const context = createContext({
    ...parts,
    globals,
    signal: interruption.signal,
    stdin: process.stdin,
    env: process.env,
    prompts: interactive ? await import('@clack/prompts') : undefined,
    answer: globals.json ? answer : () => undefined,
    fail: () => {
      exitCode = 1;
    },
  });
  const value = await command.run(context, values);
  if (globals.json) answer(value);
  return exitCode;
}

async function perform(
  argv: readonly string[],
  call: CommandLineCall,
  parts: Omit<CallState, 'project' | 'outerEnv'>,
): Promise<number> {
  const { globals } = call;
  const { terminal, answer } = parts;
  if (globals.version) {
    if (globals.json) answer({ version: release });
    else terminal.out.line(release);
    return 0;
  }
  const cwd = folderOf(globals);
  const outerEnv = loadEnvironment(cwd);
  const { signal } = parts.interruption;
  const builtIn = new Set(commands.map(({ name }) => name));
  const project = createProject(cwd, { configPath: globals.config, workspaceId: globals.workspace, signal, builtIn });
  let exitCode: number;
  try {
    exitCode = await runCommand(argv, call, { ...parts, project, outerEnv });
  } catch (error) {
    // The first error is reported. Closing afterwards may also fail.
    await project.close().catch(() => undefined);
    throw error;
  }
  await project.close();
  return exitCode;
}

/** Whether a boolean option is set. Looks at the raw words, so that it also works if they cannot be parsed. */
const has = (argv: readonly string[], name: string): boolean => argv.includes(name) || argv.includes(`${name}=true`);

const wantsStack = (argv: readonly string[]): boolean => has(argv, '--verbose') || (process.env['DEBUG'] ?? '') !== '';

function report(failure: Failure, argv: readonly string[], { err }: Terminal, response: Answer): void {
  const { colours } = err;
  err.line(`${colours.red('error')} ${failure.line}`);
  for (const detail of failure.details) err.line(`  ${detail}`);
  if (failure.stack !== undefined && failure.exitCode === 1 && wantsStack(argv)) err.line(colours.dim(failure.stack));
  if (has(argv, '--json')) response(failure.json);
}

/** Runs the words of a call. Returns the exit code when everything is written and closed. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const terminal = createTerminal(process);
  const interruption = watchForInterruption();
  let answered = false;
  const answer: Answer = (value) => {
    if (!answered) terminal.out.line(JSON.stringify(value ?? null));
    answered = true;
  };
  let exitCode: number;
  try {
    exitCode = await perform(argv, readCall(argv), { terminal, interruption, answer });
  } catch (error) {
    const interrupted = interruption.signal.aborted;
    const failure = failureOf(interrupted ? interruptedError() : error);
    report(failure, argv, terminal, answer);
    exitCode = interrupted ? interruption.exitCode : failure.exitCode;
  }
  await terminal.flush();
  return exitCode;
}
