// Keeps thumbnails in memory for a while: each is drawn once for many readers. One is made for each service.
import type { CompositionRow } from './tables.ts';

/** A design's pictures may change without it: a logo of the brand, a code. */
const keptMs = 3_600_000;
const maxKept = 200;

/** The thumbnails that were drawn last. */
export class Thumbnails {
  readonly #kept = new Map<string, { readonly bytes: Promise<Buffer>; readonly until: number }>();

  /** The thumbnail of this version. Two readers at a time wait for one drawing; a drawing that failed is not kept. */
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
