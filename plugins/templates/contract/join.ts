/**
 * Joins a layout's contract with the contract of a template inside it, because callers pass the variables of both
 * together. Called when a template is compiled or shown. Pure; takes checked contracts.
 */
import type { Placeholder } from '../language/placeholders.ts';
import { missingPlaceholders } from './infer.ts';
import type { Contract, ContractNode } from './node.ts';

/**
 * Joins the two contracts. A variable that only the layout reads keeps the layout's declaration. For a variable of both, the
 * author's declaration counts. If the author gave no contract, the layout's declaration counts, unless the template reads
 * properties of the variable that the layout does not declare.
 * @param contract the template's own contract or, if its author gave none, the contract inferred from the
 * `placeholders` of both
 */
export function joinContracts(
  contract: Contract,
  layout: Contract,
  { authored, placeholders }: { readonly authored: boolean; readonly placeholders: readonly Placeholder[] },
): Contract {
  const ownProperties = contract.properties;
  const undeclaredInLayout = new Set(missingPlaceholders(layout, placeholders).map(({ path }) => path[0]));
  const comesFromLayout = (name: string): boolean =>
    !Object.hasOwn(ownProperties, name) || (!authored && !undeclaredInLayout.has(name));
  const fromLayout = Object.entries(layout.properties).filter(([name]) => comesFromLayout(name));
  const names = new Set(fromLayout.map(([name]) => name));
  // A value that one of the two hides is hidden.
  const hidden = Object.entries(ownProperties).flatMap(([name, node]): [string, ContractNode][] =>
    Object.hasOwn(layout.properties, name) && layout.properties[name]?.writeOnly
      ? [[name, { ...node, writeOnly: true }]]
      : [],
  );
  const examples = contract.examples?.map((example) => fillExample(example, layout, names));
  return {
    ...contract,
    properties: { ...ownProperties, ...Object.fromEntries(hidden), ...Object.fromEntries(fromLayout) },
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

/** An author's example has no values for the layout's variables: they are taken from the layout's first example. */
function fillExample(example: unknown, layout: Contract, names: ReadonlySet<string>): unknown {
  const [first] = layout.examples ?? [];
  if (!isObject(example) || !isObject(first)) return example;
  return { ...Object.fromEntries(Object.entries(first).filter(([name]) => names.has(name))), ...example };
}
