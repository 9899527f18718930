// What a build keeps between its steps. Stored after each step, so that a crash repeats no more than one.
import type { Section, SectionKind } from '../sections/schema.ts';
import type { ComposeStatus } from '../states.ts';

/** A section that is still to be written. */
export interface PlannedSection {
  readonly id: string;
  readonly kind: SectionKind;
  readonly heading: string;
  /** What it is to say. */
  readonly aim: string;
}

/** The plan of a page. */
export interface PagePlan {
  readonly title: string;
  /** For search engines. */
  readonly description: string;
  /** The BCP 47 tag of its texts, where the composer says it. */
  readonly language?: string | undefined;
  readonly sections: readonly PlannedSection[];
}

/** A build that runs. */
export interface BuildState {
  readonly id: string;
  readonly brief: string;
  readonly headline: string | null;
  readonly buttonUrl?: string;
  /** A build that has not ended by then has failed, in milliseconds. */
  readonly until: number;
  readonly holdId: string | null;
  /** The composeStatus before; null for the first build. */
  readonly before: ComposeStatus | null;
  readonly plan: PagePlan | null;
  /** The sections that are written, in order. */
  readonly written: readonly Section[];
}
