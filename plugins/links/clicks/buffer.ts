// `ctx.services.linkClicks`: the clicks that wait in memory for the database. A redirect adds a click and does not
// wait. One transaction writes several hundred clicks. If the process is killed, it loses the waiting clicks: at most
// the clicks of the last `flushMs` and of the write in progress.
import type { ServiceContext, TransactionContext } from '../../../core/index.ts';
import type { LinksOptions } from '../options.ts';
import type { Click } from './click.ts';
import { createSalts, dayOf, type Salts } from './salts.ts';
import { type ClickWriter, createClickWriter } from './write-clicks.ts';

/** Runs one transaction on one side of a workspace. */
export type Transact = <T>(
  workspaceId: string,
  work: (ctx: TransactionContext) => Promise<T>,
  side: { readonly sandbox: boolean },
) => Promise<T>;

/** The buffer of one process. */
export interface ClickBuffer extends Pick<ClickWriter, 'clientOf' | 'locationFinder'> {
  /** Adds a click, and does not wait until it is stored. */
  add(transact: Transact, click: Click): void;
  /** Adds a click. The promise resolves when the click is stored, and rejects if the write failed. */
  addAndStore(transact: Transact, click: Click): Promise<void>;
  /** The number of clicks that are not stored yet. */
  waiting(): number;
  /** Writes the waiting clicks. @throws the error of a write that failed; its clicks keep waiting */
  flush(): Promise<void>;
  open(): Promise<void>;
  close(): void;
}

/** The maximum number of clicks of one side of a workspace in a transaction. */
const batchSize = 500;
/**
 * The maximum number of clicks that wait while the database cannot be written. If more arrive, the oldest are dropped,
 * and the log reports their number.
 */
const maxWaiting = 100_000;

/** Lets other work run between two batches. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Waiting {
  readonly click: Click;
  readonly settle: ((error?: unknown) => void) | undefined;
}

/** Clicks of one side of a workspace that are written together. */
interface Batch {
  /**
   * Created with the batch, so that a retry is not stored twice if a commit that was reported as failed did succeed.
   */
  readonly id: string;
  readonly clicks: readonly Waiting[];
  /** Whether an earlier write of this batch failed. */
  readonly isRetry: boolean;
}

/** Clicks grouped by workspace and side, in their order. */
function groupBySide(waiting: readonly Waiting[]): Waiting[][] {
  const live = new Map<string, Waiting[]>();
  const sandbox = new Map<string, Waiting[]>();
  for (const waitingCall of waiting) {
    const { target } = waitingCall.click;
    const groups = target.sandbox ? sandbox : live;
    const group = groups.get(target.workspaceId);
    if (group === undefined) groups.set(target.workspaceId, [waitingCall]);
    else group.push(waitingCall);
  }
  return [...live.values(), ...sandbox.values()];
}

export const createClickBuffer =
  (options: LinksOptions) =>
  (context: ServiceContext): ClickBuffer => {
    const { flushMs = 250 } = options;
    const { ports, log } = context;
    const salts: Salts = createSalts(context);
    const writer = createClickWriter(options, context, salts);
    let waiting: Waiting[] = [];
    /** Batches whose write failed. */
    let failed: Batch[] = [];
    let transact: Transact | undefined;
    let timer: NodeJS.Timeout | undefined;
    let currentWrite: Promise<void> | undefined;
    let openPromise: Promise<void> | undefined;

    const writeBatch = async ({ id, clicks, isRetry }: Batch): Promise<void> => {
      const [first] = clicks;
      if (first === undefined) return;
      const { workspaceId, sandbox } = first.click.target;
      const batch = { id, clicks: clicks.map(({ click }) => click), isRetry };
      await transact?.(workspaceId, (ctx) => writer.write(ctx, batch), { sandbox });
      for (const { settle } of clicks) settle?.();
    };

    /** Clicks of a deleted workspace are dropped, because no retry could store them. */
    const isGone = (error: unknown): boolean =>
      error instanceof Error && 'code' in error && error.code === 'workspace_not_found';

    /** Groups the waiting clicks into batches. Batches whose write failed come first. */
    function takeBatches(): Batch[] {
      const batches = failed;
      failed = [];
      for (const group of groupBySide(waiting))
        for (let from = 0; from < group.length; from += batchSize) {
          const clicks = group.slice(from, from + batchSize);
          batches.push({ id: ports.ids.create('clb'), clicks, isRetry: false });
        }
      waiting = [];
      return batches;
    }

    async function writeAll(): Promise<void> {
      await open();
      const failures: unknown[] = [];
      for (const batch of takeBatches()) {
        try {
          await writeBatch(batch);
        } catch (error) {
          for (const { settle } of batch.clicks) settle?.(error);
          if (isGone(error)) continue;
          failures.push(error);
          // The callers of `addAndStore` got the error, so only the clicks of `add` wait for the next attempt.
          const clicks = batch.clicks.filter(({ settle }) => settle === undefined);
          if (clicks.length > 0) failed.push({ ...batch, clicks, isRetry: true });
          dropExcess();
        }
        await yieldToEventLoop();
      }
      salts.keepOnly(dayOf(ports.now()));
      if (failures.length > 0) throw failures[0];
    }

    const countWaiting = (): number => failed.reduce((sum, { clicks }) => sum + clicks.length, waiting.length);

    function dropExcess(): void {
      let droppedCount = 0;
      for (let excess = countWaiting() - maxWaiting; excess > 0; excess = countWaiting() - maxWaiting) {
        const oldest = failed.shift()?.clicks ?? waiting.splice(0, excess);
        droppedCount += oldest.length;
      }
      if (droppedCount > 0)
        log.error(
          { lost: droppedCount },
          'clicks of short links were lost: the database could not be written for too long',
        );
    }

    function flush(): Promise<void> {
      if (currentWrite !== undefined) return currentWrite.catch(() => undefined).then(flush);
      if (waiting.length + failed.length === 0) return Promise.resolve();
      currentWrite = writeAll().finally(() => {
        currentWrite = undefined;
      });
      return currentWrite;
    }

    const flushQuietly = (): void => {
      // Runs even if no clicks arrive, so that an idle process drops the salts of past days.
      salts.keepOnly(dayOf(ports.now()));
      flush().catch((cause: unknown) =>
        log.warn({ cause: String(cause) }, 'clicks wait: the database cannot be written'),
      );
    };

    function open(): Promise<void> {
      openPromise ??= options.geo?.open?.() ?? Promise.resolve();
      return openPromise;
    }

    function push(transaction: Transact, click: Click, settle: Waiting['settle']): void {
      transact ??= transaction;
      waiting.push({ click, settle });
      if (waiting.length > maxWaiting) dropExcess();
    }

    return {
      clientOf: writer.clientOf,
      locationFinder: writer.locationFinder,
      add(transaction, click) {
        push(transaction, click, undefined);
        if (waiting.length === batchSize && currentWrite === undefined) flushQuietly();
      },
      addAndStore: (transaction, click) =>
        new Promise<void>((resolve, reject) => {
          push(transaction, click, (error) => (error === undefined ? resolve() : reject(error)));
          // Calls during a write wait for the next write together.
          flush().catch(() => undefined);
        }),
      waiting: countWaiting,
      flush,
      async open() {
        await open();
        timer ??= setInterval(flushQuietly, flushMs).unref();
      },
      close() {
        clearInterval(timer);
        timer = undefined;
      },
    };
  };

/** @throws TypeError for invalid options */
export function checkBufferOptions({ flushMs = 250, recordClicks = 'buffered' }: LinksOptions): void {
  if (!(Number.isFinite(flushMs) && flushMs >= 10 && flushMs <= 10_000))
    throw new TypeError('linksPlugin: flushMs is a number from 10 to 10,000.');
  if (recordClicks !== 'buffered' && recordClicks !== 'before-answer')
    throw new TypeError(`linksPlugin: recordClicks is buffered or before-answer, not "${String(recordClicks)}".`);
}
