// postrider/plugins/assets/port, the asset port: where the bytes of assets lie. Called outside any transaction, except for
// `signedRead` and `signedUpload`, which only compute. Loads nothing else.
import type { PortAdapter } from '../../../core/index.ts';

/** Some bytes of an object: `start` is the first, `end` the last, both counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What every call takes. */
export interface AssetCallOptions {
  /** Ends the call; an unfinished write leaves nothing. (Default: only the adapter's own time limit ends it) */
  readonly signal?: AbortSignal;
}

/** An object of the store. */
export interface StoredObject {
  readonly key: string;
  /** Its length in bytes. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** What a signed URL shows. */
export interface SignedReadOptions {
  /** When the URL ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly now: number;
  readonly contentType: string;
  /** The value of the Content-Disposition header. */
  readonly contentDisposition: string;
}

/** What a signed upload takes: exactly this many bytes of this type. */
export interface SignedUploadOptions {
  readonly expiresAt: number;
  readonly now: number;
  readonly contentType: string;
  readonly bytes: number;
  /** In lower-case hexadecimal digits; undefined where the client gave none. */
  readonly sha256?: string | undefined;
}

/** A PUT that a client makes by itself. */
export interface SignedUpload {
  readonly url: string;
  /** What the request must carry. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Why a call failed. `missing`: there is no object with this key; `refused`: the store or the adapter refuses the call, and
 * would again; `transient`: try again.
 */
export type AssetStoreFault = 'missing' | 'refused' | 'transient';

/** The only error that an adapter throws, but for the reason of an aborted signal. Holds no secret and no URL. */
export class AssetStoreError extends Error {
  readonly fault: AssetStoreFault;

  constructor(fault: AssetStoreFault, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'AssetStoreError';
    this.fault = fault;
  }
}

/** Whether `error` is an AssetStoreError, of this fault where one is given; by name, so that two copies of the package agree. */
export const isAssetStoreError = (error: unknown, fault?: AssetStoreFault): error is AssetStoreError =>
  error instanceof Error &&
  error.name === 'AssetStoreError' &&
  (fault === undefined || (error as AssetStoreError).fault === fault);

/** Where bytes lie. Constructing one does nothing: no file, no network, no timer. */
export interface AssetStore extends PortAdapter {
  /** The folder, where the objects are files of this machine. For `postrider doctor`. (Default: they are not) */
  readonly folder?: string;
  /**
   * Writes an object of exactly `size` bytes, in place of one with this key. Readers see all of it or nothing: a source that
   * fails, ends early or goes on, and an aborted signal, leave what was there before. Reads the source once, at the store's pace.
   * @throws AssetStoreError `refused` for a source of another size
   */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: AssetCallOptions & { readonly size: number; readonly contentType: string },
  ): Promise<void>;
  /** The bytes of the object, or of a range of it, as a stream. The range lies within the object. @throws AssetStoreError `missing` */
  get(key: string, options?: AssetCallOptions & { readonly range?: ByteRange }): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined where there is none. */
  head(key: string, options?: AssetCallOptions): Promise<StoredObject | undefined>;
  /** Copies an object inside the store, in place of one at `to`. @throws AssetStoreError `missing` */
  copy(from: string, to: string, options?: AssetCallOptions): Promise<void>;
  /** Deletes it; where there is none, does nothing. */
  delete(key: string, options?: AssetCallOptions): Promise<void>;
  /** The objects whose keys begin with `prefix`, in the order of their keys, after the key `after`. At most `limit`, 1,000. */
  list(
    prefix: string,
    options?: AssetCallOptions & { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<readonly StoredObject[]>;
  /**
   * A URL that reads the object without further credentials; undefined where the adapter cannot sign one now. Computes only.
   * (Default: the service serves the bytes)
   */
  signedRead?(key: string, options: SignedReadOptions): string | undefined;
  /** A PUT that writes the object, in the same way. (Default: the service takes the bytes) */
  signedUpload?(key: string, options: SignedUploadOptions): SignedUpload | undefined;
}

/**
 * Keys: parts of letters, digits, `-`, `_` and `.`, separated by `/`; no part begins with a dot. At most 300 characters. The
 * service makes them of ids alone; no name that a person gave is ever in one.
 */
const keyForm = /^(?!.{301})[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Called by every adapter before it uses a key. @throws AssetStoreError `refused` */
export function checkKey(key: string): string {
  if (typeof key !== 'string' || !keyForm.test(key))
    throw new AssetStoreError('refused', 'This is no key of an asset.');
  return key;
}

/** The same for what a list begins with: empty, or a key, with or without a slash at its end. @throws AssetStoreError `refused` */
export function checkPrefix(prefix: string): string {
  if (prefix !== '') checkKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return prefix;
}

/** Passes a source on, and fails where it has not exactly `size` bytes. @throws AssetStoreError `refused` */
export async function* exactly(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.byteLength;
    if (seen > size) throw new AssetStoreError('refused', `There are more than the ${size} bytes that were announced.`);
    yield chunk;
  }
  if (seen < size) throw new AssetStoreError('refused', `There are ${seen} bytes, and ${size} were announced.`);
}

/** A source that ends with the signal, although nothing more comes from it. @throws the signal's reason */
export async function* until(
  signal: AbortSignal | undefined,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  // One promise a piece: a race with one that lives as long as the signal would hold every piece until the end.
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      const rest = () => signal.removeEventListener('abort', stop);
      signal.addEventListener('abort', stop, { once: true });
      iterator.next().then(resolve, reject).then(rest, rest);
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await next();
      if (done === true) return;
      yield value;
    }
  } finally {
    // Not awaited: a source that waits for its next bytes would never end.
    void iterator.return?.().then(undefined, () => undefined);
  }
}
