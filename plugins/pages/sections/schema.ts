// The sections of a page, as callers send and receive them. rules.ts checks the requirements of each kind; this file
// contains forms and limits.
import { idOf, idParameter, z } from '../../../core/index.ts';
import { formSchema } from './form.ts';
import { href } from './href.ts';

/** The kinds of sections. */
export const sectionKinds = [
  ...([
    'hero',
    'banner',
    'cta',
    'features',
    'how_it_works',
    'faq',
    'team',
    'testimonials',
    'stats',
    'pricing',
  ] as const),
  ...([
    'logos',
    'gallery',
    'richtext',
    'comparison',
    'video',
    'countdown',
    'lead_form',
    'contact',
    'newsletter',
  ] as const),
  'footer',
] as const;

export type SectionKind = (typeof sectionKinds)[number];

/** The maximum number of sections of a page. */
export const maxSections = 40;

const item = z.strictObject({
  title: z.string().max(200).optional(),
  text: z.string().max(2_000).optional().describe('Markdown.'),
  value: z.string().max(200).optional().describe('A figure or a price, as it is shown: 98 %, €19.'),
  values: z.array(z.string().max(200)).max(5).optional().describe('Of a comparison: one for each column.'),
  imageAssetId: idOf('asset').optional(),
  href: href.optional(),
});

const cta = z.strictObject({ label: z.string().min(1).max(80), href });

/** The fields of a section besides its id. */
export const sectionFields = {
  kind: z.enum(sectionKinds),
  heading: z.string().max(200).optional(),
  text: z.string().max(20_000).optional().describe('Markdown. At most 2,000 characters, 20,000 in richtext.'),
  items: z.array(item).max(24).optional(),
  cta: cta.optional(),
  imageAssetId: idOf('asset').optional(),
  columns: z.array(z.string().min(1).max(200)).min(1).max(5).optional().describe('The headings of a comparison.'),
  url: z.string().max(2_048).optional().describe('The video at YouTube or Vimeo.'),
  until: z.iso.datetime({ offset: true }).optional().describe('When the countdown ends.'),
  form: formSchema.optional(),
};

/** A section as it is stored and shown. */
export const section = z
  .strictObject({ id: z.string().describe('Prefix sec_.'), ...sectionFields })
  .meta({ id: 'PageSection' });

/** A section in the input. Without an id it is new; an id alone keeps the section unchanged. */
export const sectionInput = z.strictObject({
  id: idParameter('sec')
    .optional()
    .describe('The id of a section of the page. An id without other fields keeps the section unchanged.'),
  ...sectionFields,
  kind: sectionFields.kind.optional().describe('Required unless only the id is given.'),
});

export type Section = z.output<typeof section>;
export type SectionItem = z.output<typeof item>;
export type SectionInput = z.output<typeof sectionInput>;
