// Sequences of the program's code that are not yet published in a workspace, and why. Used by enrolments and `doctor`.
import type { ReadContext } from '../../../core/index.ts';
import { faultsOf } from '../publish/check.ts';
import { type SequenceRow, sequenceRows } from '../tables.ts';

/** A waiting sequence. `reason` says what it waits for and has no subject: `is in the code of the program, …`. */
export interface WaitingSequence {
  readonly key: string;
  readonly reason: string;
}

/** `ctx.services.codeSequences`. */
export interface CodeSequences {
  /** The code-defined sequences that were never published in the workspace. */
  waiting(ctx: ReadContext): Promise<readonly WaitingSequence[]>;
}

/** Why a code-defined sequence is still a draft, as a sentence without its subject. Undefined for other sequences. */
export async function waitsFor(
  ctx: ReadContext,
  { key, source, status, definition }: Pick<SequenceRow, 'key' | 'source' | 'status' | 'definition'>,
): Promise<string | undefined> {
  if (source !== 'code' || status !== 'draft') return undefined;
  const [first] = await faultsOf(ctx, key, definition);
  const why = first?.message ?? 'It is published when a process starts.';
  return `is in the code of the program, and waits to be published in this workspace. ${why}`;
}

export const createCodeSequences = (): CodeSequences => ({
  async waiting(ctx) {
    const waiting: WaitingSequence[] = [];
    for await (const rows of sequenceRows.each(ctx.trx, { source: 'code', status: 'draft' }))
      for (const row of rows) {
        const reason = await waitsFor(ctx, row);
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
