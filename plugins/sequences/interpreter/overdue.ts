// The overdue policy `latest`: finds out whether a send that is late after a pause, an outage or an exhausted budget is followed by
// another send of the same kind that is also due.

import { isSend } from './actions.ts';
import { addText, branchTaken, delayEnd, type SequenceGraph, splitTaken } from './graph.ts';
import type { RunValues } from './paths.ts';
import type { RunContext } from './types.ts';

/** The delay in milliseconds after which a send is overdue. The policies `skip` and `latest` may then skip it. */
export const overdueAfterMs = 3_600_000;

const maxLookAhead = 200;

/**
 * Whether another send of the same kind is already due after this one. Follows the run as if no event happened, until a node that is
 * not due yet.
 */
export function laterSendIsDue(
  graph: SequenceGraph,
  from: { readonly nodeId: string; readonly plannedAt: number },
  runContext: RunContext,
  known: RunValues,
): boolean {
  const kind = graph.node(from.nodeId)?.kind;
  let [nodeId, at] = [graph.next(from.nodeId, 'next'), from.plannedAt];
  for (let steps = 0; nodeId !== undefined && steps < maxLookAhead; steps++) {
    const node = graph.node(nodeId);
    if (node === undefined || node.kind === 'exit') return false;
    if (isSend(node) && node.kind === kind) return true;
    let edge = 'next';
    if (node.kind === 'delay') {
      const end = delayEnd(node, at, known);
      // The run fails there or follows the edge `failed`, so no later send is due.
      if (end === undefined) return false;
      at = end;
    }
    if (node.kind === 'wait_for_event') {
      at = addText(at, node.timeout, known.zone);
      edge = 'timeout';
    }
    if (at > runContext.now) return false;
    if (node.kind === 'branch') edge = branchTaken(node, known);
    if (node.kind === 'split') edge = splitTaken(node, runContext.sequenceId, known);
    nodeId = graph.next(nodeId, edge);
  }
  return false;
}
