/**
 * A template's contract: the subset of JSON Schema 2020-12 that validates its variables. Publishing checks the author's
 * contract or infers a contract. The checked value is stored, served and compiled.
 */
import { type ContractFault, checkNode } from './check.ts';
import type { Contract, ContractNode } from './node.ts';
import { compileValidator } from './validator.ts';

export type { ContractFault } from './check.ts';
export type { ContractComparison } from './compare.ts';
export { compareContracts } from './compare.ts';
export { declaredLike, inferContract, missingPlaceholders } from './infer.ts';
export { joinContracts } from './join.ts';
export type { Contract, ContractFormat, ContractNode, ContractType, Scalar } from './node.ts';

export type CheckedContract = { ok: true; contract: Contract } | { ok: false; faults: ContractFault[] };

/**
 * Checks an author's contract and returns its normal form: keywords in a fixed order, defaults written out. A fault
 * names the keyword and its path, which starts with `variables`.
 */
export function checkContract(json: unknown): CheckedContract {
  const { node, faults } = checkNode(json);
  if (faults.length > 0 || !node) return { ok: false, faults };
  const contract: Contract = {
    ...node,
    type: 'object',
    properties: node.properties ?? {},
    required: node.required ?? [],
    additionalProperties: node.additionalProperties ?? false,
  };
  const wrong = findWrongDefaults(contract, 'variables');
  return wrong.length > 0 ? { ok: false, faults: wrong } : { ok: true, contract };
}

/** Finds defaults that their own schema refuses: every send that relies on such a default would fail. */
function findWrongDefaults(node: ContractNode, path: string): ContractFault[] {
  const faults: ContractFault[] = [];
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const at = `${path}.properties.${name}`;
    if (child.default !== undefined) {
      const properties = { value: child };
      const holder: Contract = { type: 'object', properties, required: [], additionalProperties: false };
      const [fault] = compileValidator(holder)({ value: child.default }).faults;
      if (fault)
        faults.push({
          path: `${at}.default`,
          code: 'default_invalid',
          message: `The default is refused: ${fault.message}`,
        });
    }
    faults.push(...findWrongDefaults(child, at));
  }
  if (node.items) faults.push(...findWrongDefaults(node.items, `${path}.items`));
  return faults;
}
