/**
 * Decides whether a piece of Liquid would have the same value at another place of its template. The value may differ if the piece reads
 * the variable of a loop or a name that is assigned more than once. Called by compile.ts for styles, because inlining moves them.
 */
import { isTemplateFault } from './fault.ts';
import { parseSource } from './grammar.ts';
import { listPlaceholders } from './placeholders.ts';
import type { Node } from './syntax.ts';

/** The names that have more than one meaning in a template. */
function changingNames(nodes: readonly Node[]): ReadonlySet<string> {
  const assigned = new Set<string>();
  const changing = new Set(['forloop']);
  const read = (body: readonly Node[], isTop: boolean): void => {
    for (const node of body) {
      if (node.kind === 'assign' || node.kind === 'capture') {
        if (!isTop || assigned.has(node.name)) changing.add(node.name);
        assigned.add(node.name);
      }
      if (node.kind === 'for') changing.add(node.name);
      if (node.kind === 'for' || node.kind === 'capture') read(node.body, false);
      if (node.kind === 'if' || node.kind === 'case') for (const branch of node.branches) read(branch.body, false);
      if (node.kind === 'if' || node.kind === 'case' || node.kind === 'for') read(node.otherwise, false);
    }
  };
  read(nodes, true);
  return changing;
}

/** Creates the test for a template without syntax faults. */
export function createMovableTest(template: string): (part: string) => boolean {
  let changing: ReadonlySet<string> | undefined;
  return (part) => {
    if (!part.includes('{{') && !part.includes('{%')) return true;
    changing ??= changingNames(parseSource(template));
    try {
      const reads = listPlaceholders(parseSource(part), () => 1, new Set());
      return reads.every(({ path: [root = ''] }) => !changing?.has(root));
    } catch (error) {
      if (!isTemplateFault(error)) throw error;
      return false;
    }
  };
}
