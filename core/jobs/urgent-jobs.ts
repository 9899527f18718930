// Reports urgent jobs that have not begun to the precedence: from the commit that wrote a job until its claim, and from the claim until
// its attempt begins. The attempt reports itself (job-context.ts). Called by the worker.
import { urgentLane } from '../contract/declaration/jobs.ts';
import type { Precedence } from '../pipeline/precedence.ts';
import type { ClaimedJob } from './claim.ts';
import type { Lease } from './lease.ts';

/** The urgent jobs of one worker that have not begun. */
export class UrgentJobs {
  readonly #precedence: Precedence;
  readonly #claimed = new Map<Lease, () => void>();
  #endWritten: (() => void) | undefined;

  constructor(precedence: Precedence) {
    this.#precedence = precedence;
  }

  /** Records that an urgent job was written, which the next claim may find. */
  recordWrite(): void {
    this.#endWritten ??= this.#precedence.begin();
  }

  /** Call when a claim begins. Call the returned function after the claimed jobs were recorded. */
  beginClaim(): () => void {
    const end = this.#endWritten;
    this.#endWritten = undefined;
    return () => end?.();
  }

  recordClaimed({ lane, lease }: ClaimedJob): void {
    if (lane === urgentLane) this.#claimed.set(lease, this.#precedence.begin());
  }

  /** Records that a job begins, or is no longer held. */
  recordEnd(lease: Lease): void {
    this.#claimed.get(lease)?.();
    this.#claimed.delete(lease);
  }
}
