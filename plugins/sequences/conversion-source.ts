// Finds the sequences whose steps sent a mail, so that conversions are attributed to them. The metadata of a mail contains the id of
// its run. Programs can write metadata, too, so the id counts only if the run exists.
import type { ConversionSource } from '../broadcasts/index.ts';
import { textOf } from './engine/run-events.ts';
import { runRows } from './tables.ts';

export const createConversionSource = (): ConversionSource => ({
  async find({ trx }, mails) {
    const runOf = new Map(
      mails.flatMap(({ sendId, metadata }) => {
        const runId = textOf(metadata['runId']);
        return runId === undefined ? [] : [[sendId, { runId, nodeId: textOf(metadata['nodeId']) }] as const];
      }),
    );
    if (runOf.size === 0) return new Map();
    const runs = await runRows.findIn(trx, 'id', [...new Set([...runOf.values()].map(({ runId }) => runId))]);
    const sequences = new Map(runs.map(({ id, sequence_id: sequenceId }) => [id, sequenceId]));
    return new Map(
      [...runOf].flatMap(([sendId, { runId, nodeId }]) => {
        const sourceId = sequences.get(runId);
        return sourceId === undefined ? [] : [[sendId, { sourceId, step: nodeId ?? null }] as const];
      }),
    );
  },
});
