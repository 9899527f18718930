// Stores the files of assets in a folder: of this machine, or a folder that all processes mount. A file is written to a
// temporary path and then moved to its own path, so that readers and a crash see either the whole file or no file.

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type AssetByteRange,
  type AssetStore,
  AssetStoreError,
  checkKey,
  checkPrefix,
  isAssetStoreError,
  type StoredObject,
  withAbort,
  withExactSize,
} from '../../plugins/assets/port/index.ts';

/** Options of `fileSystemAssets`. */
export interface FileSystemAssetsOptions {
  /** Created at the first write. Use it for nothing else: all its files are read and deleted as files of assets. */
  readonly folder: string;
}

/** The folder of unfinished files. Its name cannot conflict with a key, because no key begins with a dot. */
const temporary = '.unfinished';
/** Files that a crash left behind are removed after a day. */
const temporaryMs = 24 * 3_600_000;
const chunkBytes = 65_536;
const maxListed = 1_000;

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | null)?.code ?? '');
const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error));

/** The error as the port defines it. The message contains no path, because it may be shown to users. */
function faultOf(error: unknown, signal?: AbortSignal): unknown {
  if (isAssetStoreError(error) || (signal?.aborted === true && error === signal.reason)) return error;
  const code = codeOf(error);
  if (isMissing(error)) return new AssetStoreError('missing', 'There is no such file.', { cause: error });
  // Not a file system error: the source of the bytes failed. Its own error is passed on unchanged.
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  const fault = ['ENAMETOOLONG', 'EEXIST', 'ENOTEMPTY'].includes(code) ? 'refused' : 'transient';
  return new AssetStoreError(fault, `The folder of assets cannot be used (${code}).`, { cause: error });
}

async function syncFolder(path: string): Promise<void> {
  // On Windows a folder cannot be opened and synchronized, so a crash may undo the move.
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function writeAll(handle: FileHandle, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
  for await (const chunk of source) {
    signal?.throwIfAborted();
    await handle.writeFile(chunk);
  }
  signal?.throwIfAborted();
  await handle.sync();
}

async function* readRange(
  path: string,
  range: AssetByteRange | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    const last = range?.end ?? (await handle.stat()).size - 1;
    for (let at = range?.start ?? 0; at <= last; ) {
      signal?.throwIfAborted();
      const length = Math.min(chunkBytes, last - at + 1);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new AssetStoreError('transient', 'The file ended too early.');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } catch (error) {
    throw faultOf(error, signal);
  } finally {
    await handle?.close();
  }
}

interface WalkOptions {
  readonly root: string;
  readonly prefix: string;
  readonly after: string;
  readonly limit: number;
}

/** The files below one folder in the order of their keys. `base` is the folder's part of the key, with a slash. */
async function* walk(options: WalkOptions, base: string): AsyncGenerator<StoredObject> {
  const { root, prefix, after } = options;
  const entries = await readdir(join(root, base), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const names = entries.flatMap((entry) =>
    entry.name.startsWith('.') || !(entry.isFile() || entry.isDirectory())
      ? []
      : [entry.isDirectory() ? `${entry.name}/` : entry.name],
  );
  for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
    const key = `${base}${name}`;
    const isFolder = name.endsWith('/');
    if (isFolder ? !(key.startsWith(prefix) || prefix.startsWith(key)) : !key.startsWith(prefix)) continue;
    if (isFolder) {
      // A folder that lies entirely before `after` contains no later key.
      if (after.startsWith(key) || key > after) yield* walk(options, key);
    } else if (key > after) {
      const stats = await stat(join(root, key)).catch(() => undefined);
      if (stats !== undefined) yield { key, bytes: stats.size, modifiedAt: Math.floor(stats.mtimeMs) };
    }
  }
}

async function removeUnfinished(root: string): Promise<void> {
  const folder = join(root, temporary);
  for (const name of await readdir(folder).catch(() => [])) {
    const stats = await stat(join(folder, name)).catch(() => undefined);
    if (stats !== undefined && stats.mtimeMs < Date.now() - temporaryMs) await rm(join(folder, name), { force: true });
  }
}

/** Makes the store. Does not access the folder before the store is used. */
export function fileSystemAssets(options: FileSystemAssetsOptions): AssetStore {
  checkOptions<FileSystemAssetsOptions>('fileSystemAssets', options, { folder: 'required' });
  const { folder } = options;
  if (typeof folder !== 'string' || folder === '')
    throw new TypeError('fileSystemAssets: `folder` must be the path of a folder.');
  const root = resolve(folder);
  const pathOf = (key: string): string => join(root, ...checkKey(key).split('/'));

  /** Runs `write` on a temporary file, and then moves the file to the path of the key. */
  async function replace(key: string, write: (path: string) => Promise<void>, signal?: AbortSignal): Promise<void> {
    const path = pathOf(key);
    const unfinished = join(root, temporary, randomUUID());
    try {
      signal?.throwIfAborted();
      await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 });
      await write(unfinished);
      signal?.throwIfAborted();
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      if (codeOf(error) === 'EISDIR' || codeOf(error) === 'ENOTDIR')
        throw new AssetStoreError('refused', 'A file or folder of another key has this path.', { cause: error });
      throw faultOf(error, signal);
    }
  }

  const head: AssetStore['head'] = async (key) => {
    try {
      const stats = await stat(pathOf(key));
      return stats.isFile() ? { key, bytes: stats.size, modifiedAt: Math.floor(stats.mtimeMs) } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw faultOf(error);
    }
  };

  return {
    id: 'file-system',
    folder: root,
    put: (key, source, { size, signal }) =>
      replace(
        key,
        async (path) => {
          const handle = await open(path, 'wx', 0o600);
          try {
            await writeAll(handle, withExactSize(withAbort(signal, source), size), signal);
          } finally {
            await handle.close();
          }
        },
        signal,
      ),
    async get(key, { range, signal } = {}) {
      signal?.throwIfAborted();
      if ((await head(key)) === undefined) throw new AssetStoreError('missing', 'There is no such file.');
      return readRange(pathOf(key), range, signal);
    },
    head,
    async copy(from, to, { signal } = {}) {
      const source = pathOf(from);
      if ((await head(from)) === undefined) throw new AssetStoreError('missing', 'There is no such file.');
      await replace(to, (path) => copyFile(source, path, constants.COPYFILE_FICLONE), signal);
    },
    async delete(key) {
      try {
        if ((await head(key)) !== undefined) await rm(pathOf(key), { force: true });
      } catch (error) {
        throw faultOf(error);
      }
    },
    async list(prefix, { after = '', limit = maxListed, signal } = {}) {
      checkPrefix(prefix);
      const objects: StoredObject[] = [];
      try {
        if (after === '') await removeUnfinished(root);
        for await (const file of walk({ root, prefix, after, limit }, '')) {
          signal?.throwIfAborted();
          objects.push(file);
          if (objects.length >= Math.min(limit, maxListed)) break;
        }
      } catch (error) {
        throw faultOf(error, signal);
      }
      return objects;
    },
  };
}
