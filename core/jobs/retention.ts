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
    description: 'Forgets idempotency records whose time is over, with the bytes of their answers.',
    everyMs: minute,
    async run(context) {
      await context.purge('idempotency', 'expires_at', context.now);
      await context.purge('stored_bytes', 'expires_at', context.now);
    },
  },
  {
    id: 'core.rate_limits',
    description: 'Forgets rate limits that are whole again, where the database keeps them.',
    everyMs: 10 * minute,
    async run(context) {
      await context.purge('rate_limits', 'expires_at', context.now);
    },
  },
  {
    id: 'core.jobs',
    description: 'Forgets jobs: done ones after a week, failed ones as late as the audit forgets them.',
    everyMs: hour,
    async run(context) {
      const { settings } = placeOf(context).core;
      // A job is never done before it is due, so its due time, which has an index, bounds its age.
      await context.purge('jobs', 'run_at', context.now - settings.jobsDoneMs, { state: 'done' });
      await context.purge('jobs', 'run_at', context.now - settings.auditMs, { state: 'failed' });
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
    id: 'core.outbox',
    description: 'Forgets events that were handed on long ago.',
    everyMs: hour,
    async run(context) {
      await context.purge('outbox', 'created_at', context.now - placeOf(context).core.settings.outboxMs);
    },
  },
  {
    id: 'core.audit',
    description: 'Forgets audit entries older than 90 days, one workspace after another along their index.',
    everyMs: 24 * hour,
    async run(context) {
      await context.purgeByWorkspace('audit', 'ts', context.now - placeOf(context).core.settings.auditMs);
    },
  },
];
