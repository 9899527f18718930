// A segment while a person builds it: groups of conditions, as the fields of a form. Pure. A filter becomes a draft, and the draft becomes a
// filter with the same meaning. Parts that the fields cannot express are kept unchanged.
import { isDeepStrictEqual } from 'node:util';
import type { SegmentFilter } from '../../filter-schema.ts';
import { activityKinds } from './activity.ts';
import { comparisonKinds } from './comparisons.ts';
import { ConditionFault, type ConditionKind, type Values } from './kinds.ts';
import { membershipKinds } from './memberships.ts';

/** Every kind of condition, in the order of the menu. */
export const kinds: Readonly<Record<string, ConditionKind>> = {
  ...comparisonKinds,
  ...membershipKinds,
  ...activityKinds,
};

/** The kind of a condition that the form cannot change. */
const keptKind = 'kept';

/** One condition: its kind and its fields. */
export interface DraftCondition {
  readonly kind: string;
  readonly values: Values;
}

/** The way in which the conditions of a group are joined. */
export type Join = 'all' | 'any' | 'none';

export interface DraftGroup {
  readonly join: Join;
  readonly conditions: readonly DraftCondition[];
}

/** The conditions of the whole segment. A draft has at least one group. */
export interface Draft {
  readonly join: 'all' | 'any';
  readonly groups: readonly DraftGroup[];
}

const emptyGroup: DraftGroup = { join: 'all', conditions: [] };

/** A draft that includes every contact. */
export const emptyDraft: Draft = { join: 'all', groups: [emptyGroup] };

/** An incomplete condition: the number of its group, its number in the group, and the reason. */
export interface DraftFault {
  readonly group: number;
  readonly condition: number;
  readonly message: string;
}

/** The filter of a condition that the form cannot change; undefined for every other condition. */
export function keptFilter({ kind, values }: DraftCondition): SegmentFilter | undefined {
  if (kind !== keptKind) return undefined;
  try {
    // The operation checks this filter like any other.
    return JSON.parse(values['json'] ?? '') as SegmentFilter;
  } catch {
    throw new ConditionFault('This condition is damaged. Remove it.');
  }
}

function filterOfCondition(condition: DraftCondition): SegmentFilter {
  const kept = keptFilter(condition);
  if (kept !== undefined) return kept;
  const kind = Object.hasOwn(kinds, condition.kind) ? kinds[condition.kind] : undefined;
  if (kind === undefined) throw new ConditionFault('Remove this condition: its kind is unknown.');
  return kind.toFilter(condition.values);
}

function joinFilters(join: Join, parts: readonly SegmentFilter[]): SegmentFilter {
  const [first] = parts;
  if (join === 'none') return { not: { any: [...parts] } };
  if (first !== undefined && parts.length === 1) return first;
  return join === 'any' ? { any: [...parts] } : { all: [...parts] };
}

/** The filter of the draft without its incomplete conditions, and a fault for each of these. Empty groups are left out. */
export function filterOfDraft({ join, groups }: Draft): { filter: SegmentFilter; faults: readonly DraftFault[] } {
  const faults: DraftFault[] = [];
  const parts = groups.flatMap((group, groupIndex) => {
    const inside = group.conditions.flatMap((condition, index) => {
      try {
        return [filterOfCondition(condition)];
      } catch (error) {
        if (!(error instanceof ConditionFault)) throw error;
        faults.push({ group: groupIndex, condition: index, message: error.message });
        return [];
      }
    });
    return inside.length === 0 ? [] : [joinFilters(group.join, inside)];
  });
  return { filter: parts.length === 0 ? {} : joinFilters(join, parts), faults };
}

/** The condition for a filter. If the form's fields do not lead back to exactly this filter, the condition keeps the filter itself. */
function conditionOf(filter: SegmentFilter): DraftCondition {
  for (const [kind, { fromFilter, toFilter }] of Object.entries(kinds)) {
    const values = fromFilter(filter);
    if (values === undefined) continue;
    try {
      if (isDeepStrictEqual(toFilter(values), filter)) return { kind, values };
    } catch (error) {
      if (!(error instanceof ConditionFault)) throw error;
    }
  }
  return { kind: keptKind, values: { json: JSON.stringify(filter) } };
}

/** The parts of a filter that joins them as a group of the form can; undefined for any other filter. */
function partsOf(filter: SegmentFilter): { readonly join: Join; readonly parts: readonly SegmentFilter[] } | undefined {
  if ('all' in filter) return { join: 'all', parts: filter.all as SegmentFilter[] };
  // An empty `any` is true for no contact. The form cannot express that, because an empty group is left out.
  if ('any' in filter && filter.any.length > 0) return { join: 'any', parts: filter.any as SegmentFilter[] };
  if (!('not' in filter)) return undefined;
  const inner = filter.not as SegmentFilter;
  return 'any' in inner && inner.any.length > 0 ? { join: 'none', parts: inner.any as SegmentFilter[] } : undefined;
}

const groupOf = (join: Join, parts: readonly SegmentFilter[]): DraftGroup => ({
  join,
  conditions: parts.map(conditionOf),
});

/** The draft for a filter. */
export function draftOf(filter: SegmentFilter): Draft {
  if (Object.keys(filter).length === 0) return emptyDraft;
  const whole = partsOf(filter);
  if (whole === undefined) return { join: 'all', groups: [groupOf('all', [filter])] };
  if (whole.join === 'none') return { join: 'all', groups: [groupOf('none', whole.parts)] };
  const { join } = whole;
  const inner = whole.parts.map((part) => ({ part, group: partsOf(part) }));
  const own = inner.flatMap(({ part, group }) => (group === undefined ? [part] : []));
  const groups = [
    ...(own.length === 0 ? [] : [groupOf(join, own)]),
    ...inner.flatMap(({ group }) =>
      // An empty `all` is true for every contact. A group without conditions would be left out, so the group gets `{}` as a condition.
      group === undefined ? [] : [group.parts.length === 0 ? groupOf(join, [{}]) : groupOf(group.join, group.parts)],
    ),
  ];
  return groups.length === 0 ? emptyDraft : { join, groups };
}

type Fields = Readonly<Record<string, string>>;

const isJoin = (text: string): text is Join => text === 'all' || text === 'any' || text === 'none';

/** The maximum number of groups, and of conditions of a group, that are read from a form. A filter may have fewer. */
const maxRead = 100;

export const groupName = (group: number): string => `g${group}`;
export const conditionName = (group: number, condition: number): string => `${groupName(group)}c${condition}`;
export const fieldName = (condition: string, field: string): string => `${condition}.${field}`;

function conditionsIn(fields: Fields, group: number): DraftCondition[] {
  const found: DraftCondition[] = [];
  for (let index = 0; index < maxRead; index += 1) {
    const prefix = fieldName(conditionName(group, index), '');
    const kind = fields[`${prefix}kind`];
    if (kind === undefined) break;
    const own = Object.entries(fields).filter(([name]) => name.startsWith(prefix) && name !== `${prefix}kind`);
    found.push({ kind, values: Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])) });
  }
  return found;
}

/** The draft that the fields of a form contain. */
export function draftIn(fields: Fields): Draft {
  const groups: DraftGroup[] = [];
  for (let index = 0; index < maxRead; index += 1) {
    const join = fields[`${groupName(index)}.join`];
    if (join === undefined) break;
    groups.push({ join: isJoin(join) ? join : 'all', conditions: conditionsIn(fields, index) });
  }
  if (groups.length === 0) return emptyDraft;
  return { join: fields['join'] === 'any' ? 'any' : 'all', groups };
}

/** A draft after a step, and the group, the condition or the field that the step has added. */
export interface DraftStep {
  readonly draft: Draft;
  readonly focus?: string;
}

const replaceGroup = (draft: Draft, at: number, change: (group: DraftGroup) => DraftGroup): Draft => ({
  ...draft,
  groups: draft.groups.map((group, index) => (index === at ? change(group) : group)),
});

/** Adds fields to a condition. */
function extendCondition(draft: Draft, group: number, condition: number): DraftStep {
  const found = draft.groups[group]?.conditions[condition];
  const more = found !== undefined && Object.hasOwn(kinds, found.kind) ? kinds[found.kind]?.more : undefined;
  if (found === undefined || more === undefined) return { draft };
  const { values, field } = more.extend(found.values);
  const conditions = draft.groups[group]?.conditions.map((one) => (one === found ? { ...one, values } : one)) ?? [];
  return {
    draft: replaceGroup(draft, group, (one) => ({ ...one, conditions })),
    focus: fieldName(conditionName(group, condition), field),
  };
}

/**
 * Makes the change that a button asks for: `add:0` adds a condition to group 0, `remove:0:2` removes condition 2 of group 0, `more:0:2` adds
 * fields to that condition, `group` adds a group, and `ungroup:1` removes group 1.
 */
export function applyStep(draft: Draft, step: string, fields: Fields): DraftStep {
  const [verb, first = '', second = ''] = step.split(':');
  const [group, condition] = [Number(first), Number(second)];
  switch (verb) {
    case 'add': {
      const kind = fields[`${groupName(group)}.add`] ?? '';
      const initial = Object.hasOwn(kinds, kind) ? kinds[kind]?.initial : undefined;
      if (initial === undefined) return { draft };
      const added = { kind, values: initial };
      const position = draft.groups[group]?.conditions.length ?? 0;
      return {
        draft: replaceGroup(draft, group, (one) => ({ ...one, conditions: [...one.conditions, added] })),
        focus: conditionName(group, position),
      };
    }
    case 'remove': {
      const without = (one: DraftGroup): DraftGroup => ({
        ...one,
        conditions: one.conditions.filter((_, index) => index !== condition),
      });
      return { draft: replaceGroup(draft, group, without), focus: groupName(group) };
    }
    case 'more':
      return extendCondition(draft, group, condition);
    case 'group':
      return {
        draft: { ...draft, groups: [...draft.groups, emptyGroup] },
        focus: groupName(draft.groups.length),
      };
    case 'ungroup': {
      const groups = draft.groups.filter((_, index) => index !== group);
      return { draft: groups.length === 0 ? emptyDraft : { ...draft, groups }, focus: groupName(0) };
    }
    default:
      return { draft };
  }
}
