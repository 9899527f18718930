// Writes rejected rows to a file, unchanged, with the reason as the last column. The file is created for the first rejected row.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { CommandError } from '../../../core/index.ts';
import { neutralise, restore } from '../../../core/unstable.ts';
import { reasonHeading } from './columns.ts';

/** Collects rejected rows. */
export interface RejectedRows {
  add(cells: readonly string[], reason: string): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

/** Refuses the source file as the target: writing starts before the source is fully read, and would destroy it. @throws CommandError */
export async function refuseSameFile(source: string, path: string): Promise<void> {
  const [one, other] = await Promise.all(
    [source, path].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  if (one === undefined || other === undefined || one.ino !== other.ino || one.dev !== other.dev) return;
  throw new CommandError('--rejected names the file that is being imported. Name another one for the rejected rows.', {
    exitCode: 2,
  });
}

/** Without a `path`, rejected rows are only counted. */
export function createRejectedRows(
  path: string | undefined,
  headings: readonly string[],
  separator: string,
): RejectedRows {
  let file: WriteStream | undefined;
  let fault: Error | undefined;
  const write = async (cells: readonly string[]): Promise<void> => {
    if (path === undefined) return;
    const { stringify } = await import('csv-stringify/sync');
    if (file === undefined) {
      file = createWriteStream(path);
      file.on('error', (error) => {
        fault = error;
      });
    }
    if (fault === undefined && !file.write(stringify([[...cells]], { delimiter: separator })))
      await once(file, 'drain');
    if (fault !== undefined) throw new CommandError(`${path} cannot be written: ${fault.message}`, { cause: fault });
  };
  return {
    async add(cells, reason) {
      // A file of earlier rejected rows has a column with the old reasons. That column is dropped.
      const keptIndexes = [...headings.keys()].filter((index) => headings[index]?.trim() !== reasonHeading);
      if (file === undefined) await write([...keptIndexes.map((index) => headings[index] ?? ''), reasonHeading]);
      // Short rows are padded, so that the reason is in its own column.
      const restoredCells = cells.map((cell) => neutralise(restore(cell)));
      const filled = keptIndexes.map((index) => restoredCells[index] ?? '');
      await write([...filled, ...restoredCells.slice(headings.length), reason]);
    },
    async end() {
      if (file === undefined) return;
      file.end();
      await finished(file).catch((cause: unknown) => {
        throw new CommandError(`${path} cannot be written: ${String(cause)}`, { cause });
      });
    },
  };
}
