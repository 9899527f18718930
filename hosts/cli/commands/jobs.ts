// jobs list, retry: an operator's view of the queue. Payloads are never shown, because they may contain the contents of mails.

import { CommandError } from '../../../core/command-line.ts';
import type { CommandValue, JobSummary, Service } from '../../../core/index.ts';
import { counted } from '../../../core/unstable.ts';
import { defineCliCommand } from '../command.ts';

const states = ['failed', 'ready', 'waiting', 'queued', 'running', 'done'] as const;

const timeOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')}Z`;

function limitOf(text: CommandValue): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit;
  throw new CommandError(`--limit must be a whole number from 1 to 1000, not ${String(text)}.`, { exitCode: 2 });
}

const maxCounted = 1_000;

/** The number of jobs that wait after a failed attempt, counted up to a limit. */
async function triedCount(
  { jobs }: Pick<Service<never>, 'jobs'>,
  { kind, workspaceId }: { readonly kind: string | undefined; readonly workspaceId: string | undefined },
): Promise<number> {
  const waiting = await jobs.list({
    state: 'waiting',
    limit: maxCounted,
    ...(kind === undefined ? {} : { kind }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
  return waiting.filter(({ attempt, reason }) => attempt > 0 && reason !== null).length;
}

const waitingText = (count: number): string =>
  count === 1 ? '1 job waits' : `${count === maxCounted ? `${maxCounted} or more` : count} jobs wait`;

const kindArgument = { type: 'string', description: 'Only jobs of this kind, such as email.deliver' } as const;

export const listJobs = defineCliCommand({
  name: 'jobs list',
  summary: 'List failed jobs, or jobs in another state',
  description:
    'Lists the jobs of all workspaces, or of the one that --workspace names. Jobs with the latest due time come first. Queued jobs were passed to an external queue.',
  examples: [
    ['postrider jobs list', 'shows what failed for good, and why'],
    ['postrider jobs list --state ready --kind email.deliver', 'shows mail that waits to be delivered'],
  ],
  arguments: {
    state: { type: 'string', choices: states, default: 'failed', description: 'The state of the jobs' },
    kind: kindArgument,
    limit: { type: 'string', hint: 'N', default: '50', description: 'How many to list at most, 1 to 1000' },
  },

  async run({ project, globals, print, table }, { state, kind, limit }) {
    const service = await project.ready();
    const jobs = await service.jobs.list({
      state,
      limit: limitOf(limit),
      ...(kind === undefined ? {} : { kind }),
      ...(globals.workspace === undefined ? {} : { workspaceId: globals.workspace }),
    });
    if (jobs.length === 0) print(`There are no jobs in the state ${state}.`);
    const waitingCount =
      state === 'failed' && !globals.json ? await triedCount(service, { kind, workspaceId: globals.workspace }) : 0;
    table(
      ['id', 'kind', 'tries', 'due', 'workspace', 'reason'],
      jobs.map((job) => [job.id, job.kind, `${job.attempt}`, timeOf(job.runAt), job.workspaceId, job.reason ?? '']),
    );
    for (const line of finalLines(service, jobs)) print(line);
    for (const line of unknownKindLines(jobs)) print(line);
    if (waitingCount > 0)
      print(`${waitingText(waitingCount)} after a failed attempt: postrider jobs list --state waiting`);
    return {
      data: jobs.map(
        ({
          id,
          workspaceId,
          kind,
          state,
          attempt,
          runAt,
          createdAt,
          finishedAt,
          reason,
          isFinal,
          isUnknownKind: isUnknown,
        }) => ({
          id,
          workspace_id: workspaceId,
          kind,
          state,
          attempt,
          run_at: new Date(runAt).toISOString(),
          created_at: new Date(createdAt).toISOString(),
          finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
          reason,
          final: isFinal,
          unknown_kind: isUnknown,
        }),
      ),
    };
  },
});

/** For each kind that no plugin of this program declares, the number of listed jobs. */
function unknownKindLines(jobs: readonly JobSummary[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind, isUnknownKind: isUnknown } of jobs) if (isUnknown) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(
    ([kind, count]) =>
      `${counted(count, 'job')} of the kind ${kind}, which no plugin of this program declares: a process that has the plugin must run ${count === 1 ? 'it' : 'them'}.`,
  );
}

/** For each kind with final jobs, their number and the advice instead of a retry. */
function finalLines({ core }: Pick<Service<never>, 'core'>, jobs: readonly JobSummary[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind, isFinal } of jobs) if (isFinal) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => {
    const remedy = core.registry.jobs.get(kind)?.afterExhausted;
    const subject = count === 1 ? '1 job is' : `${count} jobs are`;
    return `${subject} final and cannot run again (${kind}).${remedy === undefined ? '' : ` ${remedy}`}`;
  });
}

const notRetriedReason =
  'there is no such job, or it has neither failed nor waits for another attempt. postrider jobs list shows the failed ones';

export const retryJobs = defineCliCommand({
  name: 'jobs retry',
  summary: 'Run failed or waiting jobs again',
  description: 'A running process runs them: your program or postrider dev.',
  examples: [
    ['postrider jobs retry job_01J…', 'runs one job again'],
    ['postrider jobs retry --all', 'runs all failed jobs again that can run again'],
  ],
  arguments: {
    id: { type: 'positional', multiple: true, hint: 'ID', description: 'Ids of jobs, from postrider jobs list' },
    all: { type: 'boolean', description: 'All failed jobs that can run again, at most 1000 per call' },
    kind: { ...kindArgument, description: 'With --all: only jobs of this kind' },
  },

  async run({ project, globals, print, setFailed: fail, signal }, { id, all, kind }) {
    if (all === id.length > 0) throw new CommandError('Give ids of jobs or --all, one of the two.', { exitCode: 2 });
    const service = await project.ready();
    const failed = await service.jobs.list({
      limit: 1_000,
      ...(all ? {} : { ids: id }),
      ...(kind === undefined ? {} : { kind }),
      ...(all && globals.workspace !== undefined ? { workspaceId: globals.workspace } : {}),
    });
    const final = failed.filter((job) => job.isFinal);
    const finalJobs = new Set(final.map((job) => job.id));
    const idsToRetry = (all ? failed.map((job) => job.id) : id).filter((job) => !finalJobs.has(job));
    const retried: string[] = [];
    const missing: string[] = [];
    for (const job of idsToRetry) {
      signal.throwIfAborted();
      ((await service.jobs.retry(job)) ? retried : missing).push(job);
    }
    for (const job of retried) print(`${job} runs again.`);
    for (const job of missing) print(`${job} does not run again: ${notRetriedReason}.`);
    for (const line of finalLines(service, final)) print(line);
    if (all && failed.length === 0) print('There are no failed jobs.');
    const refusedCount = [...missing, ...finalJobs];
    if (refusedCount.length > 0 && (!all || retried.length === 0)) fail();
    return { retried, refused: refusedCount };
  },
});
