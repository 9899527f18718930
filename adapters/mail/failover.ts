// Combines several mail adapters: the next adapter is tried only if the earlier ones certainly did not accept the message.
// Composed by the embedding program. A provider that keeps failing is skipped for a while (a circuit breaker), in this process.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  isMailError,
  isNotTaken,
  type MailAdapter,
  MailError,
  type MailReceipt,
  type MailSendOptions,
  type OutgoingMail,
} from '../../plugins/email/port/index.ts';

/** Options of `failoverMail`. */
export interface FailoverMailOptions {
  /** The number of consecutive failures after which a provider is skipped. (Default: 5) */
  readonly failures?: number;
  /**
   * How long, in milliseconds, before one message tries a skipped provider again; longer if the provider requests it. (Default:
   * 30,000)
   */
  readonly pauseMs?: number;
  /** The current time, in milliseconds since the epoch. (Default: the system's clock) */
  readonly now?: () => number;
}

/** The longest pause that a provider may request, in milliseconds. */
const longestPauseMs = 600_000;

/** Counts one provider's failures. */
interface Breaker {
  readonly adapter: MailAdapter;
  /** The adapter's id. A second adapter with the same id gets `<id>-2`. */
  readonly name: string;
  /** The number of consecutive failures. */
  failures: number;
  /** The time until which the provider is skipped. */
  pausedUntil: number;
  /** Whether a message is trying the provider after a pause. */
  isTrying: boolean;
}

/** A failure of the provider, as opposed to a refusal of this message. */
const isFailure = (error: unknown): boolean => !isMailError(error) || error.fault === 'transient' || error.unavailable;

/** A refusal of service may concern only one sender's domain, so it does not open the breaker for other senders. */
const opensBreaker = (error: unknown): boolean =>
  !isMailError(error) || error.fault === 'transient' || error.credentialsRefused;

/** Whether another provider may send the message, because this provider has not accepted it for a reason of its own. */
const mayTryNext = (error: unknown): boolean => isFailure(error) && isNotTaken(error);

/** A unique name for each adapter, because two adapters may have the same id, such as two mail servers. */
function namesOf(adapters: readonly MailAdapter[]): readonly string[] {
  const adapterIds = new Set(adapters.map(({ id }) => id));
  const usedNames = new Set<string>();
  return adapters.map(({ id }) => {
    let name = id;
    for (let number = 2; usedNames.has(name) || (name !== id && adapterIds.has(name)); number += 1)
      name = `${id}-${number}`;
    usedNames.add(name);
    return name;
  });
}

/** The first fault, with the messages of all faults. */
function verifyFault(faults: readonly { readonly name: string; readonly cause: unknown }[]): MailError {
  const sentence = faults.map(
    ({ name, cause }) => `${name}: ${cause instanceof Error ? cause.message : String(cause)}`,
  );
  const firstCause = faults[0]?.cause;
  const fault = isMailError(firstCause) ? firstCause.fault : 'transient';
  return new MailError(fault, sentence.join(' '), { cause: firstCause });
}

/**
 * Sends with the first adapter that accepts the message. The next adapter is tried only after a refusal of service, a limit, or a
 * connection that was never opened. A time limit or a broken connection ends the attempt, because the message may have been sent. A
 * refusal of the message or its recipient also ends it.
 * @throws TypeError for fewer than two adapters, or for an adapter that is given twice
 */
export function failoverMail(adapters: readonly MailAdapter[], options: FailoverMailOptions = {}): MailAdapter {
  checkOptions<FailoverMailOptions>('failoverMail', options, {
    failures: 'optional',
    pauseMs: 'optional',
    now: 'optional',
  });
  const { failures = 5, pauseMs = 30_000, now = Date.now } = options;
  if (adapters.length < 2) throw new TypeError('failoverMail: pass at least two adapters.');
  if (new Set(adapters).size !== adapters.length)
    throw new TypeError('failoverMail: the same adapter is listed twice.');
  for (const [name, value] of Object.entries({ failures, pauseMs })) {
    if (!(Number.isInteger(value) && value > 0))
      throw new TypeError(`failoverMail: \`${name}\` must be a whole number above 0.`);
  }
  const names = namesOf(adapters);
  const breakers = adapters.map(
    (adapter, index): Breaker => ({
      adapter,
      name: names[index] ?? adapter.id,
      failures: 0,
      pausedUntil: 0,
      isTrying: false,
    }),
  );

  function isOpen(breaker: Breaker): boolean {
    if (breaker.pausedUntil === 0) return false;
    return breaker.isTrying || breaker.pausedUntil > now();
  }

  function recordFailure(breaker: Breaker, error: unknown): void {
    breaker.failures += 1;
    const requestedPauseMs = isMailError(error) ? Math.min(error.retryAfterMs ?? 0, longestPauseMs) : 0;
    if (requestedPauseMs > 0 || breaker.failures >= failures)
      breaker.pausedUntil = now() + Math.max(requestedPauseMs, pauseMs);
  }

  async function attempt(breaker: Breaker, mail: OutgoingMail, sendOptions: MailSendOptions): Promise<MailReceipt> {
    const { adapter, name } = breaker;
    breaker.isTrying = breaker.pausedUntil !== 0;
    try {
      const receipt = await adapter.send(mail, sendOptions);
      Object.assign(breaker, { failures: 0, pausedUntil: 0 });
      return { provider: name, ...receipt };
    } catch (error) {
      // An attempt that the service aborted shows nothing about the provider.
      if (!sendOptions.signal.aborted) {
        if (opensBreaker(error)) recordFailure(breaker, error);
        else if (!isFailure(error)) Object.assign(breaker, { failures: 0, pausedUntil: 0 });
      }
      throw error;
    } finally {
      breaker.isTrying = false;
    }
  }

  const allPausedError = (): MailError => {
    const retryAfterMs = Math.max(1, Math.min(...breakers.map(({ pausedUntil: until }) => until)) - now());
    return new MailError('transient', 'Every provider is failing at present and is skipped for a while.', {
      unavailable: true,
      retryAfterMs,
    });
  };

  return {
    id: 'failover',
    capabilities: { idempotent: false, captures: adapters.every(({ capabilities }) => capabilities.captures) },
    reservedHeaders: adapters.flatMap(({ reservedHeaders = [] }) => reservedHeaders),

    async send(mail, sendOptions) {
      const faults: unknown[] = [];
      for (const breaker of breakers) {
        if (isOpen(breaker)) continue;
        try {
          return await attempt(breaker, mail, sendOptions);
        } catch (error) {
          if (!mayTryNext(error) || sendOptions.signal.aborted) throw error;
          faults.push(error);
        }
      }
      // The error of a provider that may accept the message later takes precedence over a refusal of service.
      throw faults.find((fault) => isMailError(fault) && fault.fault === 'transient') ?? refusalOrPause(faults);
    },

    async verify(signal, ports) {
      const faults: { readonly name: string; readonly cause: unknown }[] = [];
      for (const { adapter, name } of breakers)
        await adapter.verify?.(signal, ports).catch((cause: unknown) => faults.push({ name, cause }));
      if (faults.length > 0) throw verifyFault(faults);
    },

    async close() {
      await Promise.all(adapters.map((adapter) => adapter.close()));
    },
  };

  /** A refusal is final only if every provider refused. */
  function refusalOrPause(faults: readonly unknown[]): unknown {
    return faults.length === breakers.length ? faults[0] : allPausedError();
  }
}
