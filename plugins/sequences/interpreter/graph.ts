// A definition as a graph: nodes by id, edges by node and `when`, and the choices that nodes make without side effects.
import { hash } from 'node:crypto';
import { parseIsoTime } from '../../../core/unstable.ts';
import type { Definition, NodeOf, SequenceNode } from '../definition/schema.ts';
import { parseDuration } from '../definition/time-schemas.ts';
import { addDuration, nextClockTime } from './calendar.ts';
import { isTrue } from './filter.ts';
import { type RunValues, readPath } from './paths.ts';

/** Access to the nodes of a definition. */
export interface SequenceGraph {
  readonly definition: Definition;
  /** The node at which runs begin. */
  readonly entry: string;
  readonly goals: readonly NodeOf<'goal'>[];
  node(id: string): SequenceNode | undefined;
  /** The node at the end of an edge; undefined if the run ends there. */
  next(from: string, when: string): string | undefined;
}

/** The nodes that no edge leads to. Goals are not entries, because they apply everywhere. */
export function entriesOf({ nodes, edges }: Pick<Definition, 'nodes' | 'edges'>): string[] {
  const targets = new Set(edges.filter(({ from, to }) => from !== to).map(({ to }) => to));
  return nodes.filter(({ id, kind }) => kind !== 'goal' && !targets.has(id)).map(({ id }) => id);
}

/** @throws if the definition has no entry. Publishing has checked that it has one. */
export function createGraph(definition: Definition): SequenceGraph {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const edges = new Map(definition.edges.map(({ from, when, to }) => [`${from}|${when}`, to]));
  const [entry] = entriesOf(definition);
  if (entry === undefined) throw new Error('A sequence without an entry cannot run.');
  return {
    definition,
    entry,
    goals: definition.nodes.filter((node) => node.kind === 'goal'),
    node: (id) => nodes.get(id),
    next: (from, when) => edges.get(`${from}|${when}`),
  };
}

/** Adds a duration of the definition. The schema has already checked the duration. */
export function addText(at: number, text: string, zone: string): number {
  const parts = parseDuration(text);
  if (parts === undefined) throw new Error(`${text} is not a duration.`);
  return addDuration(at, parts, zone);
}

/** The failure reason of a delay if the time to which it is relative is missing or not valid. */
export const timeMissing = 'time_missing';

/** The message for `time_missing`. */
export function missingTime({ relativeTo }: NodeOf<'delay'>, known: RunValues): string {
  const path = relativeTo?.path ?? '';
  const value = readPath(path, known);
  if (value === undefined) return `There is no time at ${path}.`;
  return `${shortened(value)} at ${path} is not a time: give ISO 8601, such as 2026-06-10 or 2026-06-10T09:00:00Z.`;
}

/** A value as JSON, shortened to 80 characters for a message. */
const shortened = (value: unknown): string => {
  const letters = [...JSON.stringify(value)];
  return letters.length <= 80 ? letters.join('') : `${letters.slice(0, 80).join('')}…`;
};

/**
 * The end of a delay that begins at `at`; `at` itself if the end is in the past. Undefined if the time to which the
 * delay is relative is missing.
 */
export function delayEnd(node: NodeOf<'delay'>, at: number, known: RunValues): number | undefined {
  const { until, relativeTo } = node;
  if (node.for !== undefined) return addText(at, node.for, known.zone);
  if (until !== undefined) return nextClockTime(at, until, known.zone);
  if (relativeTo === undefined) return at;
  const value = readPath(relativeTo.path, known);
  const base = typeof value === 'string' ? parseIsoTime(value, known.zone) : undefined;
  return base === undefined ? undefined : Math.max(at, addText(base, relativeTo.offset, known.zone));
}

/** The edge of the first condition that is true, or `else`. */
export function branchTaken(node: NodeOf<'branch'>, known: RunValues): string {
  const index = node.conditions.findIndex(({ filter }) => isTrue(filter, known));
  return index === -1 ? 'else' : `branch:${index}`;
}

/** The split edge for a contact. All runs of a contact take the same edge. */
export function splitTaken(node: NodeOf<'split'>, sequenceId: string, { contact }: RunValues): string {
  const identity = contact.id ?? contact.external_id ?? contact.email ?? '';
  const digest = hash('sha256', JSON.stringify([sequenceId, node.id, identity]));
  let share = (Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 100;
  for (const [index, weight] of node.weights.entries()) {
    share -= weight;
    if (share < 0) return `split:${index}`;
  }
  return `split:${node.weights.length - 1}`;
}
