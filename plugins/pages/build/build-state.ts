// The state that a build keeps between its steps. Stored after each step, so that a crash repeats at most one step.
import type { WantedForm } from '../sections/form.ts';
import type { Section, SectionKind } from '../sections/schema.ts';
import type { ComposeStatus } from '../states.ts';

/** A section that is not yet written. */
export interface PlannedSection {
  readonly id: string;
  readonly kind: SectionKind;
  readonly heading: string;
  /** The content of the section, as instructions. */
  readonly aim: string;
}

/** The plan of a page. */
export interface PagePlan {
  readonly title: string;
  /** For search engines. */
  readonly description: string;
  /** The BCP 47 tag of its texts, if the composer returned one. */
  readonly language?: string | undefined;
  readonly sections: readonly PlannedSection[];
}

/** A running build. */
export interface PageBuildState {
  readonly id: string;
  readonly brief: string;
  readonly headline: string | null;
  readonly buttonUrl?: string;
  /** The form that was asked for. */
  readonly form?: WantedForm;
  /** The end of the time limit, in milliseconds since the epoch. A build that has not ended by then has failed. */
  readonly until: number;
  readonly holdId: string | null;
  /** The composeStatus before the build; null for the first build. */
  readonly before: ComposeStatus | null;
  readonly plan: PagePlan | null;
  /** The finished sections, in order. */
  readonly written: readonly Section[];
}
