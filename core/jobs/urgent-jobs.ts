// Reports urgent jobs to the precedence on their way to their handlers: from the commit that wrote them to the claim, and from the claim to
// the attempt, which reports itself. Called by the worker.
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

  /** Call when a claim begins, and the result after its jobs were recorded. */
  recordClaim(): () => void {
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
