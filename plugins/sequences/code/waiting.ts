// Sequences of the program's code that a workspace lacks, and why. Asked by the page of sequences, by enrolments and by `doctor`.
import type { ReadContext } from '../../../core/index.ts';
import { faultsOf } from '../publish/check.ts';
import { type SequenceRow, sequenceRows } from '../tables.ts';

/** One of them. `reason` says of it that it waits, and for what: `is in the code of the program, …`. */
export interface WaitingSequence {
  readonly key: string;
  readonly reason: string;
}

/** `ctx.services.codeSequences`. */
export interface CodeSequences {
  /** Those of a workspace that were never published there. */
  waiting(ctx: ReadContext): Promise<readonly WaitingSequence[]>;
}

/** What is said of a sequence of the code that is a draft, without its subject; undefined for others. */
export async function waitsFor(
  ctx: ReadContext,
  { key, source, status, definition }: Pick<SequenceRow, 'key' | 'source' | 'status' | 'definition'>,
): Promise<string | undefined> {
  if (source !== 'code' || status !== 'draft') return undefined;
  const [first] = await faultsOf(ctx, key, definition);
  const why = first?.message ?? 'It is published when a process starts.';
  return `is in the code of the program, and waits to be published in this workspace. ${why}`;
}

/** Makes the service. */
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
