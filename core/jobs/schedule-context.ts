// What a schedule's work is given, and the way from it to the core for the core's own schedules.
// Made by schedule.ts for every run.
import type { ScheduleContext } from '../contract/jobs.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { purge } from './purge.ts';

/** The core and its database. */
export interface SchedulePlace {
  readonly core: Core;
  readonly database: Database;
}

const places = new WeakMap<ScheduleContext, SchedulePlace>();

/** A context for one run. */
export function createScheduleContext(place: SchedulePlace, now: number, signal: AbortSignal): ScheduleContext {
  const { core, database } = place;
  const context: ScheduleContext = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    now,
    signal,
    async purge(table, column, before, where = {}) {
      if (!core.registry.tables.has(table))
        throw new Error(`The table ${table} is not declared by any composed plugin.`);
      return purge(database, { table, column, before, where }, signal);
    },
  };
  places.set(context, place);
  return context;
}

/** Where a run's core is: for the core's own schedules, which plugins cannot reach. */
export function placeOf(context: ScheduleContext): SchedulePlace {
  const place = places.get(context);
  if (place === undefined) throw new Error('The core schedules run in contexts of the job runner only.');
  return place;
}
