// Keeps thumbnails in memory for an hour, so that each is drawn once for many readers. Each service has one cache.
import type { CompositionRow } from './tables.ts';

/** How long a thumbnail is kept. Its pictures, such as a logo or a QR code, can change without a new version of the composition. */
const keptMs = 3_600_000;
const maxKept = 200;

/** The most recently drawn thumbnails. */
export class Thumbnails {
  readonly #kept = new Map<string, { readonly bytes: Promise<Buffer>; readonly until: number }>();

  /** The thumbnail of this version. Concurrent readers share one drawing. A failed drawing is not kept. */
  of(
    { id, version }: Pick<CompositionRow, 'id' | 'version'>,
    now: number,
    draw: () => Promise<Buffer>,
  ): Promise<Buffer> {
    const key = `${id} ${version}`;
    const found = this.#kept.get(key);
    if (found !== undefined && found.until > now) return found.bytes;
    const bytes = draw();
    this.#kept.delete(key);
    this.#kept.set(key, { bytes, until: now + keptMs });
    bytes.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return bytes;
  }
}
