// The event types of the waits that a run may still reach. A run listens to them from its beginning, so that an event
// and the step at the wait lock the run one after the other, and the second of them sees the changes of the first.
// Called by the interpreter.
import type { SequenceGraph } from './graph.ts';

/** Returns the types of the waits at a node and after it. Each node is searched once. */
export function typesAhead(graph: SequenceGraph): (nodeId: string) => readonly string[] {
  const typesByNode = new Map<string, readonly string[]>();

  function search(nodeId: string): readonly string[] {
    const reachableIds = new Set([nodeId]);
    const types = new Set<string>();
    for (const id of reachableIds) {
      const node = graph.node(id);
      if (node === undefined) continue;
      // A wait for events about a message locks the message, and finds the message's events by itself.
      if (node.kind === 'wait_for_event' && node.ofNode === undefined) types.add(node.type);
      for (const { from, to } of graph.definition.edges) if (from === id) reachableIds.add(to);
    }
    return [...types];
  }

  return (nodeId) => {
    const foundTypes = typesByNode.get(nodeId) ?? search(nodeId);
    typesByNode.set(nodeId, foundTypes);
    return foundTypes;
  };
}
