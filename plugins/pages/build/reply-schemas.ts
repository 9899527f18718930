// The schemas of a composer's answers: the plan of a page, and each kind of section. Answers contain no ids, pictures,
// forms or scripts.
import { z } from '../../../core/index.ts';
import type { SectionKind } from '../sections/schema.ts';

/**
 * The kinds that a composer may plan. The other kinds need pictures, addresses or times, which a composer must not
 * invent.
 */
export const composedKinds = [
  ...(['hero', 'banner', 'cta', 'features', 'how_it_works', 'faq', 'testimonials', 'stats', 'comparison'] as const),
  ...(['richtext', 'contact', 'lead_form', 'footer'] as const),
] as const satisfies readonly SectionKind[];

export type ComposedKind = (typeof composedKinds)[number];

const heading = z.string().min(1).max(120);
const text = z.string().max(1_200).describe('Markdown without HTML.');

/** The schema of a page's plan. */
export const planReplySchema = z.strictObject({
  title: z.string().min(1).max(120),
  description: z.string().max(300).describe('One or two sentences for search engines.'),
  language: z
    .string()
    .max(35)
    .optional()
    .describe('The language that the page is written in, a BCP 47 tag such as de.'),
  sections: z.array(
    z.strictObject({
      kind: z.enum(composedKinds),
      heading,
      aim: z.string().min(1).max(500).describe('The message of the section.'),
    }),
  ),
});

export type PlanReply = z.output<typeof planReplySchema>;

const cta = z.strictObject({ label: z.string().min(1).max(80), href: z.string().max(2_048) });
const item = z.strictObject({ title: z.string().max(120), text: z.string().max(600) });
const headingAndText = { heading, text: text.optional() };
const withItems = z.strictObject({ ...headingAndText, items: z.array(item).min(1).max(8) });
const withButton = z.strictObject({ ...headingAndText, cta: cta.optional() });
const plain = z.strictObject(headingAndText);

const replyForms = {
  hero: withButton,
  banner: withButton,
  cta: z.strictObject({ ...headingAndText, cta }),
  features: withItems,
  how_it_works: withItems,
  faq: withItems,
  testimonials: withItems,
  stats: z.strictObject({
    ...headingAndText,
    items: z
      .array(z.strictObject({ title: z.string().max(120), value: z.string().min(1).max(40) }))
      .min(1)
      .max(6),
  }),
  comparison: z.strictObject({
    ...headingAndText,
    columns: z.array(z.string().min(1).max(80)).min(2).max(5),
    items: z
      .array(z.strictObject({ title: z.string().min(1).max(120), values: z.array(z.string().max(120)).min(2).max(5) }))
      .min(1)
      .max(12),
  }),
  richtext: z.strictObject({ heading, text: z.string().min(1).max(6_000).describe('Markdown without HTML.') }),
  contact: plain,
  lead_form: plain,
  footer: z.strictObject({ heading: heading.optional(), text: text.optional() }),
} satisfies Record<ComposedKind, z.ZodType>;

/** The content of a section, as a composer returns it. */
export interface SectionReply {
  readonly heading?: string | undefined;
  readonly text?: string | undefined;
  readonly items?:
    | readonly {
        readonly title?: string | undefined;
        readonly text?: string | undefined;
        readonly value?: string | undefined;
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly cta?: { readonly label: string; readonly href: string } | undefined;
}

/** The schema of the answer for a section of this kind. */
export const sectionReplySchema = (kind: ComposedKind): z.ZodType<SectionReply> => replyForms[kind];
