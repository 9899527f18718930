// Stores the files of assets in this process's memory, for tests and experiments. They are lost when the process ends.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import {
  type AssetStore,
  AssetStoreError,
  checkKey,
  checkPrefix,
  withAbort,
  withExactSize,
} from '../../plugins/assets/port/index.ts';

/** Options of `captureAssets`. */
export interface CaptureAssetsOptions {
  /** The current time in milliseconds. (Default: Date.now) */
  readonly now?: () => number;
}

interface StoredFile {
  readonly bytes: Buffer;
  readonly modifiedAt: number;
}

/** A store in memory. `keys()` returns the keys of its files. */
export interface CaptureAssets extends AssetStore {
  keys(): readonly string[];
}

const maxListed = 1_000;

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Makes the store. */
export function captureAssets(options: CaptureAssetsOptions = {}): CaptureAssets {
  checkOptions<CaptureAssetsOptions>('captureAssets', options, { now: 'optional' });
  const { now = Date.now } = options;
  const files = new Map<string, StoredFile>();
  const find = (key: string): StoredFile => {
    const file = files.get(checkKey(key));
    if (file === undefined) throw new AssetStoreError('missing', 'There is no such object.');
    return file;
  };
  return {
    id: 'capture',
    keys: () => [...files.keys()].sort(),
    async put(key, source, { size, signal }) {
      checkKey(key);
      signal?.throwIfAborted();
      const chunks: Uint8Array[] = [];
      for await (const chunk of withExactSize(withAbort(signal, source), size)) {
        signal?.throwIfAborted();
        chunks.push(Uint8Array.from(chunk));
      }
      files.set(key, { bytes: Buffer.concat(chunks), modifiedAt: now() });
    },
    async get(key, { range, signal } = {}) {
      signal?.throwIfAborted();
      const { bytes } = find(key);
      return pieces(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1));
    },
    async head(key) {
      const file = files.get(checkKey(key));
      return file === undefined ? undefined : { key, bytes: file.bytes.length, modifiedAt: file.modifiedAt };
    },
    async copy(from, to) {
      files.set(checkKey(to), { bytes: find(from).bytes, modifiedAt: now() });
    },
    async delete(key) {
      files.delete(checkKey(key));
    },
    async list(prefix, { after = '', limit = maxListed } = {}) {
      checkPrefix(prefix);
      const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      return keys.slice(0, Math.min(limit, maxListed)).map((key) => {
        const { bytes, modifiedAt } = find(key);
        return { key, bytes: bytes.length, modifiedAt };
      });
    },
  };
}
