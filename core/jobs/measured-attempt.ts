// One attempt of a claimed job, with its span and metrics if telemetry is composed. Called by the worker.
import { lanes } from '../contract/declaration/jobs.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import type { ClaimedJob } from './claim.ts';
import { type JobAttemptEnd, runJobAttempt } from './job-attempt.ts';
import { failWithoutEffects } from './job-end.ts';

interface AttemptParts {
  readonly core: Core;
  readonly database: Database;
  readonly leaseMs: number;
}

async function tryOnce({ core, database, leaseMs }: AttemptParts, job: ClaimedJob): Promise<JobAttemptEnd> {
  const declaration = core.registry.jobs.get(job.kind);
  const { workspace } = job;
  if (declaration !== undefined && workspace !== undefined) {
    return runJobAttempt({ core, database }, declaration, { ...job, workspace }, leaseMs);
  }
  core.log.error({ job_id: job.id, kind: job.kind }, 'the workspace of a job is gone');
  await failWithoutEffects({ core, database }, job, 'workspace_missing');
  return { result: 'failed' };
}

/** Tries a job once and, if telemetry is on, measures the attempt. */
export function runMeasuredAttempt(parts: AttemptParts, job: ClaimedJob): Promise<JobAttemptEnd> {
  const { telemetry, ports } = parts.core;
  if (!telemetry.isOn()) return tryOnce(parts, job);
  const lane = lanes[job.lane] ?? 'normal';
  telemetry.record('waits', Math.max(0, ports.now() - job.runAt) / 1_000, { 'messaging.destination.name': lane });
  const measured = {
    name: `process ${job.kind}`,
    kind: 'CONSUMER',
    instrument: 'jobs',
    labels: {
      'messaging.system': 'postrider',
      'messaging.operation.type': 'process',
      'messaging.destination.name': lane,
      'postrider.job.kind': job.kind,
    },
    ids: { 'messaging.message.id': job.id, 'postrider.workspace.id': job.workspaceId },
    parent: job.traceparent,
  } as const;
  return telemetry.measure(measured, async (measure) => {
    const end = await tryOnce(parts, job);
    const result = end.failed === true ? 'failed' : end.result;
    measure.label({ 'postrider.job.result': result.replace(' ', '_') });
    if (result === 'failed' || result === 'lost') measure.fail(result);
    return end;
  });
}
