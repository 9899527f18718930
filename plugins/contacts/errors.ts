import { defineErrors } from '../../core/index.ts';

interface MissingContact {
  readonly reference: string;
  /** The kind of name in the reference. (Default: id) */
  readonly by?: 'id' | 'email' | 'external_id';
  /** A sentence with a leading space. (Default: none) */
  readonly advice?: string;
}

export const errors = defineErrors({
  contact_required: {
    status: 422,
    type: 'validation_error',
    description: 'No contact was named. Give external_id, email or id.',
    message: () => 'Name the contact: give its external_id (preferred), email or id.',
  },
  contact_import_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace, or this side of it, has no such import of contacts.',
    message: ({ id }: { readonly id: string }) => `There is no import ${id}. An import is kept for 90 days.`,
  },
  contact_not_found: {
    status: 404,
    type: 'not_found_error',
    description:
      'The workspace has no such contact. To create one, give an external_id or an email: an id alone creates no contact.',
    message: ({ reference, by = 'id', advice = '' }: MissingContact) => {
      if (by !== 'id')
        return `There is no contact with the ${by === 'email' ? 'address' : by} ${reference}. POST /v1/contacts creates it.${advice}`;
      return reference.includes('@')
        ? `There is no contact with the id ${reference}: an id is con_…. GET /v1/contacts finds a contact by its email.`
        : `There is no contact ${reference}. GET /v1/contacts lists the existing ones.${advice}`;
    },
  },
});
