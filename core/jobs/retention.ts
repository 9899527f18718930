// The core's own schedules: delete old rows of the pipeline, in batches with a transaction each.
import type { ScheduleDeclaration } from '../contract/declaration/jobs.ts';
import { releaseExpiredHolds } from './credit-holds.ts';
import { coreContextOf } from './schedule-context.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The core's own schedules, which every service has. */
export const coreSchedules: readonly ScheduleDeclaration[] = [
  {
    id: 'core.idempotency',
    description: 'Deletes expired idempotency records, with the bytes of their responses.',
    everyMs: minute,
    async run(context) {
      await context.purge('idempotency', 'expires_at', context.now);
      await context.purge('stored_bytes', 'expires_at', context.now);
    },
  },
  {
    id: 'core.rate_limits',
    description: 'Deletes unused counters of rate limits, if the database stores them.',
    everyMs: 10 * minute,
    async run(context) {
      await context.purge('rate_limits', 'expires_at', context.now);
    },
  },
  {
    id: 'core.leash_usage',
    description: 'Deletes the usage of leashed keys that is older than every window of a leash.',
    everyMs: hour,
    async run(context) {
      await context.purge('leash_usage', 'expires_at', context.now);
    },
  },
  {
    id: 'core.jobs',
    description: 'Deletes jobs that are done, and later jobs that have failed.',
    everyMs: hour,
    async run(context) {
      // A job is never done before it is due, so its due time, which has an index, bounds its age.
      await context.purge('jobs', 'run_at', context.keptSince('jobs'), { state: 'done' });
      await context.purge('jobs', 'run_at', context.keptSince('failed_jobs'), { state: 'failed' });
    },
  },
  {
    id: 'core.credit_holds',
    description: 'Releases expired credit holds of work that never settled them.',
    everyMs: minute,
    async run(context) {
      await releaseExpiredHolds(coreContextOf(context), context.now, context.signal);
    },
  },
  {
    id: 'core.budget_leases',
    description: 'Deletes the budget reservations of processes that have ended.',
    everyMs: 10 * minute,
    async run(context) {
      await context.purge('budget_leases', 'expires_at', context.now);
    },
  },
  {
    id: 'core.outbox',
    description: 'Deletes old events that were delivered.',
    everyMs: hour,
    async run(context) {
      await context.purge('outbox', 'created_at', context.keptSince('outbox'));
    },
  },
  {
    id: 'core.requests',
    description: 'Deletes old entries of the log of requests, one workspace after another.',
    everyMs: hour,
    async run(context) {
      await context.purgeByWorkspace('request_log', 'ts', context.keptSince('requests'));
    },
  },
  {
    id: 'core.audit',
    description: 'Deletes old audit entries, one workspace after another.',
    everyMs: 24 * hour,
    async run(context) {
      await context.purgeByWorkspace('audit', 'ts', context.keptSince('audit'));
    },
  },
];
