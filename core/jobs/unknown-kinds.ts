// The kinds of jobs that no plugin of this process declares. The process never claims such jobs: it leaves them to
// other processes that run a newer or larger program. A kind becomes known here when a claim reads such a job; after
// that, the statements exclude the kind. Each job runner has one instance.
import type { Core } from '../pipeline/core.ts';
import { filledList } from '../storage/filled-list.ts';

/** The unknown kinds as the parameters of a statement. */
export interface KindSlots {
  /** The names of the parameters; empty if no such kind was seen. */
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, string>>;
}

const slot = (index: number): string => `unknown_${index}`;

/** The unknown kinds that a process has seen. */
export class UnknownKinds {
  readonly #core: Core;
  readonly #seen = new Set<string>();
  #slots: KindSlots = { names: [], values: {} };

  constructor(core: Core) {
    this.#core = core;
  }

  /** Whether this process cannot run jobs of the kind. An unknown kind is logged the first time. */
  readonly has = (kind: string): boolean => {
    if (this.#core.registry.jobs.has(kind)) return false;
    if (!this.#seen.has(kind)) this.#note(kind);
    return true;
  };

  /** The number of unknown kinds seen so far. */
  get seen(): number {
    return this.#seen.size;
  }

  get slots(): KindSlots {
    return this.#slots;
  }

  #note(kind: string): void {
    this.#seen.add(kind);
    // Padded with '', which is not a kind, so that the list has only a few different lengths.
    const kinds = filledList([...this.#seen], '');
    this.#slots = {
      names: kinds.map((_, index) => slot(index)),
      values: Object.fromEntries(kinds.map((name, index) => [slot(index), name])),
    };
    this.#core.log.warn(
      { kind },
      'jobs of a kind that no composed plugin declares are left to other processes; without one that has the plugin they wait',
    );
  }
}
