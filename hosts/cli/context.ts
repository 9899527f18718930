// The context of a command, made for one call by run.ts: printing that respects --json, questions that are asked only on a
// terminal, and the project's service and workspace.
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError, readContextOf } from '../../core/command-line.ts';
import type { CommandProgress, ServiceContext, ServiceOf, TransactionContext } from '../../core/index.ts';
import { workspacesOf } from './all-workspaces.ts';
import type { GlobalOptions } from './arguments.ts';
import type { CliContext } from './command.ts';
import { unlessInterrupted } from './interruption.ts';
import type { Environment, Project } from './project.ts';
import { alignedRows } from './table.ts';
import { escapeControls, type Terminal } from './terminal.ts';

/** The audit's name for the command line. */
export const actor = 'cli';

/** The parts from which a context is made. */
export interface CallParts {
  readonly project: Project;
  readonly globals: GlobalOptions;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly stdin: NodeJS.ReadStream;
  readonly env: Environment;
  /** The environment before `.env` was loaded. */
  readonly outerEnv: Environment;
  /** Loaded only if a user can answer on a terminal. */
  readonly prompts: typeof import('@clack/prompts') | undefined;
  readonly answer: (value: unknown) => void;
  readonly fail: () => void;
}

function createProgress(label: string, { prompts, terminal, globals }: CallParts): CommandProgress {
  if (prompts === undefined) {
    return {
      advance: () => undefined,
      end: (line) => {
        if (!globals.json) terminal.out.line(line);
      },
    };
  }
  // The spinner writes to the terminal directly.
  const printPlain = (text: string) => escapeControls(text, false);
  const spinner = prompts.spinner({ output: process.stderr });
  spinner.start(printPlain(label));
  return {
    advance: (done, total) =>
      spinner.message(printPlain(`${label} ${done}${total === undefined ? '' : ` of ${total}`}`)),
    end: (line) => spinner.stop(printPlain(line)),
  };
}

/** The context of one call. */
export function createContext(parts: CallParts): CliContext {
  const { project, globals, terminal, signal, stdin, env, outerEnv, prompts, answer, fail } = parts;
  const print = (line: string) => {
    if (!globals.json) terminal.out.line(line);
  };
  return {
    cwd: project.cwd,
    get configFolder() {
      const config = project.config();
      return config === undefined ? project.cwd : dirname(config);
    },
    print,
    warn: (line) => terminal.err.line(line),
    table(headings, rows) {
      for (const line of alignedRows(headings, rows, terminal.out)) print(line);
    },
    progress: (label) => createProgress(label, parts),
    interactive: prompts !== undefined,
    async confirm(question, otherwise) {
      if (prompts === undefined) return otherwise;
      const answer = await prompts.confirm({
        message: escapeControls(question, false),
        initialValue: otherwise,
        signal,
      });
      return prompts.isCancel(answer) ? false : answer;
    },
    async stdin() {
      if (stdin.isTTY === true) terminal.err.line('Type the input; Ctrl-D ends it.');
      return unlessInterrupted(text(Readable.from(stdin)), signal);
    },
    signal,
    async context(): Promise<ServiceContext> {
      const { core } = await project.service();
      return { services: core.services, ports: core.ports, log: core.log };
    },
    workspace: () => project.workspace(),
    async workspaces() {
      if (globals.workspace !== undefined)
        throw new CommandError('Give --workspace or --all, one of the two.', { exitCode: 2 });
      return (await workspacesOf(await project.ready())).filter(({ suspended }) => !suspended);
    },
    async calls({ sandbox = false, member, workspaceId } = {}) {
      const id = workspaceId ?? (await project.workspace()).id;
      return ((await project.ready()) as ServiceOf<string>).as(id, {
        actor,
        sandbox,
        ...(member === undefined ? {} : { member }),
      });
    },
    async read(work) {
      const { id } = await project.workspace();
      const { core } = await project.ready();
      return (await core.database()).read(id, (trx) => work(readContextOf(core, trx, core.ports.now())));
    },
    async transact({ action, kind, id, sandbox = false }, work) {
      const workspace = await project.workspace();
      const change = async (ctx: TransactionContext) => {
        ctx.audit(action, { kind, id });
        return work(ctx);
      };
      const { inWorkspace } = await import('../../core/unstable.ts');
      return inWorkspace((await project.ready()).core, workspace, change, { client: actor, sandbox });
    },
    project,
    globals,
    terminal,
    env,
    outerEnv,
    printResult: answer,
    setFailed: fail,
  };
}

/** Requires an operation that a built-in command needs. @throws CommandError if the composed plugins lack it */
export async function requireOperation(project: Project, id: string, plugin: string): Promise<void> {
  const { core } = await project.service();
  if (core.registry.operations.has(id)) return;
  throw new CommandError(
    `This service is composed without the plugin ${plugin}, which the command needs. Add it to its plugins.`,
  );
}
