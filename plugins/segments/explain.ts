// Explains why a contact is or is not in a segment: the tree of its filter with the value that each condition found,
// and a sentence.

import { toIsoTime, z } from '../../core/index.ts';
import { leavesOf, parseIsoTime } from '../../core/unstable.ts';
import type { NamedFilters } from './compile/index.ts';
import {
  type DidLeaf,
  isDid,
  isSegment,
  isSend,
  type Leaf,
  type SegmentFilter,
  type SendLeaf,
} from './filter-schema.ts';
import {
  type ContactFacts,
  isDecidedByActivity,
  isTrueFor,
  matchingEvents,
  matchingSends,
  readFact,
} from './interpret.ts';

/** The names of lists and segments by id, and of topics by key. */
export type NamesOfReferences = ReadonlyMap<string, string>;

/** A part of the tree. */
export interface ExplainedPart {
  kind: 'all' | 'any' | 'not' | 'condition';
  isTrue: boolean;
  /** The explanation as a sentence. */
  sentence: string;
  /** The comparison of a condition. Undefined for any other part. */
  condition?: Readonly<Record<string, unknown>> | undefined;
  /** The value that the comparison of a condition found; null if it is missing. Undefined for any other part. */
  value?: unknown;
  /** The parts inside. */
  parts?: ExplainedPart[] | undefined;
}

export const explainedPart: z.ZodType<ExplainedPart, ExplainedPart> = z
  .object({
    kind: z.enum(['all', 'any', 'not', 'condition']),
    isTrue: z.boolean(),
    sentence: z.string().describe("For people, such as: plan is 'pro' ✓."),
    condition: z.record(z.string(), z.unknown()).optional().describe('Of a condition: what it compares.'),
    value: z.unknown().optional().describe('Of a condition: the value that it found; null if it is missing.'),
    get parts() {
      return z.array(explainedPart).optional().describe('The parts inside.');
    },
  })
  .meta({ id: 'SegmentExplanation' });

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** A past time in words, such as "41 days ago". For a future time, the words contain the time itself. */
function ago(at: number, now: number): string {
  const age = now - at;
  if (age < 0) return `in the future, at ${toIsoTime(at)}`;
  if (age < hourMs) return `${counted(Math.floor(age / 60_000), 'minute')} ago`;
  if (age < 2 * dayMs) return `${counted(Math.floor(age / hourMs), 'hour')} ago`;
  return `${counted(Math.floor(age / dayMs), 'day')} ago`;
}

const formatted = (value: unknown): string => {
  const text = typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
  const letters = [...text];
  return letters.length <= 80 ? text : `${letters.slice(0, 79).join('')}…`;
};

const operatorWords: Readonly<Record<string, string>> = {
  ne: 'not',
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
  in: 'one of',
  contains: 'contains',
  starts_with: 'starts with',
};

/**
 * The words of a condition. `is`: the actual state, such as "plan is 'pro'". `wanted`: the required state, if `is` does
 * not contain it.
 */
interface Words {
  readonly is: string;
  readonly wanted: string | undefined;
}

function comparisonWords(
  leaf: Extract<Leaf, { path: string }>,
  facts: ContactFacts,
  names: NamesOfReferences,
  isTrue: boolean,
): Words {
  const { path, op, value } = leaf;
  const fact = readFact(path, facts);
  if (path.startsWith('list.')) {
    const id = path.slice('list.'.length);
    return { is: `${fact === true ? 'on' : 'not on'} the list ${formatted(names.get(id) ?? id)}`, wanted: undefined };
  }
  if (path.startsWith('topic.')) {
    const key = path.slice('topic.'.length);
    return {
      is: `${fact === true ? 'subscribed' : 'not subscribed'} to ${formatted(names.get(key) ?? key)}`,
      wanted: undefined,
    };
  }
  const name = path.replace(/^contact\.(attributes\.)?/, '');
  if (op === 'exists') return { is: `${name} ${fact === undefined ? 'is missing' : 'is present'}`, wanted: undefined };
  if (op === 'within_days' || op === 'older_than_days') {
    const at = typeof fact === 'string' ? parseIsoTime(fact, facts.zone) : undefined;
    const days = counted(Number(value), 'day');
    return {
      is:
        at === undefined
          ? `${name} is ${fact === undefined ? 'missing' : 'not a time'}`
          : `${name} was ${ago(at, facts.now)}`,
      wanted: op === 'within_days' ? `within ${days}` : `more than ${days} ago`,
    };
  }
  const is = fact === undefined ? `${name} is missing` : `${name} is ${formatted(fact)}`;
  if (op === 'eq') return { is, wanted: isTrue ? undefined : `not ${formatted(value)}` };
  return { is, wanted: `${operatorWords[op] ?? op} ${[value].flat().map(formatted).join(', ')}` };
}

/** The number of times that a contact did something, and the last time. */
interface ActivityCount {
  readonly count: number;
  readonly last: number | undefined;
}

function activityOf({ did }: DidLeaf, { activity }: ContactFacts): ActivityCount {
  const fact = activity.get(did);
  return { count: fact?.count ?? 0, last: fact?.last };
}

/** Counts only the events that the condition counts, because other events would contradict the sentence. */
function matchingActivity(leaf: DidLeaf, facts: ContactFacts): ActivityCount {
  const events = matchingEvents(leaf, facts);
  const last = events.reduce<number | undefined>(
    (newest, { ts }) => (newest === undefined || ts > newest ? ts : newest),
    undefined,
  );
  return { count: events.length, last };
}

function didWords(leaf: DidLeaf, facts: ContactFacts): Words & { readonly value: unknown } {
  const { did, since, atLeast = 1, where } = leaf;
  const { count: times, last } = isDecidedByActivity(leaf) ? activityOf(leaf, facts) : matchingActivity(leaf, facts);
  const frequency = times === 1 ? 'once' : times === 0 ? 'never' : `${times} times`;
  const parts = [
    ...(atLeast > 1 ? [`at least ${atLeast} times`] : []),
    ...(since === undefined ? [] : [`within ${sinceWords(since)}`]),
    ...(where === undefined ? [] : ['with the wanted metadata']),
  ];
  return {
    is: `did ${formatted(did)} ${frequency}${last === undefined ? '' : `, last ${ago(last, facts.now)}`}`,
    wanted: parts.length === 0 ? undefined : parts.join(', '),
    value: { count: times, last: last === undefined ? null : toIsoTime(last) },
  };
}

function sendWords(leaf: SendLeaf, facts: ContactFacts): Words & { readonly value: unknown } {
  const { send, was, since } = leaf;
  const last = matchingSends(leaf, facts).reduce<number | undefined>(
    (newest, { ts }) => (newest === undefined || ts > newest ? ts : newest),
    undefined,
  );
  const ofTemplate = send.templateKey === undefined ? '' : ` ${formatted(send.templateKey)}`;
  const ofMail = send.broadcastId === undefined ? ofTemplate : `${ofTemplate} in the broadcast ${send.broadcastId}`;
  return {
    is: last === undefined ? `never ${was}${ofMail}` : `last ${was}${ofMail} ${ago(last, facts.now)}`,
    wanted: since === undefined ? undefined : `within ${sinceWords(since)}`,
    value: last === undefined ? null : toIsoTime(last),
  };
}

/** P30D as "30 days". Other durations are shown as they are. */
function sinceWords(text: string): string {
  const days = /^P(\d+)D$/.exec(text)?.[1];
  return days === undefined ? text : counted(Number(days), 'day');
}

function leafWords(
  leaf: Leaf,
  facts: ContactFacts,
  names: NamesOfReferences,
  isTrue: boolean,
): Words & { readonly value?: unknown } {
  if (isDid(leaf)) return didWords(leaf, facts);
  if (isSend(leaf)) return sendWords(leaf, facts);
  if (isSegment(leaf))
    return {
      is: `${isTrue ? 'in' : 'not in'} the segment ${formatted(names.get(leaf.segment) ?? leaf.segment)}`,
      wanted: undefined,
      value: isTrue,
    };
  return { ...comparisonWords(leaf, facts, names, isTrue), value: readFact(leaf.path, facts) ?? null };
}

/** The input of an explanation. */
export interface ExplanationInput {
  readonly named: NamedFilters;
  readonly facts: ContactFacts;
  readonly names: NamesOfReferences;
}

/** The tree of a filter for one contact. */
export function explain(filter: SegmentFilter, { named, facts, names }: ExplanationInput): ExplainedPart {
  const isTrue = isTrueFor(filter, named, facts);
  const mark = isTrue ? '✓' : '✗';
  const explainedParts = (parts: SegmentFilter[]): ExplainedPart[] =>
    parts.map((part) => explain(part, { named, facts, names }));
  const joined = (parts: readonly ExplainedPart[], by: string): string =>
    parts.map(({ kind, sentence }) => (kind === 'condition' ? sentence : `(${sentence})`)).join(by);
  if ('all' in filter) {
    const parts = explainedParts(filter.all as SegmentFilter[]);
    return { kind: 'all', isTrue, sentence: joined(parts, ', ') || `always ${mark}`, parts };
  }
  if ('any' in filter) {
    const parts = explainedParts(filter.any as SegmentFilter[]);
    return { kind: 'any', isTrue, sentence: joined(parts, ' or ') || `never ${mark}`, parts };
  }
  if ('not' in filter) {
    const parts = explainedParts([filter.not as SegmentFilter]);
    return { kind: 'not', isTrue, sentence: `not (${joined(parts, '')}) ${mark}`, parts };
  }
  const [leaf] = leavesOf(filter);
  if (leaf === undefined) return { kind: 'condition', isTrue, sentence: `always ${mark}`, condition: {}, value: null };
  const { is, wanted: expected, value = null } = leafWords(leaf, facts, names, isTrue);
  const sentence = `${is} ${mark}${expected === undefined ? '' : ` (${expected})`}`;
  return { kind: 'condition', isTrue, sentence, condition: { ...leaf }, value };
}
