// Lists the code-defined sequences that are not yet published in a workspace, with the reasons. Used by enrolments and `doctor`.
import type { ReadContext } from '../../../core/index.ts';
import { faultsOf } from '../publish/check.ts';
import { type SequenceRow, sequenceRows } from '../tables.ts';

/** A waiting sequence. `reason` is a sentence without its subject, such as: `is in the code of the program, …`. */
export interface WaitingSequence {
  readonly key: string;
  readonly reason: string;
}

/** `ctx.services.codeSequences`. */
export interface CodeSequences {
  /** The code-defined sequences that were never published in the workspace. */
  listWaiting(ctx: ReadContext): Promise<readonly WaitingSequence[]>;
}

/**
 * The reason why a code-defined sequence is still a draft, as a sentence without its subject. Undefined for other
 * sequences.
 */
export async function unpublishedReason(
  ctx: ReadContext,
  { key, source, status, definition }: Pick<SequenceRow, 'key' | 'source' | 'status' | 'definition'>,
): Promise<string | undefined> {
  if (source !== 'code' || status !== 'draft') return undefined;
  const [firstFault] = await faultsOf(ctx, key, definition);
  const explanation = firstFault?.message ?? 'It is published when a process starts.';
  return `is in the code of the program, and waits to be published in this workspace. ${explanation}`;
}

export const createCodeSequences = (): CodeSequences => ({
  async listWaiting(ctx) {
    const waiting: WaitingSequence[] = [];
    for await (const rows of sequenceRows.each(ctx.trx, { source: 'code', status: 'draft' }))
      for (const row of rows) {
        const reason = await unpublishedReason(ctx, row);
        if (reason !== undefined) waiting.push({ key: row.key, reason });
      }
    return waiting;
  },
});

declare module '../../../core/contract/open.ts' {
  interface Services {
    codeSequences: CodeSequences;
  }
}
