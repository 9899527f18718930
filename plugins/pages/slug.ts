// Slugs of pages. Called by schemas, and where a slug is made.
import { slugBeside } from '../../core/unstable.ts';

export { slug, slugFrom, slugInUrl, slugMeant } from '../../core/unstable.ts';

/** Paths that the service itself serves beside pages. */
export const reservedSlugs: ReadonlySet<string> = new Set(['blog', 'forms', 'preview', 'feed']);

/** A slug that a caller gives. */
export const givenSlug = slugBeside(reservedSlugs);
