// Keeps thumbnails in memory for an hour, so that each is drawn once for many readers. Each service has one cache.
import type { CompositionRow } from './tables.ts';

/**
 * The lifetime of a thumbnail, in milliseconds. Its pictures, such as a logo or a QR code, can change without a new version of the
 * composition.
 */
const cachedMs = 3_600_000;
const maxCached = 200;

/** The most recently drawn thumbnails. */
export class Thumbnails {
  readonly #cached = new Map<string, { readonly bytes: Promise<Buffer>; readonly until: number }>();

  /** The thumbnail of this version. Concurrent readers share one drawing. A failed drawing is not kept. */
  of(
    { id, version }: Pick<CompositionRow, 'id' | 'version'>,
    now: number,
    draw: () => Promise<Buffer>,
  ): Promise<Buffer> {
    const key = `${id} ${version}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined && cached.until > now) return cached.bytes;
    const bytes = draw();
    this.#cached.delete(key);
    this.#cached.set(key, { bytes, until: now + cachedMs });
    bytes.catch(() => this.#cached.delete(key));
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= maxCached) break;
      this.#cached.delete(oldest);
    }
    return bytes;
  }
}
