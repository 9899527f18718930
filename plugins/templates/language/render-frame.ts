/**
 * The state of one rendering: its output so far, its names and its usage of the limits. It is created for every rendering and
 * never shared. Steps, memory and output are counted exactly. The time limit is for single filters that are slow.
 */
import { Context, toValue } from 'liquidjs';
import { WholeFraction } from './decimals.ts';
import { templateFault } from './fault.ts';
import { liquidEngine } from './grammar.ts';
import { MEMORY_LIMIT, OUTPUT_LIMIT, STEP_LIMIT, TIME_LIMIT } from './limits.ts';

export type RenderVariables = Readonly<Record<string, unknown>>;

/** Static text of a template, and its offset in the output. */
export interface StaticText {
  readonly at: number;
  readonly text: string;
}

/** The minimum length, in characters, of static texts that are recorded. */
const FIXED_LENGTH = 48;

export class RenderFrame {
  out = '';
  /** The static texts of the output, in order, without those inside captures and checked URLs. */
  readonly fixed: StaticText[] = [];
  /** Loop variables and loop counters, by the slot that the compiler assigned to them. */
  readonly slots: unknown[] = [];
  readonly variables: RenderVariables;
  /** The time that `now` means in date filters, in milliseconds since 1970. */
  readonly now: number | undefined;
  signal: 'none' | 'break' | 'continue' = 'none';
  private names: Map<string, unknown> | undefined;
  private turns: Map<string, number> | undefined;
  private liquid: Context | undefined;
  private steps = 0;
  private memory = 0;
  private checkAt = 256;
  private deadline = 0;
  private captureDepth = 0;

  constructor(variables: RenderVariables, now: number | undefined) {
    this.variables = variables;
    this.now = now;
  }

  /** liquidjs's own context. Some filters use it to read properties, which may be absent, and to charge memory. */
  get context(): Context {
    this.liquid ??= new Context(
      {},
      liquidEngine().options,
      { sync: true, strictVariables: false },
      { liquid: liquidEngine() },
    );
    return this.liquid;
  }

  assign(name: string, value: unknown): void {
    this.names ??= new Map();
    this.names.set(name, value);
  }

  assigned(name: string): { value: unknown } | undefined {
    return this.names?.has(name) ? { value: this.names.get(name) } : undefined;
  }

  /** Returns the current position of a `cycle`, and moves to the next one. */
  nextCyclePosition(key: string, count: number): number {
    this.turns ??= new Map();
    const turn = this.turns.get(key) ?? 0;
    this.turns.set(key, (turn + 1) % count);
    return turn;
  }

  /** Charges steps. @throws TemplateFault `limit_loop`, `limit_time` */
  chargeSteps(steps: number): void {
    this.steps += steps;
    if (this.steps < this.checkAt) return;
    if (this.steps > STEP_LIMIT)
      throw templateFault(
        'limit_loop',
        `The template takes more than ${STEP_LIMIT} steps: in loops, a tag or placeholder is 1, a round 2, a filter 10, one for dates 500, and a condition counts the elements and characters that it searches. Shorten its lists, or take filters out of its loops.`,
      );
    this.checkAt = this.steps + 256;
    const now = performance.now();
    this.deadline ||= now + TIME_LIMIT;
    if (now > this.deadline) throw templateFault('limit_time', `Rendering took more than ${TIME_LIMIT} ms.`);
  }

  /** Whether the rendering has used a tenth of a limit. */
  get isExpensive(): boolean {
    return this.steps > STEP_LIMIT / 10 || this.memory > MEMORY_LIMIT / 10 || this.out.length > OUTPUT_LIMIT / 10;
  }

  /** Charges characters and list elements. @throws TemplateFault `limit_memory` */
  chargeMemory(amount: number): void {
    this.memory += amount;
    if (this.memory > MEMORY_LIMIT)
      throw templateFault('limit_memory', 'The template builds more text than a mail may hold.');
  }

  /** Adds static text to the output. */
  writeFixed(text: string): void {
    if (this.captureDepth === 0 && text.length >= FIXED_LENGTH) this.fixed.push({ at: this.out.length, text });
    this.out += text;
  }

  /** Returns the text that `work` writes, without adding it to the output. */
  collect(work: () => void): string {
    const outputBefore = this.out;
    this.out = '';
    this.captureDepth += 1;
    work();
    this.captureDepth -= 1;
    const capturedText = this.out;
    this.out = outputBefore;
    return capturedText;
  }

  /** Adds to the output. @throws TemplateFault `limit_output` */
  write(text: string): void {
    this.out += text;
    if (this.out.length > OUTPUT_LIMIT) {
      throw templateFault('limit_output', `The result has more than ${OUTPUT_LIMIT} characters.`);
    }
  }

  /**
   * Returns a value as the text that Liquid prints: nothing for nil; lists joined.
   * @throws TemplateFault `not_text` for an object, which Liquid cannot print
   */
  textOf(value: unknown): string {
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) return '';
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
    if (value instanceof WholeFraction) return value.toString();
    if (Array.isArray(value)) {
      this.chargeMemory(printedSize(value));
      return value.map((item) => this.textOf(item)).join('');
    }
    const plain: unknown = toValue(value);
    if (plain !== value) return this.textOf(plain);
    throw templateFault('not_text', 'An object cannot be printed: name one of its properties.');
  }
}

/**
 * The printed size of a value: the characters of texts plus one for every list element, at all levels. Counting stops
 * soon after the memory limit, so that a list that shares its parts a million times costs no more than the limit.
 */
export function printedSize(value: unknown, sofar = 0): number {
  if (typeof value === 'string') return sofar + value.length;
  let weight = sofar + 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight <= MEMORY_LIMIT; index++)
      weight = printedSize(value[index], weight);
  }
  return weight;
}
