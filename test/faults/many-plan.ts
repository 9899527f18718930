// The plan that the tests of many processes pass to each of them. Read by many-process.ts; written by worker-processes.ts.
import type { DatabaseLocation } from './mail-service.ts';

/** `swallow`: reports every 20th message of the batch as accepted, but does not send it. `twice`: sends every 20th message twice. */
export type ManyPlant = 'swallow' | 'twice';

/** The plan of one process. */
export interface ManyPlan {
  readonly database: DatabaseLocation;
  readonly smtpPort: number;
  readonly leaseMs: number;
  readonly plant?: ManyPlant;
  /** Also runs a schedule with this interval in milliseconds, which writes one row per run (slots-plugin.ts). */
  readonly slotMs?: number;
}
