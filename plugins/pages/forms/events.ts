// The events of forms. Used by the plugin's manifest.
import { defineEvent, z } from '../../../core/index.ts';

const common = {
  pageId: z.string(),
  slug: z.string().describe('The slug of the page when the form was sent.'),
  formId: z.string(),
  submissionId: z.string(),
  fields: z
    .record(z.string(), z.string())
    .describe('By name, in order. A ticked checkbox is yes; empty fields are empty texts.'),
};

const submitted = z.object({
  ...common,
  email: z
    .string()
    .nullable()
    .describe(
      'As the visitor wrote it; null if the form has no email field. It is not confirmed: anybody can type any address.',
    ),
  confirmed: z.literal(false),
});

const confirmed = z.object({
  ...common,
  email: z.string(),
  confirmed: z.literal(true),
  contact: z.object({ id: z.string(), external_id: z.string().nullable(), email: z.string().nullable() }),
});

export type FormSubmitted = z.output<typeof submitted>;
export type FormConfirmed = z.output<typeof confirmed>;

const example = {
  pageId: 'pg_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  slug: 'spring-launch',
  formId: 'signup',
  submissionId: 'sub_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  fields: { email: 'ada@example.com', name: 'Ada' },
  email: 'ada@example.com',
};

export const formEvents = [
  defineEvent({
    type: 'page.form_submitted',
    description:
      'A visitor sent the form of a page. The address is not confirmed: anybody may have typed it. No contact is made.',
    data: submitted,
    example: { ...example, confirmed: false },
  }),
  defineEvent({
    type: 'page.form_confirmed',
    description:
      'The address of a form was confirmed by mail. The contact was found or created, and the actions of the form were carried out.',
    data: confirmed,
    person: ({ contact }) => contact.id,
    example: {
      ...example,
      confirmed: true,
      contact: { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: null, email: 'ada@example.com' },
    },
  }),
];

declare module '../../../core/contract/open.ts' {
  interface EventMap {
    'page.form_submitted': FormSubmitted;
    'page.form_confirmed': FormConfirmed;
  }
}
