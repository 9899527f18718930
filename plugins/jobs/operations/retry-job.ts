import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { someFailedJob } from './example-rows.ts';

export const retryJob = defineOperation({
  id: 'jobs.retry',
  summary: 'Let a failed job run again',
  description: 'With all of its attempts.',
  http: 'POST /v1/jobs/{jobId}/retry',
  tool: { name: 'retry_job', openWorld: true },
  scopes: ['jobs:manage'],
  idempotency: 'replay',
  input: { params: z.object({ jobId: idParameter('job') }) },
  output: z.object({ id: z.string(), state: z.literal('ready').describe('A worker runs it next.') }),
  errors: ['job_not_found', 'state_conflict'],
  audit: { action: 'job.retry', target: ({ id }) => ({ kind: 'job', id }) },
  retryOnConflict: true,
  fixture: async (kit) => ({
    params: { jobId: await someFailedJob(kit) },
    foreign: { jobId: await someFailedJob(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async () => {
        const jobId = await someFailedJob(kit);
        await kit.call('jobs.retry', { jobId });
        return { params: { jobId } };
      },
    },
  }),

  async handler(ctx, { params: { jobId } }) {
    const outcome = await ctx.ports.jobs.retry(ctx, jobId);
    if (outcome === 'retried') return { id: jobId, state: 'ready' as const };
    if (outcome === 'missing') throw errors.job_not_found({ id: jobId });
    if (outcome === 'final')
      throw coreErrors.state_conflict({
        reason: `The job ${jobId} has failed permanently and cannot run again, because its failure has already changed other data. Start the work again instead.`,
      });
    throw coreErrors.state_conflict({
      reason: `The job ${jobId} is ${outcome}. Only a job that has failed, or that waits for another attempt, can be retried.`,
    });
  },
});
