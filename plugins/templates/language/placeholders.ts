/**
 * Lists the variables that a template reads: the basis of inferred contracts and of the check that a contract is
 * complete. Loop names, assigned names and captures are traced back to the variable that they come from.
 */
import { defaultOperators, toValueSync } from 'liquidjs';
import type { Expression, Literal, Node, Operand, Path } from './syntax.ts';

/** One use of a variable. */
export interface Placeholder {
  /** Its path: property names, with `[]` for an element of a list and `*` for a computed step. */
  readonly path: readonly string[];
  /**
   * How the variable is used: printed or computed with (`value`), looped over or otherwise used as a list (`list`), or
   * only tested in a condition (`condition`).
   */
  readonly usage: 'value' | 'list' | 'condition';
  /**
   * How many steps at the beginning of the path may be absent here. An `if` around the placeholder guards the steps
   * that it tests; a `default` guards all steps. 0 if no step may be absent.
   */
  readonly guarded: number;
  /** Whether the placeholder begins a URL in an attribute: rendering then refuses a value that would run code. */
  readonly url: boolean;
  /** From 1. */
  readonly line: number;
}

type Usage = Placeholder['usage'];
/** The meaning of a local name: a path into the variables, or a value that cannot be traced. */
type Names = ReadonlyMap<string, readonly string[] | undefined>;

const LIST_KEEPING: ReadonlySet<string> = new Set([
  ...['sort', 'sort_natural', 'reverse', 'where', 'reject', 'uniq', 'compact', 'concat'],
]);
const LIST_READING: ReadonlySet<string> = new Set([
  ...LIST_KEEPING,
  'map',
  'join',
  'sum',
  'find',
  'find_index',
  'has',
  'array_to_sentence_string',
]);

const LIST_PROPERTY: ReadonlySet<string> = new Set([
  'map',
  'where',
  'reject',
  'sort',
  'sort_natural',
  'sum',
  'find',
  'find_index',
  'has',
]);

/** Lists the placeholders of parsed nodes. `urls` contains the offsets of outputs that begin a URL. */
export function listPlaceholders(
  nodes: readonly Node[],
  lineOf: (offset: number) => number,
  urls: ReadonlySet<number>,
): Placeholder[] {
  const placeholders: Placeholder[] = [];
  /** The paths that are certainly present at the current node, because of the tests around it. */
  let guards: readonly (readonly string[])[] = [];

  function readNodes(body: readonly Node[], outer: Names): Names {
    let names = outer;
    for (const node of body) names = readNode(node, names);
    return names;
  }

  function readNode(node: Node, names: Names): Names {
    switch (node.kind) {
      case 'output':
        readExpression(node.value, names, 'value', urls.has(node.at));
        return names;
      case 'cycle':
        for (const candidate of node.candidates) readExpression(candidate, names, 'value');
        if (node.group) readOperand(node.group, names, 'value', false, false);
        return names;
      case 'assign':
        return new Map(names).set(node.name, readExpression(node.value, names, 'value'));
      case 'capture':
        return new Map(readNodes(node.body, names)).set(node.name, undefined);
      case 'if':
        return readIf(node, names);
      case 'case': {
        readExpression(node.subject, names, 'condition');
        for (const branch of node.branches) {
          for (const value of branch.values) readOperand(value, names, 'condition', true, false);
        }
        return [...node.branches.map(({ body }) => body), node.otherwise].reduce(
          (all, body) => readNodes(body, all),
          names,
        );
      }
      case 'for':
        return readFor(node, names);
      default:
        return names;
    }
  }

  function readIf(node: Extract<Node, { kind: 'if' }>, names: Names): Names {
    let after = names;
    const guardsBefore = guards;
    for (const { test, negated, body } of node.branches) {
      readExpression(test, after, 'condition');
      if (!negated) guards = [...guardsBefore, ...provenPathsOf(test, after)];
      after = readNodes(body, after);
      guards = guardsBefore;
    }
    return readNodes(node.otherwise, after);
  }

  function readFor(node: Extract<Node, { kind: 'for' }>, names: Names): Names {
    const list = readOperand(node.collection, names, 'list', false, false);
    for (const operand of [node.offset, node.limit]) if (operand) readOperand(operand, names, 'value', false, false);
    const inner = new Map(names);
    // From the second round on, a name that the body assigns is local, unless its own assignment reads it.
    for (const name of assignedIn(node.body)) inner.set(name, undefined);
    inner.set(node.name, list && [...list, '[]']).set('forloop', undefined);
    const after = new Map(readNodes(node.body, inner));
    for (const name of [node.name, 'forloop']) {
      if (names.has(name)) after.set(name, names.get(name));
      else after.delete(name);
    }
    return readNodes(node.otherwise, after);
  }

  /** Reads an expression. Returns the path of its result if the result is a variable's path. */
  function readExpression(
    expression: Expression,
    names: Names,
    usage: Usage,
    url = false,
  ): readonly string[] | undefined {
    const [filter] = expression.filters;
    const isDefault = filter?.name === 'default';
    const first = filter && LIST_READING.has(filter.name) ? 'list' : usage;
    const operands = expression.postfix.filter((part) => part.kind !== 'operator');
    const paths = operands.map((operand) => {
      return readOperand(operand, names, first, isDefault, url && operands.length === 1 && !filter);
    });
    let result = operands.length === 1 ? paths[0] : undefined;
    for (const { name, args } of expression.filters) {
      for (const arg of args) {
        readOperand('kind' in arg ? arg : arg.value, names, name === 'concat' ? 'list' : 'value', false, false);
      }
      const property = LIST_PROPERTY.has(name) ? literalText(args[0]) : undefined;
      const inner = result && property ? [...result, '[]', ...property.split('.')] : undefined;
      if (inner)
        placeholders.push({
          path: inner,
          usage: 'value',
          guarded: inner.length,
          url: false,
          line: lineOf(expression.at),
        });
      result = result && follow(result, name);
    }
    return result;
  }

  function readOperand(
    operand: Operand,
    names: Names,
    usage: Usage,
    lenient: boolean,
    url: boolean,
  ): readonly string[] | undefined {
    if (operand.kind === 'literal') return undefined;
    if (operand.kind === 'range') {
      readOperand(operand.from, names, 'value', false, false);
      readOperand(operand.to, names, 'value', false, false);
      return undefined;
    }
    for (const step of operand.steps) if (typeof step === 'object') readOperand(step, names, 'value', false, false);
    const path = resolve(operand, names);
    if (!path) {
      if (typeof operand.root !== 'string') readOperand(operand.root, names, 'value', false, false);
      return undefined;
    }
    const guarded = lenient ? path.length : Math.max(0, ...guards.map((guard) => commonSteps(guard, path)));
    placeholders.push({ path, usage, guarded, url, line: lineOf(operand.at) });
    return path;
  }

  readNodes(nodes, new Map());
  return placeholders;
}

/** The number of equal steps at the start of two paths. */
function commonSteps(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((step, index) => other[index] !== step);
  return differs < 0 ? one.length : differs;
}

/** Whether a comparison with this literal is false for an absent variable: `coupon == "A"`, `coupon != blank`. */
function excludesAbsent(name: string, { value }: Literal, isLeft: boolean): boolean {
  const operator = Object.hasOwn(defaultOperators, name) ? defaultOperators[name] : undefined;
  if (operator === undefined || operator.length < 2) return false;
  const [left, right] = isLeft ? [value, null] : [null, value];
  return toValueSync((operator as (l: unknown, r: unknown) => never)(left, right)) === false;
}

/** The variables that are present whenever a test passes. */
function provenPathsOf({ postfix, filters }: Expression, names: Names): readonly (readonly string[])[] {
  if (filters.length > 0) return [];
  const stack: { readonly operand?: Operand; readonly shown: readonly (readonly string[])[] }[] = [];
  for (const part of postfix) {
    if (part.kind !== 'operator') {
      const path = part.kind === 'path' ? resolve(part, names) : undefined;
      stack.push({ operand: part, shown: path === undefined ? [] : [path] });
      continue;
    }
    const right = stack.pop();
    const left = part.name === 'not' ? undefined : stack.pop();
    const provenPaths = [...(left?.shown ?? []), ...(right?.shown ?? [])];
    const literal = [left?.operand, right?.operand].find((operand) => operand?.kind === 'literal');
    const isCompared = literal !== undefined && !['and', 'or', 'not'].includes(part.name);
    const isShown = isCompared ? excludesAbsent(part.name, literal, literal === left?.operand) : part.name === 'and';
    stack.push({ shown: isShown ? provenPaths : [] });
  }
  return stack[0]?.shown ?? [];
}

function resolve(path: Path, names: Names): readonly string[] | undefined {
  if (typeof path.root !== 'string') return undefined;
  const steps = path.steps.map((step) => (typeof step === 'object' ? '*' : typeof step === 'number' ? '[]' : step));
  if (!names.has(path.root)) return [path.root, ...steps];
  const base = names.get(path.root);
  return base && [...base, ...steps];
}

function literalText(arg: Expression['filters'][number]['args'][number] | undefined): string | undefined {
  return arg && 'kind' in arg && arg.kind === 'literal' && typeof arg.value === 'string' ? arg.value : undefined;
}

function follow(path: readonly string[], filter: string): readonly string[] | undefined {
  if (LIST_KEEPING.has(filter) || filter === 'default') return path;
  if (filter === 'first' || filter === 'last' || filter === 'find') return [...path, '[]'];
  return undefined;
}

function assignedIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node): string[] => {
    if (node.kind === 'assign') {
      const readsItself = node.value.postfix.some((part) => part.kind === 'path' && part.root === node.name);
      return readsItself ? [] : [node.name];
    }
    if (node.kind === 'capture') return [node.name, ...assignedIn(node.body)];
    if (node.kind === 'for') return [...assignedIn(node.body), ...assignedIn(node.otherwise)];
    if (node.kind !== 'if' && node.kind !== 'case') return [];
    return [...node.branches.flatMap(({ body }) => assignedIn(body)), ...assignedIn(node.otherwise)];
  });
}
