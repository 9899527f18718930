// The form that a built page gets. What becomes of submissions (a list, a sequence) is the author's to say before publishing.
import type { PageForm } from '../sections/form.ts';

const email = { name: 'email', type: 'email', label: 'Your email address', required: true } as const;
const name = { name: 'name', type: 'text', label: 'Your name', required: false } as const;
const message = { name: 'message', type: 'textarea', label: 'Your message', required: true } as const;

/** Of a section of the kind contact, or else lead_form. */
export const standardForm = (kind: string): PageForm =>
  kind === 'contact'
    ? { formId: 'contact', fields: [name, email, message], thanks: 'Thank you. Your message is on its way.' }
    : { formId: 'sign-up', fields: [name, email], thanks: 'Thank you.' };
