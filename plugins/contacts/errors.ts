import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  contact_required: {
    status: 422,
    type: 'validation_error',
    description: 'No contact was named. Give external_id, email or id.',
    message: () => 'Name the contact: give its external_id (preferred), email or id.',
  },
  contact_not_found: {
    status: 404,
    type: 'not_found_error',
    description:
      'The workspace has no such contact. To create one, give an external_id or an email: an id alone creates no contact.',
    message: (details: { reference: string }) =>
      details.reference.includes('@')
        ? `There is no contact with the id ${details.reference}: an id is con_…. GET /v1/contacts finds a contact by its email.`
        : `There is no contact ${details.reference}. GET /v1/contacts lists those there are.`,
  },
});
