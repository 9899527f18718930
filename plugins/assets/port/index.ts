// postrider/plugins/assets/port, the asset port: the store of the bytes of assets. Called outside any transaction, except for
// `signedRead` and `signedUpload`, which make no calls. Imports no other part of the plugin.
import type { PortAdapter } from '../../../core/index.ts';

/** A range of bytes of an object: `start` is the first byte, `end` the last, both counted from 0. */
export interface AssetByteRange {
  readonly start: number;
  readonly end: number;
}

/** Options of every call. */
export interface AssetCallOptions {
  /** Aborts the call; an unfinished write leaves nothing. (Default: only the adapter's own time limit ends the call) */
  readonly signal?: AbortSignal;
}

/** An object of the store. */
export interface StoredObject {
  readonly key: string;
  /** The length of the object in bytes. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Options of a signed URL that reads an object. */
export interface SignedReadOptions {
  /** The time at which the URL expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly now: number;
  readonly contentType: string;
  /** The value of the Content-Disposition header. */
  readonly contentDisposition: string;
}

/** Options of a signed upload, which accepts exactly this many bytes of this type. */
export interface SignedUploadOptions {
  readonly expiresAt: number;
  readonly now: number;
  readonly contentType: string;
  readonly bytes: number;
  /** The hash of the file in lower-case hexadecimal digits; undefined if the client sent no hash. */
  readonly sha256?: string | undefined;
}

/** A PUT request for the client to make. */
export interface SignedUpload {
  readonly url: string;
  /** The headers that the request must have. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The fault of a failed call. `missing`: there is no object with this key; `refused`: the store or the adapter refuses the call, and
 * would refuse it again; `transient`: the caller may try again.
 */
export type AssetStoreFault = 'missing' | 'refused' | 'transient';

/** The only error that an adapter throws, except the reason of an aborted signal. Contains no secret and no URL. */
export class AssetStoreError extends Error {
  readonly fault: AssetStoreFault;

  constructor(fault: AssetStoreFault, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'AssetStoreError';
    this.fault = fault;
  }
}

/** Whether `error` is an AssetStoreError, and has the fault `fault` if it is set. Compares by name, so that two copies of the package agree. */
export const isAssetStoreError = (error: unknown, fault?: AssetStoreFault): error is AssetStoreError =>
  error instanceof Error &&
  error.name === 'AssetStoreError' &&
  (fault === undefined || (error as AssetStoreError).fault === fault);

/** A store of bytes. Constructing it has no effects: no file, no network, no timer. */
export interface AssetStore extends PortAdapter {
  /** The folder, if the objects are files of this machine. For `postrider doctor`. (Default: they are not) */
  readonly folder?: string;
  /**
   * Writes an object of exactly `size` bytes, and replaces an object with this key. The write is atomic: if the source fails or has
   * another size, or the signal is aborted, the earlier object stays. Reads the source once, at the store's pace.
   * @throws AssetStoreError `refused` if the source has another size
   */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: AssetCallOptions & { readonly size: number; readonly contentType: string },
  ): Promise<void>;
  /** The bytes of the object, or of a range of it, as a stream. The range lies within the object. @throws AssetStoreError `missing` */
  get(
    key: string,
    options?: AssetCallOptions & { readonly range?: AssetByteRange },
  ): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined if there is no object with this key. */
  head(key: string, options?: AssetCallOptions): Promise<StoredObject | undefined>;
  /** Copies an object inside the store, and replaces an object at `to`. @throws AssetStoreError `missing` */
  copy(from: string, to: string, options?: AssetCallOptions): Promise<void>;
  /** Deletes the object. Does nothing if there is none. */
  delete(key: string, options?: AssetCallOptions): Promise<void>;
  /** The objects whose keys begin with `prefix`, in key order, after the key `after`. At most `limit`, and at most 1,000. */
  list(
    prefix: string,
    options?: AssetCallOptions & { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<readonly StoredObject[]>;
  /**
   * A URL that reads the object without further credentials; undefined if the adapter cannot sign one now. Makes no calls.
   * (Default: the service serves the bytes)
   */
  signedRead?(key: string, options: SignedReadOptions): string | undefined;
  /** A signed PUT that writes the object; undefined if the adapter cannot sign one now. (Default: the service receives the bytes) */
  signedUpload?(key: string, options: SignedUploadOptions): SignedUpload | undefined;
}

/**
 * A key consists of parts that are separated by `/`. A part has letters, digits, `-`, `_` and `.`, and does not begin with a dot. A key
 * has at most 300 characters. The service builds keys from ids alone, never from names that a person gave.
 */
const keyPattern = /^(?!.{301})[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Checks a key, and returns it. Every adapter calls it before it uses a key. @throws AssetStoreError `refused` */
export function checkKey(key: string): string {
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw new AssetStoreError('refused', 'This is not a key of an asset.');
  return key;
}

/** Checks the prefix of a list: empty, or a key with or without a slash at its end. @throws AssetStoreError `refused` */
export function checkPrefix(prefix: string): string {
  if (prefix !== '') checkKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return prefix;
}

/** Passes the bytes of a source on, and fails if it does not have exactly `size` bytes. @throws AssetStoreError `refused` */
export async function* withExactSize(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let byteCount = 0;
  for await (const chunk of source) {
    byteCount += chunk.byteLength;
    if (byteCount > size)
      throw new AssetStoreError('refused', `There are more than the ${size} bytes that were announced.`);
    yield chunk;
  }
  if (byteCount < size)
    throw new AssetStoreError('refused', `There are ${byteCount} bytes, and ${size} were announced.`);
}

/** Passes the bytes of a source on, and ends when the signal is aborted, even while the source is silent. @throws the signal's reason */
export async function* withAbort(
  signal: AbortSignal | undefined,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  // One promise per chunk: a race with one promise for the whole signal would keep every chunk in memory until the end.
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      const removeListener = () => signal.removeEventListener('abort', stop);
      signal.addEventListener('abort', stop, { once: true });
      iterator.next().then(resolve, reject).then(removeListener, removeListener);
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await next();
      if (done === true) return;
      yield value;
    }
  } finally {
    // Not awaited: a source that waits for its next bytes might never end.
    void iterator.return?.().then(undefined, () => undefined);
  }
}
