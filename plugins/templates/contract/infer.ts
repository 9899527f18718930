/**
 * Placeholders ↔ contract: infers a contract from a template's placeholders, and finds placeholders that are missing in
 * a given contract. Called when a template is compiled, shown or published; pure.
 */
import { suggestionFor } from '../../../core/unstable.ts';
import type { Placeholder } from '../language/placeholders.ts';
import { isVariableName } from './check.ts';
import type { Contract, ContractNode, ContractType } from './node.ts';

/** The facts that inference collects about one step of the paths. */
interface Sketch {
  properties: Map<string, Sketch>;
  element: Sketch | undefined;
  /** Whether the template needs this step wherever it needs the parent. */
  required: boolean;
}

/**
 * Infers a contract: a variable is a text, a dotted path makes objects, a `for` makes a list. Variables that the
 * template uses are required. Variables that it only tests in an `if`, uses behind such a test or gives a `default` are
 * optional. Names that a contract may not contain are omitted; missingPlaceholders reports them.
 */
export function inferContract(placeholders: readonly Placeholder[]): Contract {
  const root = newSketch();
  for (const { path, usage, guarded } of placeholders) {
    if (path.some((step) => step !== '[]' && step !== '*' && !isVariableName(step))) continue;
    let sketch = root;
    const optional = usage === 'condition' ? path.length : guarded;
    for (const [index, step] of path.entries()) {
      sketch = stepInto(sketch, step);
      sketch.required ||= index >= optional;
    }
    if (usage === 'list') sketch.element ??= newSketch();
  }
  const node = nodeOf(root);
  return {
    ...node,
    type: 'object',
    properties: node.properties ?? {},
    required: node.required ?? [],
    additionalProperties: false,
  };
}

function newSketch(): Sketch {
  return { properties: new Map(), element: undefined, required: false };
}

function stepInto(sketch: Sketch, step: string): Sketch {
  if (step === '[]' || step === '*') {
    sketch.element ??= newSketch();
    return sketch.element;
  }
  const child = sketch.properties.get(step) ?? newSketch();
  sketch.properties.set(step, child);
  return child;
}

/** The properties that every list has in addition to its elements. */
const LIST_STEPS: ReadonlySet<string> = new Set(['size', 'first', 'last']);

function nodeOf(sketch: Sketch): ContractNode {
  if (sketch.element) {
    const element = sketch.element;
    for (const step of ['first', 'last']) {
      for (const [name, child] of sketch.properties.get(step)?.properties ?? []) element.properties.set(name, child);
    }
    return { type: 'array', items: nodeOf(element) };
  }
  if (sketch.properties.size === 0) return { type: 'string' };
  const properties = [...sketch.properties].map(([name, child]): [string, ContractNode] => [name, nodeOf(child)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...sketch.properties].filter(([, child]) => child.required).map(([name]) => name),
    additionalProperties: false,
  };
}

/** The placeholders without a schema in the contract: a template must not need a variable that callers cannot send. */
export function missingPlaceholders<P extends Pick<Placeholder, 'path'>>(
  contract: ContractNode,
  placeholders: readonly P[],
): P[] {
  return placeholders.filter(({ path }) => !reaches(contract, path));
}

function reaches(node: ContractNode, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  const types: readonly ContractType[] = Array.isArray(node.type) ? node.type : node.type ? [node.type] : [];
  const child = node.properties && Object.hasOwn(node.properties, step) ? node.properties[step] : undefined;
  if (child) return reaches(child, rest);
  const isList = types.includes('array');
  const isObject = types.includes('object');
  if (step === 'size' && (isList || isObject || types.includes('string'))) return rest.length === 0;
  if (isList && (step === '[]' || step === '*' || LIST_STEPS.has(step)))
    return !node.items || reaches(node.items, rest);
  // A loop over an object yields pairs of name and value.
  if (isObject && (step === '[]' || step === '*')) return true;
  return isObject && node.additionalProperties === true;
}

/** The declared variable that a missing path probably means, written like the path; undefined if none is similar. */
export function declaredLike(contract: ContractNode, path: readonly string[]): string | undefined {
  let node: ContractNode | undefined = contract;
  for (const [index, step] of path.entries()) {
    if (node === undefined) return undefined;
    const isElement = step === '[]' || step === '*';
    const properties: Readonly<Record<string, ContractNode>> = node.properties ?? {};
    if (!isElement && !Object.hasOwn(properties, step)) {
      const similarName = suggestionFor(step, Object.keys(properties));
      return similarName === undefined ? undefined : [...path.slice(0, index), similarName].join('.');
    }
    node = isElement ? node.items : properties[step];
  }
  return undefined;
}
