/**
 * Expressions → functions of a frame: paths, comparisons and filters, with liquidjs's semantics. Only own properties
 * are read. A function among the variables counts as absent and is never called.
 */
import { Drop, defaultOperators, toValue, toValueSync } from 'liquidjs';
import { fromDecimal, toDecimal } from './decimals.ts';
import { isTemplateFault, messageOf, templateFault } from './fault.ts';
import { argumentFault, type FilterScope, filterHandler } from './filters.ts';
import { liquidEngine } from './grammar.ts';
import { RANGE_LIMIT } from './limits.ts';
import { countCharacters } from './own-filters.ts';
import { printedSize, type RenderFrame } from './render-frame.ts';
import type { Expression, FilterCall, Operand, Path, Range } from './syntax.ts';

export type Reader = (frame: RenderFrame) => unknown;

/** The names that are known at an expression. */
export interface Scope {
  html: boolean;
  /** Slots of the enclosing loops' variables, innermost first. */
  slots: ReadonlyMap<string, number>;
  /** Names that the template assigns or captures anywhere. */
  assigned: ReadonlySet<string>;
  lineOf: (offset: number) => number;
  /** Collects the slots that are read. */
  readSlots: Set<number>;
}

/** Compiles an expression. If `lenient` is true, an absent variable reads as nil instead of being refused. */
export function compileExpression(expression: Expression, scope: Scope, lenient = false): Reader {
  const [first] = expression.filters;
  const isLenient = lenient || first?.name === 'default';
  let reader = compilePostfix(expression, scope, isLenient);
  for (const filter of expression.filters) reader = compileFilter(reader, filter, scope);
  return reader;
}

function compilePostfix(expression: Expression, scope: Scope, lenient: boolean): Reader {
  const stack: Reader[] = [];
  for (const part of expression.postfix) {
    if (part.kind !== 'operator') {
      stack.push(compileOperand(part, scope, lenient));
      continue;
    }
    const right = stack.pop();
    const left = part.name === 'not' ? right : stack.pop();
    if (!right || !left) throw templateFault('syntax', 'An operator lacks a value.', scope.lineOf(expression.at));
    const name = part.name;
    stack.push(
      name === 'not' ? (frame) => !isTrue(right(frame)) : (frame) => operate(name, left(frame), right(frame), frame),
    );
  }
  const [result] = stack;
  if (!result || stack.length !== 1) {
    throw templateFault('syntax', 'There are two values here without an operator.', scope.lineOf(expression.at));
  }
  return result;
}

/** In Liquid every value except false and nil is true. */
export function isTrue(value: unknown): boolean {
  const plain: unknown = toValue(value);
  return plain !== false && plain !== undefined && plain !== null;
}

/** Equality with liquidjs's semantics. Lists are first charged by their size. */
export function isEqual(left: unknown, right: unknown, frame: RenderFrame): boolean {
  return operate('==', left, right, frame) === true;
}

function operate(name: string, left: unknown, right: unknown, frame: RenderFrame): unknown {
  if (name === 'and') return isTrue(left) && isTrue(right);
  if (name === 'or') return isTrue(left) || isTrue(right);
  if (ORDER.has(name) && (isNil(left) || isNil(right))) return false;
  const quick = QUICK[name]?.(left, right, frame);
  if (quick !== undefined) return quick;
  frame.chargeSteps(OPERATOR_STEPS);
  if (Array.isArray(left)) frame.chargeMemory(printedSize(left) * LIST_COST);
  if (Array.isArray(right)) frame.chargeMemory(printedSize(right) * LIST_COST);
  const operator = Object.hasOwn(defaultOperators, name) ? defaultOperators[name] : undefined;
  if (!operator) throw templateFault('syntax', `There is no operator \`${name}\`.`);
  return toValueSync((operator as (l: unknown, r: unknown, context: unknown) => never)(left, right, frame.context));
}

/** liquidjs's own operators are generators and cost as much as this many other steps. */
const OPERATOR_STEPS = 10;
/** Lists are compared element by element. */
const LIST_COST = 10;
/** The number of characters that cost one step: when texts are compared, and when a text is searched. */
const CHARACTERS_PER_STEP = 64;
const CHARACTERS_PER_STEP_OF_SEARCH = 8;

/** Comparisons that are always false for nil. */
const ORDER: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);
const isNil = (value: unknown): boolean => value === undefined || value === null;

const isPlain = (value: unknown): boolean => Object(value) !== value;

/** Returns undefined if liquidjs has to decide. */
type QuickOperator = (left: unknown, right: unknown, frame: RenderFrame) => boolean | undefined;

function isSame(left: unknown, right: unknown, frame: RenderFrame): boolean | undefined {
  if (!isPlain(left) || !isPlain(right)) return undefined;
  if (typeof left === 'string' && left.length > CHARACTERS_PER_STEP)
    frame.chargeSteps(left.length / CHARACTERS_PER_STEP);
  return (left ?? null) === (right ?? null);
}

function contains(left: unknown, right: unknown, frame: RenderFrame): boolean | undefined {
  if (!isTrue(right)) return false;
  if (typeof left === 'string' && typeof right === 'string') {
    frame.chargeSteps(1 + left.length / CHARACTERS_PER_STEP_OF_SEARCH);
    return left.includes(right);
  }
  if (!Array.isArray(left) || !isPlain(right) || !left.every(isPlain)) return undefined;
  frame.chargeSteps(left.length);
  return left.indexOf(right) >= 0;
}

const ofNumbers =
  (compare: (left: number, right: number) => boolean): QuickOperator =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? compare(left, right) : undefined;

/** The operators on plain values, with liquidjs's results. */
const QUICK: Readonly<Record<string, QuickOperator>> = {
  '==': isSame,
  '!=': (left, right, frame) => {
    const same = isSame(left, right, frame);
    return same === undefined ? undefined : !same;
  },
  '<': ofNumbers((left, right) => left < right),
  '>': ofNumbers((left, right) => left > right),
  '<=': ofNumbers((left, right) => left <= right),
  '>=': ofNumbers((left, right) => left >= right),
  contains,
};

/** Compiles one value. */
export function compileOperand(operand: Operand, scope: Scope, lenient: boolean): Reader {
  if (operand.kind === 'literal') {
    const { value } = operand;
    return () => value;
  }
  return operand.kind === 'range' ? compileRange(operand, scope) : compilePath(operand, scope, lenient);
}

function compileRange(range: Range, scope: Scope): Reader {
  const from = compileOperand(range.from, scope, false);
  const to = compileOperand(range.to, scope, false);
  return (frame) => {
    const [low, high] = [wholeNumber(from(frame)), wholeNumber(to(frame))];
    // Above 2^53, adding one changes nothing, so a loop that counts by one would never end.
    const isSafeRange = Math.abs(low) <= Number.MAX_SAFE_INTEGER && Math.abs(high) <= Number.MAX_SAFE_INTEGER;
    if (!isSafeRange || high - low >= RANGE_LIMIT) {
      throw templateFault('limit_loop', `A range has at most ${RANGE_LIMIT} numbers.`, scope.lineOf(range.at));
    }
    const numbers: number[] = [];
    for (let number = low; number <= high; number++) numbers.push(number);
    frame.chargeMemory(numbers.length);
    return numbers;
  };
}

/** The whole part of a number; 0 for a value that is not a number. */
const wholeNumber = (value: unknown): number => Math.trunc(Number(fromDecimal(toDecimal(value))));

function compilePath(path: Path, scope: Scope, lenient: boolean): Reader {
  const line = scope.lineOf(path.at);
  const root = compileRoot(path.root, scope);
  const reportAbsent = () => {
    if (lenient) return null;
    throw templateFault('variable_missing', `There is no variable \`${path.text}\`.`, line);
  };
  const [step, ...more] = path.steps;
  if (step === undefined) {
    return (frame) => {
      const value = root(frame);
      return value === undefined ? reportAbsent() : value;
    };
  }
  if (more.length === 0 && typeof step === 'string') {
    return (frame) => {
      const base = root(frame);
      if (base === undefined) return reportAbsent();
      if (step === 'size' && typeof base === 'string') frame.chargeSteps(base.length / CHARACTERS_PER_STEP);
      const value = property(base, step);
      return value === undefined ? reportAbsent() : value;
    };
  }
  const keys = path.steps.map((key): Reader => (typeof key === 'object' ? compilePath(key, scope, false) : () => key));
  return (frame) => {
    let value = root(frame);
    for (const key of keys) {
      if (value === undefined) return reportAbsent();
      const step = toValue(key(frame));
      if (step === 'size' && typeof value === 'string') frame.chargeSteps(value.length / CHARACTERS_PER_STEP);
      value = property(value, step);
    }
    return value === undefined ? reportAbsent() : value;
  };
}

function compileRoot(root: Path['root'], scope: Scope): Reader {
  if (typeof root !== 'string') return compileOperand(root, scope, false);
  const slot = scope.slots.get(root);
  if (slot !== undefined) {
    scope.readSlots.add(slot);
    return (frame) => frame.slots[slot];
  }
  if (!scope.assigned.has(root)) return (frame) => own(frame.variables, root);
  return (frame) => {
    const local = frame.assigned(root);
    return local ? local.value : own(frame.variables, root);
  };
}

function own(holder: unknown, key: string | number): unknown {
  if (!Object.hasOwn(Object(holder), key)) return undefined;
  const value = (holder as Record<string | number, unknown>)[key];
  return typeof value === 'function' ? undefined : value;
}

/** Reads one step of a path: an own property, a list element counted from either end, or size, first and last. */
function property(holder: unknown, key: unknown): unknown {
  if (holder === null || holder === undefined) return holder;
  if (Array.isArray(holder) && typeof key === 'number') return own(holder, key < 0 ? holder.length + key : key);
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  const value = own(holder, key);
  if (value !== undefined) return value;
  if (key === 'size') {
    if (Array.isArray(holder)) return holder.length;
    if (typeof holder === 'string') return countCharacters(holder);
    // The values `empty` and `blank` have no size.
    if (holder instanceof Drop) return undefined;
    return typeof holder === 'object' ? Object.keys(holder).length : undefined;
  }
  if (Array.isArray(holder) && (key === 'first' || key === 'last')) return key === 'first' ? holder[0] : holder.at(-1);
  return undefined;
}

const FILTER_STEPS = 10;
/** Dates are parsed and formatted anew each time. */
const DATE_STEPS = 500;
const DATE_STEPS_PER_CHARACTER = 5;
/** The cost factor of filters that take longer per character or element than other filters. */
const COSTS: ReadonlyMap<string, number> = new Map([
  ...(['upcase', 'downcase', 'capitalize', 'escape', 'xml_escape', 'replace', 'url_encode', 'url_decode'] as const).map(
    (name) => [name, 5] as const,
  ),
  ...(['escape_once', 'slice', 'split', 'slugify', 'number_of_words', 'truncate', 'json'] as const).map(
    (name) => [name, 10] as const,
  ),
  ...(['where', 'reject', 'find', 'find_index', 'has', 'map', 'compact', 'uniq'] as const).map(
    (name) => [name, 20] as const,
  ),
  ['sort', 50],
  ['sum', 50],
  ['sort_natural', 100],
]);
const CLOCK_WORDS: ReadonlySet<unknown> = new Set(['now', 'today']);

function compileFilter(input: Reader, filter: FilterCall, scope: Scope): Reader {
  const handler = filterHandler(filter.name, scope.html);
  const unnamed = filter.args.filter((arg) => 'kind' in arg);
  const fault = argumentFault(filter.name, unnamed.length);
  if (fault !== undefined) throw templateFault('syntax', fault, scope.lineOf(filter.at));
  // Named arguments are options, at any position.
  const inOrder = [...unnamed, ...filter.args.filter((arg) => !('kind' in arg))];
  const args = inOrder.map((arg): Reader => {
    if ('kind' in arg) return compileOperand(arg, scope, false);
    const value = compileOperand(arg.value, scope, false);
    return (frame) => [arg.name, value(frame)];
  });
  const isDate = filter.name.startsWith('date');
  const steps = isDate ? DATE_STEPS : FILTER_STEPS;
  const cost = COSTS.get(filter.name) ?? 1;
  const line = scope.lineOf(filter.at);
  // The result of these filters can be longer than their input.
  const isCostly = filter.name === 'json' || filter.name === 'escape_once';
  return (frame) => {
    const scopeOfFilter: FilterScope = { context: frame.context, liquid: liquidEngine(), token: undefined };
    let value = input(frame);
    if (isDate && frame.now !== undefined && CLOCK_WORDS.has(value)) value = frame.now / 1000;
    const values = args.map((arg) => arg(frame));
    frame.chargeSteps(isDate ? steps + DATE_STEPS_PER_CHARACTER * printedSize(values) : steps);
    frame.chargeMemory(printedSize(value) * cost + printedSize(values));
    try {
      const result: unknown = toValueSync(handler.apply(scopeOfFilter, [value, ...values]) as never);
      if (typeof result === 'string' || Array.isArray(result))
        frame.chargeMemory(printedSize(result) * (isCostly ? cost : 1));
      return result;
    } catch (error) {
      if (isTemplateFault(error)) throw error;
      throw filterFault(error, filter.name, line);
    }
  };
}

function filterFault(error: unknown, name: string, line: number): Error {
  const message = messageOf(error);
  if (/limit exceeded/.test(message)) {
    return templateFault('limit_memory', 'The template builds more text than a mail may hold.', line);
  }
  return templateFault('filter_failed', `The filter \`${name}\` cannot work with this value.`, line);
}
