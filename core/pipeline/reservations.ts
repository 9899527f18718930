// Amounts that running calls of this process took from a figure and have not committed yet, so that calls which run
// at the same instant cannot pass its limit together. Called by credits.ts and budgets.ts; released with the transaction's end (metering.ts).

/** Gives an amount back; harmless when repeated. */
export type Release = () => void;

/** What is stored of a figure, and how much of what ran meanwhile has ended: it may be in `stored` or not. */
export interface Reading {
  readonly stored: number;
  readonly ended: number;
}

/** Options of `take`. */
export interface TakeOptions {
  /** What the same call holds of the figure already, where its own reading shows it as stored. (Default: 0) */
  readonly own?: number;
  /** Called with every reading. */
  readonly onRead?: (reading: Reading) => void;
}

/** Reservations by figure. */
export interface Reservations {
  /** What running calls have reserved. */
  pending(figure: string): number;
  /** Reserves an amount without a check. */
  reserve(figure: string, amount: number): Release;
  /**
   * Reserves `amount` when it fits under `limit` beside what is stored and what runs. Where only the running calls stand
   * in the way it waits for them to end, up to a second, and reads again. Undefined: it does not fit.
   * Needs a database whose transactions run side by side and see what others commit.
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
  /** All that was ever held; its growth during a read tells what the read may have missed. */
  held: number;
  /** Calls that are reading: the figure is kept for them. */
  readers: number;
  readonly waiting: Set<() => void>;
}

/** One of two calls may hold a row that the other waits for: neither must wait for the other's amount for ever. */
const maxWaitMs = 1_000;

/** Waits until somebody gave an amount back; false when time is up. */
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

/** Reservations of this process. */
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
          // Everything that ran during the read may or may not be in it: counted, so that nothing is missed.
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
