// The schemas of slugs: a slug is the readable last part of a public address. Used by plugins with public pages. Slugs have no
// underscores, so they cannot be mistaken for ids.
import { isSlug } from '../values/slug-text.ts';
import * as z from './zod.ts';

/** A slug, composed (NFC). The schema has no pattern, because few clients support patterns for the letters of all scripts. */
export const slug = z
  .string()
  .min(1)
  .normalize('NFC')
  .refine(isSlug, 'At most 80 lower-case letters and digits of any script and hyphens, no hyphen at an end.')
  .meta({ maxLength: 80 });

/** A slug that a caller gives. Refuses the `reserved` slugs, which are paths of the service itself. */
export const slugExcept = (reserved: ReadonlySet<string>) =>
  slug.refine((text) => !reserved.has(text), {
    error: ({ input }) => `${String(input)} is a path of the service itself. Choose another slug.`,
  });
