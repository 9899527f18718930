import type { Leash } from '../../../core/index.ts';

/** Options of the consent page. */
export interface ConsentPageOptions {
  /**
   * The highest limits that a member may grant a client. The page offers no looser ones. (Default: no limit)
   */
  readonly ceiling?: Leash;
}
