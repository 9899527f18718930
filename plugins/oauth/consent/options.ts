import type { Leash } from '../../../core/index.ts';

/** Options of the consent page. */
export interface ConsentPageOptions {
  /**
   * The highest limits that a member may grant a client: a leash chosen on the page is at least as strict. (Default: no limit)
   */
  readonly ceiling?: Leash;
}
