// The lease of a claimed job, as this process sees it. Made by the claim, renewed by leases.ts, watched by the attempt.

/** Why a lease ended before its job did. */
export type LeaseEnd = 'lost' | 'timeout' | 'stopped';

const sentences: Record<LeaseEnd, string> = {
  lost: 'The lease of this job was lost: another process may be running it.',
  timeout: "This job's time limit is exceeded.",
  stopped: 'The service is stopping.',
};

/** The error names in the signal's reasons (see JobContext.signal). */
const names: Record<LeaseEnd, string> = { lost: 'JobLeaseLost', timeout: 'JobTimedOut', stopped: 'JobStopped' };

/** The lease of one job. Its AbortSignal is made at the first use: most jobs never use it. */
export class Lease {
  readonly jobId: string;
  readonly token: string;
  /** Milliseconds since the epoch. */
  until: number;
  #ended: LeaseEnd | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;

  constructor(jobId: string, token: string, until: number) {
    this.jobId = jobId;
    this.token = token;
    this.until = until;
  }

  get ended(): LeaseEnd | undefined {
    return this.#ended;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#abort(this.#ended);
    }
    return this.#controller.signal;
  }

  /** Ends the lease. The first reason is kept, except that `lost` replaces any other. */
  end(reason: LeaseEnd): void {
    if (this.#ended !== undefined && reason !== 'lost') return;
    const isFirstEnd = this.#ended === undefined;
    this.#ended = reason;
    if (!isFirstEnd) return;
    this.#abort(reason);
    this.#listener?.();
  }

  /** Sets the only listener. It is called once. */
  onEnd(listener: () => void): void {
    this.#listener = listener;
    if (this.#ended !== undefined) listener();
  }

  #abort(reason: LeaseEnd): void {
    this.#controller?.abort(Object.assign(new Error(sentences[reason]), { name: names[reason] }));
  }
}

/**
 * Thrown by the writes of a job whose lease was lost: another process may hold it now. The writes were not stored.
 */
export class JobLeaseLost extends Error {
  constructor(jobId: string) {
    super(`The lease of the job ${jobId} was lost: nothing was written, and another process may be running it.`);
    this.name = 'JobLeaseLost';
  }
}

/** Whether the error means that the lease was lost. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof Error && error.name === 'JobLeaseLost';
}
