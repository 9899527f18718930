// The checks before publishing: the graph, the edges of each kind of node, and all resources that the definition uses.
// Every fault is one detail with the id of its node. Pure: `ResolvedReferences` contains the resources that exist
// outside the definition.
import type { ErrorDetail } from '../../../core/index.ts';
import { entriesOf } from '../interpreter/graph.ts';
import { referenceFaults } from './reference-faults.ts';
import type { ResolvedReferences } from './references.ts';
import { type Definition, maxDefinitionBytes, type SequenceNode } from './schema.ts';
import type { ReadPaths } from './text-paths.ts';

/** The edges that a node may have. */
export function edgesOf(node: SequenceNode): string[] {
  switch (node.kind) {
    case 'delay':
      return node.relativeTo === undefined ? ['next'] : ['next', 'failed'];
    case 'goal':
      return ['next'];
    case 'wait_for_event':
      return ['matched', 'timeout'];
    case 'branch':
      return [...node.conditions.map((_, index) => `branch:${index}`), 'else'];
    case 'split':
      return node.weights.map((_, index) => `split:${index}`);
    case 'exit':
      return [];
    default:
      return ['next', 'failed'];
  }
}

/** A fault of the whole definition, or of one node. The path for a node is `nodes.<id>`. */
export const faultAt = (nodeId: string | null, code: string, message: string): ErrorDetail => ({
  path: nodeId === null ? 'nodes' : `nodes.${nodeId}`,
  code,
  message,
});

const quoted = (ids: readonly string[]): string => ids.slice(0, 10).join(', ');

function duplicateFaults({ nodes }: Definition): ErrorDetail[] {
  const usedIds = new Set<string>();
  return nodes.flatMap(({ id }) => {
    const isRepeated = usedIds.has(id);
    usedIds.add(id);
    return isRepeated ? [faultAt(id, 'node_duplicate', `Two nodes have the id ${id}.`)] : [];
  });
}

function edgeFaults({ nodes, edges }: Definition): ErrorDetail[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const usedEdges = new Set<string>();
  return edges.flatMap(({ from, to, when }): ErrorDetail[] => {
    const node = byId.get(from);
    if (node === undefined)
      return [faultAt(from, 'edge_unknown_node', `An edge leaves ${from}, but no node has this id.`)];
    const faults: ErrorDetail[] = [];
    if (!byId.has(to))
      faults.push(
        faultAt(from, 'edge_unknown_node', `The edge ${when} of ${from} leads to ${to}, which is not a node.`),
      );
    const allowed = edgesOf(node);
    if (!allowed.includes(when)) {
      const edgesText = allowed.length === 0 ? 'has no edges' : `has the edges ${allowed.join(', ')}`;
      faults.push(
        faultAt(from, 'edge_kind', `${from} is a ${node.kind} and ${edgesText}; ${when} is not one of them.`),
      );
    }
    const key = `${from}|${when}`;
    if (usedEdges.has(key)) faults.push(faultAt(from, 'edge_duplicate', `${from} has two edges ${when}.`));
    usedEdges.add(key);
    return faults;
  });
}

/** Maps each node to the nodes that its edges lead to. */
const successors = ({ edges }: Definition): ReadonlyMap<string, readonly string[]> => {
  const targetsById = new Map<string, string[]>();
  for (const { from, to } of edges) targetsById.set(from, [...(targetsById.get(from) ?? []), to]);
  return targetsById;
};

function entryFaults(definition: Definition): ErrorDetail[] {
  const { nodes } = definition;
  if (nodes.every(({ kind }) => kind === 'goal'))
    return [faultAt(null, 'graph_empty', 'The sequence has no node at which a run could begin.')];
  const entries = entriesOf(definition);
  const [entry, ...others] = entries;
  if (entry === undefined)
    return [
      faultAt(
        null,
        'entry_missing',
        'An edge leads to every node, so runs have no beginning: remove those to the first.',
      ),
    ];
  if (others.length > 0)
    return entries.map((id) =>
      faultAt(
        id,
        'entry_ambiguous',
        `Runs begin at one node, but no edge leads to ${quoted(entries)}. Join them, such as { "from": "${entry}", "to": "${others[0]}" }.`,
      ),
    );
  const targetsOf = successors(definition);
  const reached = new Set([entry]);
  for (const id of reached) for (const to of targetsOf.get(id) ?? []) reached.add(to);
  return nodes
    .filter(({ id, kind }) => kind !== 'goal' && !reached.has(id))
    .map(({ id }) => faultAt(id, 'node_unreachable', `No path leads from ${entry} to ${id}.`));
}

/**
 * Cycles in which a run never waits. A delay relative to a time does not count as a pause, because that time may be in
 * the past.
 */
function cycleFaults(definition: Definition): ErrorDetail[] {
  const targetsOf = successors(definition);
  const pausingIds = new Set(
    definition.nodes
      .filter((node) => node.kind === 'wait_for_event' || (node.kind === 'delay' && node.relativeTo === undefined))
      .map(({ id }) => id),
  );
  const finishedIds = new Set<string>();
  const faults: ErrorDetail[] = [];
  for (const { id: start } of definition.nodes) {
    if (finishedIds.has(start) || pausingIds.has(start)) continue;
    const path: { readonly id: string; readonly rest: string[] }[] = [];
    const visit = (id: string) => path.push({ id, rest: [...(targetsOf.get(id) ?? [])] });
    visit(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = top.rest.pop();
      if (to === undefined) {
        finishedIds.add(top.id);
        path.pop();
      } else if (!pausingIds.has(to) && !finishedIds.has(to)) {
        const from = path.findIndex(({ id }) => id === to);
        if (from === -1) visit(to);
        else {
          const cycle = [...path.slice(from).map(({ id }) => id), to].join(' → ');
          faults.push(faultAt(to, 'cycle', `A run would never leave ${cycle}: put a delay or a wait into it.`));
        }
      }
    }
  }
  return faults;
}

/** Faults of `wait_for_event` nodes with `ofNode`: that node must exist and send a message. */
function waitFaults({ nodes }: Definition): ErrorDetail[] {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]));
  return nodes.flatMap((node) => {
    if (node.kind !== 'wait_for_event' || node.ofNode === undefined) return [];
    const kind = kinds.get(node.ofNode);
    if (kind === 'send_email' || kind === 'send_sms') return [];
    const message = `${node.id} waits for events about ${node.ofNode}, which is not a node that sends.`;
    return [faultAt(node.id, 'of_node', message)];
  });
}

/** Every fault of the graph alone. */
export function graphFaults(definition: Definition): ErrorDetail[] {
  const size = Buffer.byteLength(JSON.stringify(definition));
  const tooLarge = `The definition has ${size} bytes as JSON; ${maxDefinitionBytes} are allowed.`;
  return [
    ...(size > maxDefinitionBytes ? [faultAt(null, 'too_large', tooLarge)] : []),
    ...duplicateFaults(definition),
    ...edgeFaults(definition),
    ...entryFaults(definition),
    ...cycleFaults(definition),
    ...waitFaults(definition),
  ];
}

/**
 * Every fault that prevents a definition from being published; empty if there are none.
 * @param readPaths returns the paths that a text in the template language reads, as `services.templates.text({ body }).paths` does
 */
export function checkGraph(
  definition: Definition,
  references: ResolvedReferences,
  readPaths: ReadPaths,
): ErrorDetail[] {
  return [...graphFaults(definition), ...referenceFaults(definition, references, readPaths)];
}
