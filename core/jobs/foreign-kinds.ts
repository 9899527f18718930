// The kinds of jobs that no plugin of this process declares: it leaves their jobs to other processes, where the newer or
// the larger program runs, and never claims them. Kinds become known here when a claim reads such a job; from then on the
// statements leave them out. One for each job runner.
import type { Core } from '../pipeline/core.ts';
import { filledList } from '../storage/filled-list.ts';

/** Foreign kinds as the parameters of a statement. */
export interface KindSlots {
  /** The names of the parameters; none where no foreign kind is known. */
  readonly names: readonly string[];
  readonly values: Readonly<Record<string, string>>;
}

const slot = (index: number): string => `foreign_${index}`;

/** What a process knows of such kinds. */
export class ForeignKinds {
  readonly #core: Core;
  readonly #seen = new Set<string>();
  #slots: KindSlots = { names: [], values: {} };

  constructor(core: Core) {
    this.#core = core;
  }

  /** Whether this process cannot run jobs of the kind. The first time, it is logged. */
  readonly has = (kind: string): boolean => {
    if (this.#core.registry.jobs.has(kind)) return false;
    if (!this.#seen.has(kind)) this.#note(kind);
    return true;
  };

  /** Those that were seen. */
  get seen(): number {
    return this.#seen.size;
  }

  get slots(): KindSlots {
    return this.#slots;
  }

  #note(kind: string): void {
    this.#seen.add(kind);
    // Padded to a few lengths, with '', which is no kind.
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
