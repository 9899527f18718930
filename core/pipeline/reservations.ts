// Amounts that running calls of this process have taken and not committed yet, so that concurrent calls cannot exceed a
// limit together. Called by credits.ts and budgets.ts; released with the transaction's end (metering.ts).

/** Gives an amount back; a repeated call has no effect. */
export type Release = () => void;

/**
 * The stored value of a figure, and the amount of calls that ended during the read: `stored` may or may not include it.
 */
export interface Reading {
  readonly stored: number;
  readonly ended: number;
}

/** Options of `take`. */
export interface TakeOptions {
  /**
   * What the same call has reserved of the figure already, where its own reading includes it in `stored`. (Default: 0)
   */
  readonly own?: number;
  /** Called with every reading. */
  readonly onRead?: (reading: Reading) => void;
}

/** Reservations by figure. */
export interface Reservations {
  /** The amount that running calls have reserved. */
  pending(figure: string): number;
  /** Reserves an amount without a check. */
  reserve(figure: string, amount: number): Release;
  /**
   * Reserves `amount` when it fits under `limit` together with the stored value and running calls. If only running
   * calls prevent it, waits up to a second for them to end, and reads again. Undefined: it does not fit. Needs a
   * database with concurrent transactions that see what others commit.
   */
  take(
    figure: string,
    amount: number,
    limit: number,
    read: () => Promise<number>,
    options?: TakeOptions,
  ): Promise<Release | undefined>;
}

interface Figure {
  pending: number;
  /** The sum of all amounts ever reserved; its growth during a read is what the read may have missed. */
  held: number;
  /** The number of calls that are reading: the figure is kept for them. */
  readers: number;
  readonly waiting: Set<() => void>;
}

/** Two calls may each wait for the other, for a row and for an amount: the limit ends that deadlock. */
const maxWaitMs = 1_000;

/** Waits until a call gives an amount back; false after the deadline. */
function oneEnded({ waiting }: Figure, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ended: boolean): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve(ended);
    };
    const wake = (): void => settle(true);
    const timer = setTimeout(() => settle(false), Math.max(0, deadline - performance.now()));
    waiting.add(wake);
  });
}

/** The reservations of this process. */
export function createReservations(): Reservations {
  const figures = new Map<string, Figure>();

  const figureOf = (name: string): Figure => {
    let figure = figures.get(name);
    if (figure === undefined) {
      figure = { pending: 0, held: 0, readers: 0, waiting: new Set() };
      figures.set(name, figure);
    }
    return figure;
  };
  const forget = (name: string, figure: Figure): void => {
    if (figure.pending === 0 && figure.readers === 0) figures.delete(name);
  };
  const reserve = (name: string, amount: number): Release => {
    const figure = figureOf(name);
    figure.pending += amount;
    figure.held += amount;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      figure.pending -= amount;
      for (const wake of [...figure.waiting]) wake();
      forget(name, figure);
    };
  };

  return {
    pending: (name) => figures.get(name)?.pending ?? 0,
    reserve,
    async take(name, amount, limit, read, { own = 0, onRead } = {}) {
      const figure = figureOf(name);
      figure.readers += 1;
      const deadline = performance.now() + maxWaitMs;
      try {
        for (;;) {
          const { pending, held } = figure;
          const stored = await read();
          // A read may or may not include calls that ran during it: all are counted, so that none is missed.
          const ran = pending + figure.held - held - own;
          onRead?.({ stored, ended: ran + own - figure.pending });
          if (stored + ran + amount <= limit) return reserve(name, amount);
          if (ran === 0 || stored + amount > limit) return undefined;
          if (figure.pending > own && !(await oneEnded(figure, deadline))) return undefined;
        }
      } finally {
        figure.readers -= 1;
        forget(name, figure);
      }
    },
  };
}
