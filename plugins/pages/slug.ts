// Slugs of pages and of blog posts. Without underscores they cannot look like an id. Called by schemas.
import { z } from '../../core/index.ts';

/** Paths that the service itself serves beside pages. */
export const reservedSlugs: ReadonlySet<string> = new Set(['blog', 'forms', 'preview', 'feed']);

/** A slug. */
export const slug = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Lower-case letters, digits and hyphens, no hyphen at an end.');
