// The context of a schedule's work, and access to the core for the core's own schedules. Made by schedule.ts for every
// run.
import type { ScheduleContext } from '../contract/declaration/jobs.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { eachWorkspace } from './each-workspace.ts';
import { purge } from './purge.ts';
import { purgeByWorkspace } from './purge-by-workspace.ts';

/** The core and its database. */
export interface ScheduleCoreContext {
  readonly core: Core;
  readonly database: Database;
}

const coreContexts = new WeakMap<ScheduleContext, ScheduleCoreContext>();

export function createScheduleContext(
  schedules: ScheduleCoreContext,
  now: number,
  signal: AbortSignal,
): ScheduleContext {
  const { core, database } = schedules;
  const checkDeclared = (tables: readonly string[]): void => {
    const undeclared = tables.find((table) => !core.registry.tables.has(table));
    if (undeclared !== undefined) throw new Error(`The table ${undeclared} is not declared by any composed plugin.`);
  };
  const context: ScheduleContext = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    now,
    signal,
    keptSince(name) {
      const ms = core.retention.get(name);
      if (ms === undefined) throw new Error(`The retention ${name} is not declared by any composed plugin.`);
      return Math.max(0, now - ms);
    },
    async purge(table, column, before, where = {}) {
      checkDeclared([table]);
      return purge(core, database, { table, column, before, where }, signal);
    },
    async purgeByWorkspace(table, column, before, parts = {}) {
      checkDeclared([table, ...Object.keys(parts)]);
      return purgeByWorkspace(core, database, { table, column, before, parts }, signal);
    },
    eachWorkspace: (work) => eachWorkspace(core, database, { now, signal }, work),
  };
  coreContexts.set(context, schedules);
  return context;
}

/** The core behind a context. Only the core's own schedules use it; plugins cannot. */
export function coreContextOf(context: ScheduleContext): ScheduleCoreContext {
  const coreContext = coreContexts.get(context);
  if (coreContext === undefined) throw new Error('The core schedules run in contexts of the job runner only.');
  return coreContext;
}
