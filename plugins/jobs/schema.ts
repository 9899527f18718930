import { type FailedJob, isoTime, toIsoTime, z } from '../../core/index.ts';

export const failedJob = z
  .object({
    id: z.string().describe('Prefix job_.'),
    kind: z.string().meta({ examples: ['email.deliver'] }),
    state: z.enum(['failed', 'waiting']).describe('failed: no attempt is left. waiting: another attempt is planned.'),
    tries: z.int().describe('How many attempts were made.'),
    error_code: z.string().nullable().describe('The code or the name of the last error; null if it has none.'),
    created_at: isoTime,
    due_at: isoTime.describe('When the next attempt is planned, or when the last one was.'),
    failed_at: isoTime.describe('When the last attempt failed.'),
    can_retry: z.boolean().describe('False if the failure is final: do the work anew instead.'),
  })
  .meta({ id: 'FailedJob' });

export const presentJob = (job: FailedJob): z.input<typeof failedJob> => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  tries: job.attempts,
  error_code: job.errorCode,
  created_at: toIsoTime(job.createdAt),
  due_at: toIsoTime(job.dueAt),
  failed_at: toIsoTime(job.failedAt),
  can_retry: job.canRetry,
});
