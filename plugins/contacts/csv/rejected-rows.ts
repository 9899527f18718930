// A file of the rows that were not taken, each as it was with the reason as its last column. Made when there is a first one.

import { once } from 'node:events';
import type { WriteStream } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { CommandError } from '../../../core/index.ts';
import { neutralise, restore } from './cells.ts';
import { reasonHeading } from './columns.ts';

/** Where rejected rows go. */
export interface RejectedRows {
  add(cells: readonly string[], reason: string): Promise<void>;
  /** Resolves when everything is in the file. */
  end(): Promise<void>;
}

/** Writing begins while the source is still being read: into the same file, under whatever name, it would destroy it. @throws CommandError */
export async function refuseSameFile(source: string, path: string): Promise<void> {
  const [one, other] = await Promise.all(
    [source, path].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  if (one === undefined || other === undefined || one.ino !== other.ino || one.dev !== other.dev) return;
  throw new CommandError('--rejected names the file that is being imported. Name another one for the rejected rows.', {
    exitCode: 2,
  });
}

/** `path` undefined keeps nothing. */
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
      // Of a file that was rejected before, the reasons of then go.
      const kept = [...headings.keys()].filter((index) => headings[index]?.trim() !== reasonHeading);
      if (file === undefined) await write([...kept.map((index) => headings[index] ?? ''), reasonHeading]);
      // Short rows are filled up, so that the reason stands under its heading.
      const meant = cells.map((cell) => neutralise(restore(cell)));
      const filled = kept.map((index) => meant[index] ?? '');
      await write([...filled, ...meant.slice(headings.length), reason]);
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
