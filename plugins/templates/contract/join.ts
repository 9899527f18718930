/**
 * Joins a layout's contract with that of a template inside it: callers give the variables of both at once. Called when
 * a template is compiled or shown; pure, on checked contracts.
 */
import type { Placeholder } from '../language/placeholders.ts';
import { missingPlaceholders } from './infer.ts';
import type { Contract } from './node.ts';

/**
 * Joins them. The template author's declarations win. A variable of the layout alone is declared as in the layout. So
 * is a variable that both read, unless the template reads properties of it that the layout does not declare.
 * @param contract the template's own, or the one inferred from the `placeholders` of both where its author gave none
 */
export function joinContracts(
  contract: Contract,
  layout: Contract,
  { authored, placeholders }: { readonly authored: boolean; readonly placeholders: readonly Placeholder[] },
): Contract {
  const own = contract.properties;
  const unknown = new Set(missingPlaceholders(layout, placeholders).map(({ path }) => path[0]));
  const isTaken = (name: string): boolean => !Object.hasOwn(own, name) || (!authored && !unknown.has(name));
  const taken = Object.entries(layout.properties).filter(([name]) => isTaken(name));
  const names = new Set(taken.map(([name]) => name));
  const examples = contract.examples?.map((example) => fillExample(example, layout, names));
  return {
    ...contract,
    properties: { ...own, ...Object.fromEntries(taken) },
    required: [
      ...contract.required.filter((name) => !names.has(name)),
      ...layout.required.filter((name) => names.has(name)),
    ],
    additionalProperties: contract.additionalProperties || layout.additionalProperties,
    ...(examples === undefined ? {} : { examples }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An author's example lacks the layout's variables: they are taken from the layout's first example. */
function fillExample(example: unknown, layout: Contract, names: ReadonlySet<string>): unknown {
  const [first] = layout.examples ?? [];
  if (!isObject(example) || !isObject(first)) return example;
  return { ...Object.fromEntries(Object.entries(first).filter(([name]) => names.has(name))), ...example };
}
