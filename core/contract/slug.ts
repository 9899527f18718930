// Slugs in schemas: the readable last part of a public address. Called by plugins with public pages. Without underscores none looks
// like an id.
import { isSlug } from './slug-text.ts';
import * as z from './zod.ts';

/** A slug, composed. No pattern: few clients know the letters of all scripts. */
export const slug = z
  .string()
  .min(1)
  .normalize('NFC')
  .refine(isSlug, 'At most 80 lower-case letters and digits of any script and hyphens, no hyphen at an end.')
  .meta({ maxLength: 80 });

/** A slug that a caller gives: none of those that the service itself serves. */
export const slugBeside = (reserved: ReadonlySet<string>) =>
  slug.refine((text) => !reserved.has(text), {
    error: ({ input }) => `${String(input)} is a path of the service itself. Choose another slug.`,
  });
