// The context of a command, on the service of a test: the test gets the output of the command, and the command asks no questions.
import * as assert from 'uvu/assert';
import type { CommandContext } from '../../core/index.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { readContextOf } from '../../core/pipeline/read-context.ts';
import { inWorkspace } from '../../core/unstable.ts';

/** The command's folder, a listener for its warnings, and a signal that stops it. */
export interface CommandContextOptions {
  readonly cwd: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

type TheService = Pick<Service<never>, 'core'> & { readonly workspaces: Pick<Service<never>['workspaces'], 'read'> };

export const commandContext = (
  { core, workspaces }: TheService,
  workspace: string,
  { cwd, say, signal }: CommandContextOptions,
): CommandContext => ({
  cwd,
  configFolder: cwd,
  print: () => undefined,
  warn: say,
  table: () => undefined,
  progress: () => ({ advance: () => undefined, end: say }),
  interactive: false,
  confirm: async (_, otherwise) => otherwise,
  stdin: async () => '',
  signal,
  context: async () => core,
  workspace: () => workspaces.read(workspace),
  workspaces: async () => [await workspaces.read(workspace)],
  calls: async () => assert.unreachable('the command must read and write rows in bulk') as never,
  read: async (work) =>
    (await core.database()).read(workspace, (trx) => work(readContextOf(core, trx, core.ports.now()))),
  transact: async ({ action, kind, id, sandbox = false }, work) =>
    inWorkspace(
      core,
      await workspaces.read(workspace),
      async (ctx) => {
        ctx.audit(action, { kind, id });
        return work(ctx);
      },
      { client: 'cli', sandbox },
    ),
});
