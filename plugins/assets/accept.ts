// Checks bytes and writes them to the store, for all operations and jobs that create assets. Called outside any
// transaction.
import { createHash } from 'node:crypto';
import type { ServiceContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { type ByteSource, memorySource, type ReadFormat, readFormat } from './formats/read-format.ts';
import { assetKey } from './keys.ts';
import { noStore } from './no-assets.ts';
import { type AssetStore, AssetStoreError, isAssetStoreError } from './port/index.ts';
import type { AssetContext } from './service.ts';
import type { AssetRow } from './tables.ts';

/** The columns of a ready asset that describe its bytes. */
export type AssetMetadata = Pick<
  AssetRow,
  'kind' | 'content_type' | 'bytes' | 'width' | 'height' | 'duration_ms' | 'sha256'
>;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const metadataColumns = (
  { contentType, kind, width, height, durationMs }: ReadFormat,
  bytes: number,
  sha256: string,
) => ({
  kind,
  content_type: contentType,
  bytes,
  width,
  height,
  duration_ms: durationMs,
  sha256,
});

/** Checks bytes in memory. @throws FormatFault */
export async function acceptBytes(
  fileBytes: Uint8Array,
  declared?: string,
): Promise<{ readonly bytes: Uint8Array; readonly metadata: AssetMetadata }> {
  const read = await readFormat(memorySource(fileBytes), declared);
  const bytes = read.cleaned ?? fileBytes;
  return { bytes, metadata: metadataColumns(read, bytes.byteLength, sha256Of(bytes)) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type CheckedBytes = { readonly bytes: Uint8Array; readonly metadata: AssetMetadata };

/** Writes bytes from memory to the store, as the bytes of the asset. @throws AssetStoreError */
export const putBytes = (
  store: AssetStore,
  context: AssetContext,
  assetId: string,
  bytes: CheckedBytes,
): Promise<void> => putAt(store, context, assetKey(context.workspace.id, assetId), bytes);

async function putAt(
  store: AssetStore,
  context: AssetContext,
  key: string,
  { bytes, metadata }: CheckedBytes,
): Promise<void> {
  await store.put(key, oneChunk(bytes), {
    size: bytes.byteLength,
    contentType: metadata.content_type ?? 'application/octet-stream',
    ...signalOf(context),
  });
}

export const signalOf = ({ signal }: AssetContext) => (signal === undefined ? {} : { signal });

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An object of the store, read by position. */
const storeSource = (store: AssetStore, key: string, size: number, context: AssetContext): ByteSource => ({
  size,
  async read(start, length) {
    const end = Math.min(start + length, size) - 1;
    if (end < start) return Buffer.alloc(0);
    return collect(await store.get(key, { range: { start, end }, ...signalOf(context) }));
  },
});

/** The hash of an object. It is read as a stream, so only one chunk is in memory at a time. */
async function hashOf(store: AssetStore, key: string, context: AssetContext): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await store.get(key, signalOf(context))) hash.update(chunk);
  return hash.digest('hex');
}

/** Checks an object of the store, and removes its metadata in place. @throws FormatFault, AssetStoreError */
export async function acceptStored(
  store: AssetStore,
  context: AssetContext,
  key: string,
  announced: {
    readonly bytes: number;
    readonly contentType?: string | undefined;
    readonly sha256?: string | undefined;
  },
): Promise<{ readonly metadata: AssetMetadata; readonly isAsAnnounced: boolean }> {
  const read = await readFormat(storeSource(store, key, announced.bytes, context), announced.contentType);
  const sha256 = await hashOf(store, key, context);
  const isAsAnnounced = announced.sha256 === undefined || announced.sha256 === sha256;
  if (read.cleaned === undefined) return { metadata: metadataColumns(read, announced.bytes, sha256), isAsAnnounced };
  const bytes = read.cleaned;
  const metadata = metadataColumns(read, bytes.byteLength, sha256Of(bytes));
  if (isAsAnnounced) await putAt(store, context, key, { bytes, metadata });
  return { metadata, isAsAnnounced };
}

/** Reads a stream of at most `max` bytes whole. @throws AssetStoreError if there are more */
export async function readWhole(stream: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > max) throw new AssetStoreError('refused', `The asset has more than ${max} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Runs a store call for an API caller. @throws asset_store_unavailable instead of AssetStoreError */
export async function withApiErrors<T>({ log }: ServiceContext, store: AssetStore, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAssetStoreError(error)) throw error;
    log.error({ store: store.id, fault: error.fault, cause: error.message }, 'the store of assets failed');
    throw errors.asset_store_unavailable({ isConfigured: store.id !== noStore }, { cause: error });
  }
}
