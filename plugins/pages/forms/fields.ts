// What the fields of a form are for: the address, the greeting, what browsers may fill in, what becomes an attribute. Pure.
import { createHash } from 'node:crypto';
import type { FormField, FormValues, PublicForm } from '../../../core/unstable.ts';
import { asksToConfirm, type PageForm, type PageFormField } from '../sections/form.ts';
import type { PageFormTexts } from './texts.ts';

/** What browsers fill in, by the names that forms commonly use (HTML, section 4.10.18.7). */
const autocomplete: Readonly<Record<string, string>> = {
  name: 'name',
  full_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  phone: 'tel',
  tel: 'tel',
  company: 'organization',
  organization: 'organization',
  job_title: 'organization-title',
  website: 'url',
  street: 'street-address',
  address: 'street-address',
  city: 'address-level2',
  zip: 'postal-code',
  postal_code: 'postal-code',
  country: 'country-name',
};

/** Names of a contact that no form sets. */
const names: ReadonlySet<string> = new Set(['id', 'email', 'external_id']);

/** The field whose address is asked to confirm: the first email field. */
export const emailField = ({ fields }: PageForm): PageFormField | undefined =>
  fields.find(({ type }) => type === 'email');

const fieldOf = ({ options, ...field }: PageFormField): FormField => ({
  ...field,
  ...(options === undefined ? {} : { options }),
  ...(field.type === 'email' || field.type === 'checkbox' || autocomplete[field.name] === undefined
    ? {}
    : { autocomplete: autocomplete[field.name] as string }),
});

/** The form as its page shows it and reads it. An address that is asked to confirm must be given. */
export function publicFormOf(
  pageId: string,
  form: PageForm,
  { texts, button }: { readonly texts: PageFormTexts; readonly button: string | undefined },
): PublicForm {
  const { formId, fields, consentText } = form;
  // Names of forms are longer than the names of counters.
  const short = createHash('sha256').update(formId).digest('base64url').slice(0, 22);
  const address = emailField(form)?.name;
  const mustConfirm = asksToConfirm(form);
  return {
    id: `pages.form:${pageId}:${short}`,
    fields: fields.map((field) =>
      fieldOf(mustConfirm && field.name === address ? { ...field, required: true } : field),
    ),
    consentText,
    button: button ?? texts.send,
    texts,
  };
}

/** What of a submission may become attributes of its contact: neither the confirmed address nor a name of the contact. */
export const attributesOf = (
  address: string | undefined,
  { fields, language }: { readonly fields: FormValues; readonly language: string },
): Record<string, string> => ({
  // Mails follow it, as far as they exist in it. A field of this name says it better.
  locale: language,
  ...Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== '' && name !== address && !names.has(name)),
  ),
});

/** How a mail may greet the person. */
export const greetingOf = (values: FormValues): string =>
  values['name'] ?? values['full_name'] ?? values['first_name'] ?? '';
