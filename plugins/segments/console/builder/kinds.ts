// The kinds of conditions in the form of a segment: the fields of a condition, and how they become a filter and back.
import type { SegmentFilter } from '../../filter-schema.ts';

/** The fields of one condition, as the form sends them. */
export type Values = Readonly<Record<string, string>>;

/** Values to choose from, each with its words. */
export type Choices = readonly (readonly [value: string, words: string])[];

/** A field of a condition. */
export interface ConditionField {
  readonly name: string;
  readonly label: string;
  /** (Default: a text) */
  readonly choices?: Choices;
  /** Proposals for a text. (Default: none) */
  readonly proposals?: readonly string[];
  /** Whether the text may have several lines. (Default: false) */
  readonly isLong?: boolean;
  /** Whether a new line of fields begins here. (Default: false) */
  readonly startsLine?: boolean;
}

/** The reason why a condition is incomplete, as a sentence for people. */
export class ConditionFault extends Error {}

/** The names in the workspace that a form proposes for conditions. */
export interface ProposedNames {
  readonly lists: Choices;
  readonly topics: Choices;
  readonly segments: Choices;
  readonly templates: Choices;
  readonly broadcasts: Choices;
  /** The names of attributes that contacts have. */
  readonly attributes: readonly string[];
  /** The types of the custom events that contacts did. */
  readonly events: readonly string[];
}

/** One kind of condition. */
export interface ConditionKind {
  /** The heading of the menu under which the kind stands. */
  readonly group: string;
  /** The subject of the condition, such as `Attribute, a number`. */
  readonly title: string;
  /** The fields of a new condition that are not empty. */
  readonly initial: Values;
  readonly fields: (values: Values, known: ProposedNames) => readonly ConditionField[];
  /** A button that adds fields. `extend` returns the values with the new fields, and the name of the first new field. (Default: no button) */
  readonly more?: {
    readonly words: string;
    readonly extend: (values: Values) => { readonly values: Values; readonly field: string };
  };
  /** @throws ConditionFault */
  readonly toFilter: (values: Values) => SegmentFilter;
  /** The fields for the filter; undefined if the filter is of another kind, or if the fields cannot express it. */
  readonly fromFilter: (filter: SegmentFilter) => Values | undefined;
}

/** The filter inside of `not`, and whether there was one. */
export function withoutNot(filter: SegmentFilter): { readonly inner: SegmentFilter; readonly isNegated: boolean } {
  return 'not' in filter
    ? { inner: filter.not as SegmentFilter, isNegated: true }
    : { inner: filter, isNegated: false };
}

export const negatedIf = (isNegated: boolean, filter: SegmentFilter): SegmentFilter =>
  isNegated ? { not: filter } : filter;
