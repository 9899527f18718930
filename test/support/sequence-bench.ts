// Helpers for tests of sequences: a service on a simulated clock with captured mail, templates, published sequences, step histories.
import { isPostriderError } from '../../core/index.ts';
import { stderrLogger } from '../../core/kernel/options.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { inWorkspace } from '../../core/unstable.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';

/** The bench of one test. */
export type SequenceBench = Awaited<ReturnType<typeof openSequenceBench>>;

/** Opens a bench. `plugins`: (Default: the standard plugins without starters) */
export async function openSequenceBench(database: TestDatabase, plugins = bareStandardPlugins) {
  const faults: string[] = [];
  const logTo = (level: 'warn' | 'error') => (fields: Record<string, unknown>, message: string) => {
    faults.push(`${message} ${JSON.stringify(fields)}`);
    stderrLogger[level](fields, message);
  };
  const logger = { ...stderrLogger, warn: logTo('warn'), error: logTo('error') };
  const kit = await migratedTestService(database, { plugins, logger });
  const { service, workspaceId } = kit;
  const calls = service.as(workspaceId);
  const everywhere = unscoped('the test looks at the tables');
  return {
    ...kit,
    calls,
    /** The warnings and errors in the log. */
    faults,
    /** Publishes a template that greets `name`. */
    async template(key: string): Promise<void> {
      const body = '<html><body><p>Hello {{name}}</p></body></html>';
      await calls.templates.create({ key, mode: 'html', subject: 'Hello {{name}}', body });
      await calls.templates.publish({ key });
    },
    /** Publishes a sequence. Returns its key. */
    async published(body: Parameters<typeof calls.sequences.create>[0]): Promise<string> {
      const { key } = await calls.sequences.create(body);
      await calls.sequences.publish({ keyOrId: key });
      return key;
    },
    /** The steps of a run, such as `greet completed`. */
    async stepsOf(runId: string): Promise<string[]> {
      const { steps } = await calls.sequences.runRead({ runId });
      return steps.map(({ nodeId, status }) => `${nodeId} ${status}`);
    },
    /** The error code with which a call is refused; `none` if it succeeds. */
    async codeOf(call: () => Promise<unknown>): Promise<string> {
      try {
        await call();
      } catch (error) {
        if (isPostriderError(error)) return error.code;
        throw error;
      }
      return 'none';
    },
    /** Reports the latest send to an address as delivered. */
    async reportDelivered(to: string): Promise<void> {
      const [send] = (await calls.sends.list({ to })).data;
      const { core } = service;
      const workspace = await service.workspaces.read(workspaceId);
      await inWorkspace(core, workspace, async (ctx) => {
        await core.services.sendReports.report(ctx, send?.id ?? '', { kind: 'delivered' });
      });
    },
    /** The number of jobs of a kind that are waiting or ready. */
    async waitingJobs(kind: string): Promise<number> {
      const open = await service.core.database();
      const rows = await open.read(everywhere, ({ db }) =>
        db
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', kind)
          .where('state', 'in', ['waiting', 'ready'])
          .execute(),
      );
      return rows.length;
    },
    /** The rows of all tables of sequences, as text. */
    async dump(): Promise<string> {
      const open = await service.core.database();
      const rows = await open.read(everywhere, async ({ db }) => [
        await db.selectFrom('sequence_runs').selectAll().execute(),
        await db.selectFrom('sequence_steps').selectAll().execute(),
        await db.selectFrom('sequence_waits').selectAll().execute(),
      ]);
      return JSON.stringify(rows);
    },
  };
}
