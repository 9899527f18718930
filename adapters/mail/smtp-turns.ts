// Lets as many messages through at a time as an SMTP pool has connections. nodemailer's own queue is first in, first out, so a login code
// would wait for all newsletters that came before it. Called by smtp.ts.
import { MailError } from '../../plugins/email/port/index.ts';

interface Turn {
  readonly urgent: boolean;
  readonly signal: AbortSignal;
}

/** Every n-th free connection goes to a message that is not urgent, so that urgent messages cannot stop the others. */
const otherInterval = 16;

/** The free connections of one pool, and the messages that wait for one. */
export class SmtpTurns {
  #free: number;
  #passedOn = 0;
  readonly #urgent = new Set<() => void>();
  readonly #others = new Set<() => void>();

  constructor(connections: number) {
    this.#free = connections;
  }

  /**
   * Runs `send` when a connection is free: urgent messages first (save each 16th turn), then the others, both in the order of the calls.
   * @throws MailError if the signal is aborted first
   */
  async run<T>(turn: Turn, send: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(turn);
    try {
      return await send();
    } finally {
      this.#passOn();
    }
  }

  #wait({ urgent, signal }: Turn): Promise<void> {
    const queue = urgent ? this.#urgent : this.#others;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        queue.delete(begin);
        reject(
          new MailError('transient', 'The attempt was ended before a connection was free.', {
            cause: signal.reason,
            unavailable: true,
          }),
        );
      };
      const begin = (): void => {
        queue.delete(begin);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      queue.add(begin);
    });
  }

  /** Gives the connection to the next message. */
  #passOn(): void {
    this.#passedOn += 1;
    const order = this.#passedOn % otherInterval === 0 ? [this.#others, this.#urgent] : [this.#urgent, this.#others];
    const [next] = order.flatMap(([first]) => first ?? []);
    if (next === undefined) this.#free += 1;
    else next();
  }
}
