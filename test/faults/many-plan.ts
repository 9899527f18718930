// What the tests of many processes tell one of theirs. Read by many-process.ts; written by members.ts.
import type { Place } from './mail-service.ts';

/** swallow: says that every 20th message of the batch was taken and sends nothing. twice: hands every 20th of them over twice. */
export type ManyPlant = 'swallow' | 'twice';

/** One process. */
export interface ManyPlan {
  readonly place: Place;
  readonly smtpPort: number;
  readonly leaseMs: number;
  readonly plant?: ManyPlant;
  /** Also runs a schedule every so many milliseconds that writes a row a run (slots-plugin.ts). */
  readonly slotMs?: number;
}
