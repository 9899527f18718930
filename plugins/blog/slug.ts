// Slugs of posts. Their namespace is separate from the slugs of pages. Used by schemas, and when a slug is generated.
import { slugBeside } from '../../core/unstable.ts';

export { encodeSlug, normaliseSlug } from '../../core/unstable.ts';

/** Paths that the service itself serves on a content host and below /blog. */
export const reservedSlugs: ReadonlySet<string> = new Set(['blog', 'forms', 'preview', 'feed']);

/** A slug in the input. */
export const slugInput = slugBeside(reservedSlugs);
