/**
 * Decides whether a backtracking engine could take exponential time for a pattern: whether a loop can match some text
 * in two ways. Our engine is linear, but clients receive the contract and may run a backtracking engine. (Weber & Seidl
 * 1991, On the degree of ambiguity of finite automata: exponential iff a state has two cycles for one word.)
 */
import { type CharacterSet, type PatternNode, patternRefusal } from './pattern-syntax.ts';

const POSITION_LIMIT = 400;
const PAIR_LIMIT = 200_000;
/** Counted repeats are copied at most this often. Further copies would repeat the same pairs. */
const COPY_LIMIT = 3;

interface Fragment {
  nullable: boolean;
  first: number[];
  last: number[];
}

/** The automaton of a pattern's positions (Glushkov's), and the edges that the pattern produces twice. */
interface Automaton {
  sets: CharacterSet[];
  follow: Set<number>[];
  doubled: [number, number][];
}

/** @throws patternRefusal if the pattern is too large to decide */
export function isAmbiguous(pattern: PatternNode): boolean {
  const automaton: Automaton = { sets: [], follow: [], doubled: [] };
  build(pattern, automaton);
  if (automaton.doubled.some(([from, to]) => reaches(automaton, to, from))) return true;
  return hasTwoCycles(automaton);
}

function build(node: PatternNode, automaton: Automaton): Fragment {
  switch (node.kind) {
    case 'set': {
      const position = automaton.sets.push(node) - 1;
      if (position >= POSITION_LIMIT) throw patternRefusal('The pattern is too long.');
      automaton.follow.push(new Set());
      return { nullable: false, first: [position], last: [position] };
    }
    case 'edge':
      return { nullable: true, first: [], last: [] };
    case 'choice': {
      const parts = node.parts.map((part) => build(part, automaton));
      return {
        nullable: parts.some(({ nullable }) => nullable),
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
      };
    }
    case 'sequence':
      return join(
        node.parts.map((part) => build(part, automaton)),
        automaton,
      );
    case 'repeat':
      return buildRepeat(node, automaton);
  }
}

function buildRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, automaton: Automaton): Fragment {
  const { part, min, max } = node;
  if (max === 0) return { nullable: true, first: [], last: [] };
  const needed = Math.min(min, max > min ? COPY_LIMIT - 1 : COPY_LIMIT);
  const count = Math.max(1, Math.min(COPY_LIMIT, max === Number.POSITIVE_INFINITY ? needed : max));
  const copies = Array.from({ length: count }, (_, index): Fragment => {
    const copy = build(part, automaton);
    return index < needed ? copy : { ...copy, nullable: true };
  });
  const last = copies.at(-1);
  if (max === Number.POSITIVE_INFINITY && last) connect(last.last, last.first, automaton);
  return join(copies, automaton);
}

function join(parts: readonly Fragment[], automaton: Automaton): Fragment {
  return parts.reduce(
    (left, right) => {
      connect(left.last, right.first, automaton);
      return {
        nullable: left.nullable && right.nullable,
        first: left.nullable ? [...left.first, ...right.first] : left.first,
        last: right.nullable ? [...left.last, ...right.last] : right.last,
      };
    },
    { nullable: true, first: [], last: [] },
  );
}

function connect(from: readonly number[], to: readonly number[], automaton: Automaton): void {
  for (const left of from) {
    const next = automaton.follow[left];
    for (const right of to) {
      if (next?.has(right)) automaton.doubled.push([left, right]);
      next?.add(right);
    }
  }
}

function reaches(automaton: Automaton, from: number, target: number): boolean {
  const seen = new Set([from]);
  for (const position of seen) {
    if (position === target) return true;
    for (const next of automaton.follow[position] ?? []) seen.add(next);
  }
  return false;
}

/**
 * Walks pairs of positions that read the same text. Two cycles for one word exist if a pair of different positions is
 * reachable from a pair of equal positions and leads back to it.
 */
function hasTwoCycles({ sets, follow }: Automaton): boolean {
  const count = sets.length;
  const overlaps = sets.map((left) => sets.map((right) => overlap(left, right)));
  let visited = 0;
  const successors = (pair: number): number[] => {
    const pairs: number[] = [];
    for (const left of follow[Math.floor(pair / count)] ?? []) {
      for (const right of follow[pair % count] ?? []) {
        if (overlaps[left]?.[right]) pairs.push(Math.min(left, right) * count + Math.max(left, right));
      }
    }
    visited += pairs.length;
    if (visited > PAIR_LIMIT * 10) throw patternRefusal('The pattern is too complicated.');
    return pairs;
  };
  for (let position = 0; position < count; position++) {
    const start = position * count + position;
    const seen = new Set(successors(start));
    const split: number[] = [];
    for (const pair of seen) {
      if (Math.floor(pair / count) !== pair % count) split.push(pair);
      for (const next of successors(pair)) seen.add(next);
    }
    if (split.length > 0 && seen.has(start) && leadsTo(split, start, successors)) return true;
  }
  return false;
}

function leadsTo(pairs: readonly number[], target: number, successors: (pair: number) => number[]): boolean {
  const seen = new Set(pairs);
  for (const pair of seen) {
    for (const next of successors(pair)) {
      if (next === target) return true;
      seen.add(next);
    }
  }
  return false;
}

function overlap(left: CharacterSet, right: CharacterSet): boolean {
  return left.ranges.some(([from, to]) => right.ranges.some(([low, high]) => from <= high && low <= to));
}
