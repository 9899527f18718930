// The lane of jobs that wait for other people's servers. It has slots of its own, so that hanging receivers hold up nobody
// else's work, and a width for each turn, so that one of them holds up no other. Called by the slots; pure bookkeeping.
import type { InTurn } from './turns.ts';
import { Turns } from './turns.ts';

/** So many of one turn run at the same time, over all processes: a turn belongs to one process at a time. */
export const turnWidth = 10;
const widths = [
  { below: 1 / 2, width: turnWidth },
  { below: 3 / 4, width: turnWidth / 2 },
  { below: 7 / 8, width: 2 },
] as const;
/** So many of one turn are claimed at a time, once it has done its part; before that no more than can run. */
const turnAhead = 64;
/** So many times the slots may be claimed in all. */
const laneAhead = 4;
/** So many turns are remembered that failed, or did not. */
const mostRemembered = 10_000;

/** Remembers the latest. */
class Remembered {
  readonly #turns = new Set<string>();

  has(turn: string): boolean {
    return this.#turns.has(turn);
  }

  add(turn: string): void {
    this.#turns.delete(turn);
    this.#turns.add(turn);
    const [first] = this.#turns;
    if (this.#turns.size > mostRemembered && first !== undefined) this.delete(first);
  }

  delete(turn: string): void {
    this.#turns.delete(turn);
  }
}

/** What follows from the end of a job. */
export interface OutboundEnd<T> {
  /** It is time to claim more. */
  readonly claim: boolean;
  /** What waits of a turn that did not go well: it goes back. */
  readonly giveBack: readonly T[];
}

/** What of the lane this process holds. */
export class Outbound<T extends InTurn> {
  readonly #concurrency: number;
  readonly #waiting = new Turns<T>();
  readonly #running = new Map<string, number>();
  /** Rows that are ours, by turn: those that ended and are not marked yet, too. */
  readonly #rows = new Map<string, number>();
  /** Turns whose last try did not go well: one at a time of theirs, until one does. */
  readonly #ailing = new Remembered();
  /** Turns whose last try went well. */
  readonly #proven = new Remembered();
  /** Turns that had more than they were allowed when they were claimed last. */
  readonly #cutShort = new Set<string>();
  #runs = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  get running(): number {
    return this.#runs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  add(job: T): void {
    this.#waiting.add(job);
  }

  clear(): T[] {
    this.#cutShort.clear();
    return this.#waiting.clear();
  }

  /** A row became ours. */
  took({ turn }: T): void {
    this.#rows.set(turn, this.rowsOf(turn) + 1);
  }

  /** A row is marked, put back or lost. */
  released({ turn }: T): void {
    const left = this.rowsOf(turn) - 1;
    if (left > 0) this.#rows.set(turn, left);
    else this.#rows.delete(turn);
  }

  /** How many rows of a turn this process holds: where the database counts more, another has some. */
  rowsOf(turn: string): number {
    return this.#rows.get(turn) ?? 0;
  }

  /** The job that begins now, or undefined when no slot is free, or none for those that wait. */
  begin(): T | undefined {
    if (this.#runs >= this.#concurrency) return undefined;
    const job = this.#waiting.shift((turn) => this.#of(turn) < this.#widthOf(turn));
    if (job === undefined) return undefined;
    this.#runs += 1;
    this.#running.set(job.turn, this.#of(job.turn) + 1);
    return job;
  }

  /** A job ended; `well` says whether the other side did its part. */
  end({ turn }: T, well: boolean): OutboundEnd<T> {
    this.#runs -= 1;
    const left = this.#of(turn) - 1;
    if (left > 0) this.#running.set(turn, left);
    else this.#running.delete(turn);
    (well ? this.#ailing : this.#proven).delete(turn);
    (well ? this.#proven : this.#ailing).add(turn);
    const giveBack = well ? [] : this.#waiting.take(turn);
    if (giveBack.length > 0) this.#cutShort.add(turn);
    if (!this.#cutShort.has(turn) || this.#held(turn) > this.#aheadOf(turn) / 2) return { claim: false, giveBack };
    this.#cutShort.delete(turn);
    return { claim: true, giveBack };
  }

  /** How many more may be claimed of the whole lane. */
  get room(): number {
    return Math.max(0, this.#concurrency * laneAhead - this.#runs - this.waiting);
  }

  /** How many more of one turn may be claimed. */
  roomOf(turn: string): number {
    return Math.max(0, this.#aheadOf(turn) - this.#held(turn));
  }

  /** A claim took less of this turn than there was. */
  cutShort(turn: string): void {
    this.#cutShort.add(turn);
  }

  #held(turn: string): number {
    return this.#of(turn) + this.#waiting.waitingOf(turn);
  }

  #of(turn: string): number {
    return this.#running.get(turn) ?? 0;
  }

  /** The fuller the slots, the narrower each turn, so that the last ones are for those who have none yet. */
  #widthOf(turn: string): number {
    if (this.#ailing.has(turn)) return 1;
    const load = this.#runs / this.#concurrency;
    return widths.find(({ below }) => load < below)?.width ?? 1;
  }

  #aheadOf(turn: string): number {
    if (this.#ailing.has(turn)) return 1;
    return this.#proven.has(turn) ? turnAhead : turnWidth;
  }
}
