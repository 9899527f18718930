// The kinds of conditions about membership: of a contact in a list, a topic or another segment.
import { isSegment, type SegmentFilter } from '../../filter-schema.ts';
import {
  type Choices,
  ConditionFault,
  type ConditionKind,
  negatedIf,
  type ProposedNames,
  withoutNot,
} from './kinds.ts';

/** The choices, including the current one even if it is not among the newest. */
const withCurrent = (choices: Choices, current: string | undefined): Choices =>
  current === undefined || current === '' || choices.some(([value]) => value === current)
    ? choices
    : [...choices, [current, current]];

/** A field to choose a list, a topic, a segment or the like. `none`: the words for no choice. */
export const choiceField = (
  name: string,
  label: string,
  choices: Choices,
  { current, none }: { readonly current: string | undefined; readonly none: string },
) => ({ name, label, choices: [['', none] as const, ...withCurrent(choices, current)] });

/** One kind of membership. */
interface MembershipKind {
  readonly title: string;
  readonly label: string;
  readonly words: { readonly in: string; readonly out: string };
  readonly choices: (known: ProposedNames) => Choices;
  readonly filterOf: (id: string, isIn: boolean) => SegmentFilter;
  readonly read: (filter: SegmentFilter) => { readonly id: string; readonly isIn: boolean } | undefined;
}

const membershipKind = ({ title, label, words, choices, filterOf, read }: MembershipKind): ConditionKind => ({
  group: 'Where they belong',
  title,
  initial: { op: 'in' },
  fields: ({ id }, known) => [
    { name: 'op', label: 'Comparison', choices: Object.entries(words) },
    choiceField('id', label, choices(known), { current: id, none: 'Choose' }),
  ],
  toFilter({ op, id = '' }) {
    if (id === '') throw new ConditionFault(`Choose a ${label.toLowerCase()}.`);
    return filterOf(id, op !== 'out');
  },
  fromFilter(filter) {
    const found = read(filter);
    return found === undefined ? undefined : { id: found.id, op: found.isIn ? 'in' : 'out' };
  },
});

/** The translation of memberships that a filter expresses as a path with the operator `exists`. */
const pathMembership = (prefix: string): Pick<MembershipKind, 'filterOf' | 'read'> => ({
  filterOf: (id, isIn) => ({ path: prefix + id, op: 'exists', value: isIn }),
  read: (filter) =>
    'path' in filter && filter.path.startsWith(prefix) && filter.op === 'exists' && typeof filter.value === 'boolean'
      ? { id: filter.path.slice(prefix.length), isIn: filter.value }
      : undefined,
});

export const membershipKinds: Readonly<Record<string, ConditionKind>> = {
  list: membershipKind({
    title: 'List',
    label: 'List',
    words: { in: 'is on the list', out: 'is not on the list' },
    choices: ({ lists }) => lists,
    ...pathMembership('list.'),
  }),
  topic: membershipKind({
    title: 'Topic',
    label: 'Topic',
    words: { in: 'is subscribed', out: 'is not subscribed' },
    choices: ({ topics }) => topics,
    ...pathMembership('topic.'),
  }),
  segment: membershipKind({
    title: 'Another segment',
    label: 'Segment',
    words: { in: 'is in the segment', out: 'is not in the segment' },
    choices: ({ segments }) => segments,
    filterOf: (segment, isIn) => negatedIf(!isIn, { segment }),
    read(filter) {
      const { inner, isNegated } = withoutNot(filter);
      return isSegment(inner) ? { id: inner.segment, isIn: !isNegated } : undefined;
    },
  }),
};
