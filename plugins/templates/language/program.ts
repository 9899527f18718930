/**
 * Compiles nodes to steps: static texts, and functions that write to a frame. Rendering only runs the steps. In HTML the place
 * of a placeholder decides its handling: escaped in text, checked as a URL at the start of a URL, and refused at a place for
 * which no rule makes it safe.
 */

import { toValue } from 'liquidjs';
import { compileExpression, compileOperand, isEqual, isTrue, type Reader, type Scope } from './expression.ts';
import { templateFault } from './fault.ts';
import type { HtmlPosition } from './html-position.ts';
import type { MarkupContext } from './markup-listener.ts';
import { compileOutput } from './output.ts';
import type { RenderFrame } from './render-frame.ts';
import { decodeReferences, isUnsafeAttribute, schemeOf, URL_ATTRIBUTES } from './safe-url.ts';
import type { ForNode, Node } from './syntax.ts';

export type RenderStep = string | ((frame: RenderFrame) => void);

/** The compiler's state: the scope of names, and in HTML the position in the markup. */
export interface Compilation extends Scope {
  /** Enclosing loops: each has a slot for its item and one for its counter. */
  loops: number;
  /** Collects the offsets of outputs that begin a URL. */
  urls: Set<number>;
  /** Undefined in plain text. */
  position: HtmlPosition | undefined;
  /** Makes a position for a separate fragment, such as a capture. */
  newPosition: () => HtmlPosition | undefined;
}

/** Runs steps until they end, or until `break` or `continue`. */
export function run(steps: readonly RenderStep[], frame: RenderFrame): void {
  for (const step of steps) {
    if (typeof step === 'string') frame.writeFixed(step);
    else {
      step(frame);
      if (frame.signal !== 'none') return;
    }
  }
}

/** Compiles nodes in order. @throws TemplateFault `liquid_position`, `block_position`, `url_unsafe` with their line */
export function compileNodes(nodes: readonly Node[], compilation: Compilation): RenderStep[] {
  const outer: RenderStep[] = [];
  let steps = outer;
  let region: { attribute: string; at: number } | undefined;
  const { position } = compilation;
  for (const node of nodes) {
    if (node.kind !== 'text') {
      if (region && steps.every((step) => typeof step === 'string' && !settlesScheme(step)))
        compilation.urls.add(node.at);
      steps.push(...compileNode(node, compilation));
      continue;
    }
    position?.feed(node.text, node.at);
    const { closedAt, openedAt } = position ?? {};
    let from = 0;
    if (region && closedAt !== undefined) {
      addText(steps, node.text.slice(0, closedAt));
      outer.push(...checkedUrl(steps, region.attribute, compilation.lineOf(region.at)));
      steps = outer;
      region = undefined;
      from = closedAt;
    }
    const place = position?.context;
    if (openedAt !== undefined && place?.kind === 'value' && URL_ATTRIBUTES.has(place.attribute)) {
      addText(steps, node.text.slice(from, openedAt));
      region = { attribute: place.attribute, at: node.at + openedAt };
      steps = [];
      from = openedAt;
    }
    addText(steps, node.text.slice(from));
  }
  if (region) {
    throw templateFault(
      'block_position',
      'A block ends inside an attribute that began in it.',
      compilation.lineOf(region.at),
    );
  }
  return outer;
}

function addText(steps: RenderStep[], text: string): void {
  const last = steps.at(-1);
  if (typeof last === 'string') steps[steps.length - 1] = last + text;
  else if (text !== '') steps.push(text);
}

/**
 * The steps of a URL attribute's value. The whole value is checked after the steps ran, unless its static beginning
 * decides the scheme.
 */
function checkedUrl(steps: RenderStep[], attribute: string, line: number): RenderStep[] {
  const [first] = steps;
  if (typeof first === 'string' && attribute !== 'srcset' && settlesScheme(first)) return steps;
  if (steps.every((step) => typeof step === 'string')) return steps;
  return [
    (frame) => {
      const url = frame.collect(() => run(steps, frame));
      if (isUnsafeAttribute(attribute, url)) {
        throw templateFault('url_unsafe', `The URL in \`${attribute}\` would run or carry code.`, line);
      }
      frame.write(url);
    },
  ];
}

function settlesScheme(text: string): boolean {
  return schemeOf(decodeReferences(text)) !== undefined;
}

function compileNode(node: Exclude<Node, { kind: 'text' }>, compilation: Compilation): RenderStep[] {
  const place = liquidContext(node, compilation);
  switch (node.kind) {
    case 'output':
      return [compileOutput(node.value, node.raw, place, compilation, node.at)];
    case 'if':
      return [compileIf(node, compilation)];
    case 'case':
      return [compileCase(node, compilation)];
    case 'for':
      return [compileFor(node, compilation)];
    case 'assign': {
      const value = compileExpression(node.value, compilation, true);
      return [(frame) => frame.assign(node.name, value(frame))];
    }
    case 'capture':
      return [compileCapture(node.name, node.body, compilation)];
    case 'cycle':
      return [compileCycle(node, place, compilation)];
    case 'content': {
      const message = '`{% content %}` is allowed only in the body of a layout, once.';
      throw templateFault('content_misplaced', message, compilation.lineOf(node.at));
    }
    default: {
      const signal = node.kind;
      return [
        (frame) => {
          frame.signal = signal;
        },
      ];
    }
  }
}

function liquidContext(node: Node, compilation: Compilation): MarkupContext | undefined {
  const { position } = compilation;
  if (!position) return undefined;
  const { context } = position;
  const handler = context?.attribute.startsWith('on') || context?.attribute === 'srcdoc';
  if (!context || handler) {
    const message =
      'Liquid is allowed in text or inside a quoted attribute value, not inside a tag, a name or an event handler.';
    throw templateFault('liquid_position', message, compilation.lineOf(node.at));
  }
  if (node.kind === 'output' || node.kind === 'cycle') position.gap();
  return context;
}

/** Compiles the body of a block. In HTML it must end in the same kind of place where it began. */
function compileBody(body: readonly Node[], compilation: Compilation, at: number): RenderStep[] {
  const { position } = compilation;
  const before = position?.mark;
  const steps = compileNodes(body, compilation);
  if (position && (position.mark !== before || !position.context)) {
    const message = 'A block must end where it began: in text, or inside the same attribute value.';
    throw templateFault('block_position', message, compilation.lineOf(at));
  }
  return steps;
}

function compileBranches(bodies: readonly (readonly Node[])[], compilation: Compilation, at: number): RenderStep[][] {
  const open = [...(compilation.position?.stack ?? [])];
  return bodies.map((body) => {
    compilation.position?.stack.splice(0, Number.POSITIVE_INFINITY, ...open);
    return compileBody(body, compilation, at);
  });
}

function compileIf(node: Extract<Node, { kind: 'if' }>, compilation: Compilation): RenderStep {
  const tests = node.branches.map(({ test, negated }): Reader => {
    const read = compileExpression(test, compilation, true);
    return negated ? (frame) => !isTrue(read(frame)) : (frame) => isTrue(read(frame));
  });
  const bodies = compileBranches([...node.branches.map(({ body }) => body), node.otherwise], compilation, node.at);
  return (frame) => {
    let index = 0;
    while (index < tests.length && !tests[index]?.(frame)) index++;
    run(bodies[index] ?? [], frame);
  };
}

function compileCase(node: Extract<Node, { kind: 'case' }>, compilation: Compilation): RenderStep {
  const subject = compileExpression(node.subject, compilation, true);
  const values = node.branches.map((branch) => branch.values.map((value) => compileOperand(value, compilation, true)));
  const bodies = compileBranches([...node.branches.map(({ body }) => body), node.otherwise], compilation, node.at);
  return (frame) => {
    const target: unknown = toValue(subject(frame));
    let isHit = false;
    // As in Liquid, every branch with the value runs, not only the first.
    for (const [index, branch] of values.entries()) {
      if (!branch.some((value) => isEqual(target, value(frame), frame))) continue;
      isHit = true;
      run(bodies[index] ?? [], frame);
      if (frame.signal !== 'none') return;
    }
    if (!isHit) run(bodies[values.length] ?? [], frame);
  };
}

/** A loop's counter, as templates read it from `forloop`. */
interface LoopCounter {
  index: number;
  index0: number;
  rindex: number;
  rindex0: number;
  first: boolean;
  last: boolean;
  length: number;
}

/** The steps of one round of a loop, without its body. */
const LOOP_STEPS = 2;

function compileFor(node: ForNode, compilation: Compilation): RenderStep {
  const read = compileOperand(node.collection, compilation, false);
  const [offset, limit] = [node.offset, node.limit].map(
    (operand) => operand && compileOperand(operand, compilation, false),
  );
  const [slot, counterSlot] = [compilation.loops * 2, compilation.loops * 2 + 1];
  const slots = new Map(compilation.slots).set(node.name, slot).set('forloop', counterSlot);
  const open = [...(compilation.position?.stack ?? [])];
  const body = compileBody(node.body, { ...compilation, slots, loops: compilation.loops + 1 }, node.at);
  compilation.position?.stack.splice(0, Number.POSITIVE_INFINITY, ...open);
  const otherwise = compileBody(node.otherwise, compilation, node.at);
  const isCounted = compilation.readSlots.has(counterSlot);
  const steps = body.length + LOOP_STEPS;
  return (frame) => {
    let items = enumerate(toValue(read(frame)));
    if (items.length === 0) return run(otherwise, frame);
    if (offset) items = items.slice(countOf('offset', offset(frame)) ?? 0);
    if (limit) items = items.slice(0, countOf('limit', limit(frame)));
    if (node.reversed) items = [...items].reverse();
    const { length } = items;
    for (let index0 = 0; index0 < length; index0++) {
      frame.chargeSteps(steps);
      frame.slots[slot] = items[index0];
      if (isCounted) frame.slots[counterSlot] = countLoop(index0, length);
      run(body, frame);
      frame.write('');
      const { signal } = frame;
      frame.signal = 'none';
      if (signal === 'break') break;
    }
  };
}

/** Reads a number of a loop (`limit`, `offset`); undefined for nil. */
function countOf(name: string, argument: unknown): number | undefined {
  const value: unknown = toValue(argument);
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'boolean' || value === '' || typeof value === 'object' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) throw templateFault('filter_failed', `\`${name}\` of a loop is not a number.`);
  return number;
}

function countLoop(index0: number, length: number): LoopCounter {
  const rindex0 = length - 1 - index0;
  return { index: index0 + 1, index0, rindex: rindex0 + 1, rindex0, first: index0 === 0, last: rindex0 === 0, length };
}

function enumerate(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function compileCapture(name: string, body: readonly Node[], compilation: Compilation): RenderStep {
  const position = compilation.newPosition();
  const inner = { ...compilation, position };
  const steps = compileBody(body, inner, body[0]?.at ?? 0);
  return (frame) => {
    const captured = frame.collect(() => run(steps, frame));
    frame.chargeMemory(captured.length);
    frame.assign(name, captured);
  };
}

function compileCycle(
  node: Extract<Node, { kind: 'cycle' }>,
  context: MarkupContext | undefined,
  compilation: Compilation,
): RenderStep {
  const group = node.group && compileOperand(node.group, compilation, false);
  const outputs = node.candidates.map((candidate) => {
    const raw = candidate.filters.at(-1)?.name === 'raw';
    return compileOutput(candidate, raw, context, compilation, node.at);
  });
  return (frame) => {
    const key = group ? `named ${frame.textOf(group(frame))}` : node.key;
    const output = outputs[frame.nextCyclePosition(key, outputs.length)];
    if (output) run([output], frame);
  };
}
