// Runs the jobs whose references an external queue delivered: to the consumer of a started process, or as the messages
// of one call. References that arrive together are claimed together.
import {
  decodeReference,
  type JobReference,
  MessageInvalid,
  type MessagesReport,
  type QueueMessage,
  type RunMessagesOptions,
} from '../contract/ports/queue.ts';
import type { Worker } from './worker.ts';

interface ArrivedReference {
  readonly jobId: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The largest number of claims that run at the same time. */
const maxClaimsAtOnce = 4;
/** The largest number of references in one claim. */
const maxReferencesPerClaim = 256;

/** The receiver of one process. */
export class Receiver {
  readonly #worker: Worker;
  #arrived: ArrivedReference[] = [];
  #claims = 0;
  #planned = false;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  /**
   * Runs the job of a reference. Resolves when this process no longer holds the job, or if it could not hold the job.
   * Rejects if the claim failed.
   */
  readonly run = ({ jobId }: JobReference): Promise<void> =>
    new Promise((resolve, reject) => {
      this.#arrived.push({ jobId, resolve, reject });
      this.#claimLater();
    });

  /** Runs the jobs of messages. A failed message is reported and does not reject. */
  async runMessages(
    messages: readonly QueueMessage[],
    { ordered = false, budgetMs = Number.POSITIVE_INFINITY }: RunMessagesOptions,
  ): Promise<MessagesReport> {
    const deadline = performance.now() + budgetMs;
    const reasons = new Map<string, string>();
    const runOne = async ({ id, body }: QueueMessage): Promise<void> => {
      if (performance.now() >= deadline) {
        reasons.set(id, 'budget_reached');
        return;
      }
      try {
        await this.run(decodeReference(body));
      } catch (error) {
        reasons.set(id, error instanceof MessageInvalid ? 'message_invalid' : 'claim_failed');
      }
    };
    if (!ordered) await Promise.all(messages.map(runOne));
    else
      for (const message of messages) {
        if (reasons.size > 0) reasons.set(message.id, 'after_a_failed_one');
        else await runOne(message);
      }
    return {
      failed: messages.flatMap(({ id }) => {
        const reason = reasons.get(id);
        return reason === undefined ? [] : [{ id, reason }];
      }),
    };
  }

  #claimLater(): void {
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      while (this.#arrived.length > 0 && this.#claims < maxClaimsAtOnce)
        void this.#claim(this.#arrived.splice(0, maxReferencesPerClaim));
    });
  }

  async #claim(arrived: readonly ArrivedReference[]): Promise<void> {
    this.#claims += 1;
    try {
      const taken = await this.#worker.take(arrived.map(({ jobId }) => jobId));
      for (const { jobId, resolve } of arrived) void (taken.get(jobId) ?? Promise.resolve()).then(resolve);
    } catch (error) {
      for (const { reject } of arrived) reject(error);
    }
    this.#claims -= 1;
    if (this.#arrived.length > 0) this.#claimLater();
  }
}
