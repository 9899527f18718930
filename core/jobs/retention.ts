// The core's own schedules: delete old rows of the pipeline, in batches with a transaction each.
import type { ScheduleDeclaration } from '../contract/jobs.ts';
import { releaseExpiredHolds } from './credit-holds.ts';
import { placeOf } from './schedule-context.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Composed with every service. */
export const coreSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'core.idempotency',
    description: 'Deletes expired idempotency records, with the bytes of their answers.',
    everyMs: minute,
    async run(context) {
      await context.purge('idempotency', 'expires_at', context.now);
      await context.purge('stored_bytes', 'expires_at', context.now);
    },
  },
  {
    id: 'core.rate_limits',
    description: 'Deletes the counters of rate limits that are unused again, where the database stores them.',
    everyMs: 10 * minute,
    async run(context) {
      await context.purge('rate_limits', 'expires_at', context.now);
    },
  },
  {
    id: 'core.jobs',
    description: 'Forgets jobs that are done, and later those that have failed.',
    everyMs: hour,
    async run(context) {
      // A job is never done before it is due, so its due time, which has an index, bounds its age.
      await context.purge('jobs', 'run_at', context.keptSince('jobs'), { state: 'done' });
      await context.purge('jobs', 'run_at', context.keptSince('failed_jobs'), { state: 'failed' });
    },
  },
  {
    id: 'core.credit_holds',
    description: 'Releases credits that were held for work which never settled them.',
    everyMs: minute,
    async run(context) {
      await releaseExpiredHolds(placeOf(context), context.now, context.signal);
    },
  },
  {
    id: 'core.budget_leases',
    description: 'Forgets what processes that ended had reserved of budgets.',
    everyMs: 10 * minute,
    async run(context) {
      await context.purge('budget_leases', 'expires_at', context.now);
    },
  },
  {
    id: 'core.outbox',
    description: 'Forgets events that were handed on long ago.',
    everyMs: hour,
    async run(context) {
      await context.purge('outbox', 'created_at', context.keptSince('outbox'));
    },
  },
  {
    id: 'core.audit',
    description: 'Forgets old audit entries, one workspace after another along their index.',
    everyMs: 24 * hour,
    async run(context) {
      await context.purgeByWorkspace('audit', 'ts', context.keptSince('audit'));
    },
  },
];
