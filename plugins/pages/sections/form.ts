// A form of a page: its fields, and the effects of a submission after its address is confirmed.
import { idParameter, z } from '../../../core/index.ts';
import { slug } from '../slug.ts';

const field = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Lower-case letters, digits and underscores, at most 40, a letter first.'),
    type: z.enum(['email', 'text', 'textarea', 'select', 'checkbox']),
    label: z.string().min(1).max(200),
    required: z.boolean().default(false),
    options: z.array(z.string().min(1).max(200)).min(1).max(50).optional().describe('The choices of a select.'),
  })
  .refine(({ type, options }) => (type === 'select') === (options !== undefined), {
    path: ['options'],
    message: 'A select has options, and no other field has.',
  });

/** The parts of a form besides its name and its fields. */
const parts = {
  consentText: z.string().min(1).max(1_000).optional(),
  listId: idParameter('lst').optional(),
  sequenceKey: z.string().min(1).max(80).optional(),
  leadMagnetId: idParameter('lm').optional(),
  button: z.string().min(1).max(80).optional(),
  thanks: z.string().max(2_000).optional(),
};

/** A form, as callers send and receive it. */
export const formSchema = z.strictObject({
  formId: slug.describe('Names the form on its page.'),
  fields: z.array(field).min(1).max(12),
  consentText: parts.consentText.describe('What visitors agree to by sending. Kept with each submission.'),
  listId: parts.listId.describe('The list that they join once they have confirmed.'),
  sequenceKey: parts.sequenceKey.describe('The sequence that starts once they have confirmed.'),
  leadMagnetId: parts.leadMagnetId.describe('The lead magnet that people get after they have confirmed.'),
  button: parts.button,
  thanks: parts.thanks.describe('Shown after sending. Markdown.'),
});

/**
 * The form that a caller wants on a page to build: its effects and its texts. Its fields are built in, until its section is changed. The
 * parts have no descriptions here, because `formSchema` describes them and the list of tools should contain each description once.
 */
export const wantedForm = z.strictObject(parts);

/** The form that a build is to use: what was asked for, or the form that the page has. */
export type WantedForm = z.output<typeof wantedForm> & { readonly [Part in 'formId' | 'fields']?: PageForm[Part] };

export type PageForm = z.output<typeof formSchema>;
export type PageFormField = z.output<typeof field>;

/** Whether sending the form asks the address to confirm. Such a form has an email field. */
export const asksToConfirm = ({
  listId,
  sequenceKey,
  leadMagnetId,
}: Pick<PageForm, 'listId' | 'sequenceKey' | 'leadMagnetId'>): boolean =>
  listId !== undefined || sequenceKey !== undefined || leadMagnetId !== undefined;
