// Sequences that the program defines: they exist in every workspace, and only the program changes them.
import { checkValue, faultSummary } from '../../../core/unstable.ts';
import { type Definition, type DefinitionInput, definitionSchema } from '../definition/schema.ts';

/** A sequence as the program writes it. */
export interface CodeSequence extends Omit<DefinitionInput, 'edges' | 'settings'> {
  /** 1 to 80 characters: a–z, 0–9, _ and -. Do not change it between releases, because runs are stored under it. */
  readonly key: string;
  readonly name: string;
  /** (Default: none, for a sequence of one node) */
  readonly edges?: DefinitionInput['edges'];
  /** (Default: the API's defaults) */
  readonly settings?: DefinitionInput['settings'];
}

/** A sequence defined in code, after the checks. */
export interface CheckedSequence {
  readonly key: string;
  readonly name: string;
  readonly definition: Definition;
}

/** @throws TypeError if the schema refuses a sequence, or if a key is used twice */
export function checkSequences(input: readonly CodeSequence[]): readonly CheckedSequence[] {
  const keys = new Set<string>();
  return input.map(({ key, name, trigger, nodes, edges = [], settings = {} }) => {
    if (!/^[a-z0-9_-]{1,80}$/.test(key) || keys.has(key))
      throw new TypeError(
        `sequencesPlugin: the key ${key} is used twice, or is not 1 to 80 characters of a–z, 0–9, _ and -.`,
      );
    keys.add(key);
    const [first, second] = nodes.filter(({ kind }) => kind !== 'goal');
    if (first !== undefined && second !== undefined && edges.length === 0)
      throw new TypeError(
        `sequencesPlugin: the sequence ${key} has ${nodes.length} nodes and no edges, so every run would end at its first node. Connect them, for example edges: [{ from: '${first.id}', to: '${second.id}' }].`,
      );
    const parsed = checkValue(definitionSchema, { trigger, nodes, edges, settings }, 'The definition');
    if (!parsed.ok) throw new TypeError(`sequencesPlugin: the sequence ${key}: ${faultSummary(parsed.faults)}`);
    return { key, name, definition: parsed.data };
  });
}
