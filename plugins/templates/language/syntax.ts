/**
 * The shape of a parsed template: plain data between the grammar, which depends on liquidjs, and the code that reads it.
 * `at` is an offset into the template's source.
 */

/** A value as written: a literal, a path into the variables, or a range. */
export type Operand = Literal | Path | Range;

export interface Literal {
  kind: 'literal';
  /** A string, a number, a boolean, or one of liquidjs's drops for nil, empty and blank. */
  value: unknown;
}

export interface Path {
  kind: 'path';
  /** The name at the start of the path, or a literal or range whose properties are read. */
  root: string | Literal | Range;
  steps: readonly (string | number | Path)[];
  /** As written, for messages. */
  text: string;
  at: number;
}

export interface Range {
  kind: 'range';
  from: Operand;
  to: Operand;
  at: number;
}

export interface Operator {
  kind: 'operator';
  name: string;
}

export interface FilterCall {
  name: string;
  args: readonly (Operand | { name: string; value: Operand })[];
  at: number;
}

/** Operands and operators in postfix order, then filters. */
export interface Expression {
  postfix: readonly (Operand | Operator)[];
  filters: readonly FilterCall[];
  at: number;
}

export interface Branch {
  test: Expression;
  /** True for `unless`: the branch is taken if the test fails. */
  negated: boolean;
  body: Node[];
}

export type Node =
  | { kind: 'text'; text: string; at: number }
  | { kind: 'output'; value: Expression; raw: boolean; at: number }
  | { kind: 'if'; branches: Branch[]; otherwise: Node[]; at: number }
  | {
      kind: 'case';
      subject: Expression;
      branches: { values: Operand[]; body: Node[] }[];
      otherwise: Node[];
      at: number;
    }
  | ForNode
  | { kind: 'assign'; name: string; value: Expression; at: number }
  | { kind: 'capture'; name: string; body: Node[]; at: number }
  | { kind: 'cycle'; key: string; group: Operand | undefined; candidates: Expression[]; at: number }
  | { kind: 'break' | 'continue' | 'content'; at: number };

export interface ForNode {
  kind: 'for';
  name: string;
  collection: Operand;
  offset: Operand | undefined;
  limit: Operand | undefined;
  reversed: boolean;
  body: Node[];
  otherwise: Node[];
  at: number;
}

/** Returns a function that finds the line (from 1) of an offset. Create it once for each source. */
export function createLineFinder(source: string): (offset: number) => number {
  const starts: number[] = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
