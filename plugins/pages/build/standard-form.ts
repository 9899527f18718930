// The form that a built page gets. Before publishing, the author decides on the list or the sequence that a submission leads to.
import type { PageForm } from '../sections/form.ts';

const email = { name: 'email', type: 'email', label: 'Your email address', required: true } as const;
const name = { name: 'name', type: 'text', label: 'Your name', required: false } as const;
const message = { name: 'message', type: 'textarea', label: 'Your message', required: true } as const;

/** The form of a section of the kind contact; for other kinds, the form of a lead_form. */
export const standardForm = (kind: string): PageForm =>
  kind === 'contact'
    ? { formId: 'contact', fields: [name, email, message], thanks: 'Thank you. Your message is on its way.' }
    : { formId: 'sign-up', fields: [name, email], thanks: 'Thank you.' };
