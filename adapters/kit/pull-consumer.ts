// Receives from queues that are polled for messages: SQS, pg-boss. Called by their adapters; knows no vendor.
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConsumeOptions,
  decodeReference,
  type Lane,
  type QueueConsumer,
  type QueueMessage,
  type ReferenceHandler,
} from '../../core/contract/ports/queue.ts';

/** One queue that is polled. */
export interface PullSource {
  readonly lane: Lane;
  /** The maximum number of messages in one response. */
  readonly batch: number;
  /** The pause after an empty response, in milliseconds; 0 if the queue itself waits for messages. */
  readonly idleMs: number;
  receive(limit: number, signal: AbortSignal): Promise<readonly QueueMessage[]>;
  /** Acknowledges the messages, so that they are not delivered again. */
  done(ids: readonly string[]): Promise<void>;
  /** Stops working on the messages, so that the queue delivers them again, at once or after a time limit. */
  redeliver(ids: readonly string[]): Promise<void>;
}

/** A consumer that can be notified of new messages. */
export interface PullConsumer extends QueueConsumer {
  /** Ends the pause after an empty response. */
  wake(): void;
}

const failedPauseMs = 1_000;

/** Receives from one source until it is stopped. */
function pull(source: PullSource, handler: ReferenceHandler, { prefetch, onError }: ConsumeOptions): PullConsumer {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let idle = new AbortController();
  let finished: { done: string[]; again: string[] } = { done: [], again: [] };
  let acknowledging: Promise<void> | undefined;

  const acknowledge = async (): Promise<void> => {
    while (finished.done.length + finished.again.length > 0) {
      const { done, again } = finished;
      finished = { done: [], again: [] };
      try {
        if (done.length > 0) await source.done(done);
        if (again.length > 0) await source.redeliver(again);
      } catch (error) {
        // If this fails, the messages are delivered again later, which is harmless.
        onError(error);
      }
    }
    acknowledging = undefined;
  };
  const end = (id: string, list: 'done' | 'again'): void => {
    finished[list].push(id);
    // Messages that end in the same turn of the event loop are acknowledged in one call.
    acknowledging ??= new Promise<void>((resolve) => setImmediate(resolve)).then(acknowledge);
  };
  const run = async ({ id, body }: QueueMessage): Promise<void> => {
    try {
      await handler(decodeReference(body));
      end(id, 'done');
    } catch (error) {
      onError(error);
      end(id, 'again');
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const max = Math.max(1, prefetch(source.lane));
      if (running.size >= max) {
        await Promise.race(running);
        continue;
      }
      try {
        const messages = await source.receive(Math.min(source.batch, max - running.size), stopping.signal);
        for (const message of messages) {
          const handling = run(message).finally(() => running.delete(handling));
          running.add(handling);
        }
        if (messages.length === 0 && source.idleMs > 0) {
          idle = new AbortController();
          await pause(source.idleMs, undefined, { signal: AbortSignal.any([idle.signal, stopping.signal]) }).catch(
            () => undefined,
          );
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(failedPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const loopEnd = loop();

  return {
    wake: () => idle.abort(),
    async stop() {
      stopping.abort();
      await loopEnd;
      await Promise.all(running);
      while (acknowledging !== undefined) await acknowledging;
    },
  };
}

/** Receives from all sources. */
export function createPullConsumer(
  sources: readonly PullSource[],
  handler: ReferenceHandler,
  options: ConsumeOptions,
): PullConsumer {
  const pulls = sources.map((source) => pull(source, handler, options));
  return {
    wake: () => {
      for (const pull of pulls) pull.wake();
    },
    stop: async () => {
      await Promise.all(pulls.map((one) => one.stop()));
    },
  };
}
