// Slugs of pages. Used by schemas, and when a slug is generated.
import { slugBeside } from '../../core/unstable.ts';

export { encodeSlug, normaliseSlug, slug, slugFrom } from '../../core/unstable.ts';

/** Paths that the service itself serves beside pages. */
export const reservedSlugs: ReadonlySet<string> = new Set(['blog', 'forms', 'preview', 'feed']);

/** A slug in the input. */
export const slugInput = slugBeside(reservedSlugs);
