// The roles of a form's fields: the address, the greeting, autocompletion by browsers, attributes of the contact. Pure.
import { createHash } from 'node:crypto';
import type { FormField, FormValues, PublicForm } from '../../../core/unstable.ts';
import { asksToConfirm, type PageForm, type PageFormField } from '../sections/form.ts';
import type { PageFormTexts } from './texts.ts';

/** Autocomplete values by common field names (HTML, section 4.10.18.7). */
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

/** Names of attributes that a form never sets on a contact. */
const forbiddenNames: ReadonlySet<string> = new Set(['id', 'email', 'external_id']);

/** The field whose address must be confirmed: the first email field. */
export const emailField = ({ fields }: PageForm): PageFormField | undefined =>
  fields.find(({ type }) => type === 'email');

const fieldOf = ({ options, ...field }: PageFormField): FormField => ({
  ...field,
  ...(options === undefined ? {} : { options }),
  ...(field.type === 'email' || field.type === 'checkbox' || autocomplete[field.name] === undefined
    ? {}
    : { autocomplete: autocomplete[field.name] as string }),
});

/** The form as its page shows and reads it. If its address must be confirmed, the email field is required. */
export function publicFormOf(
  pageId: string,
  form: PageForm,
  { texts, button }: { readonly texts: PageFormTexts; readonly button: string | undefined },
): PublicForm {
  const { formId, fields, consentText } = form;
  // The name of a rate limit counter contains this id and must be short, so a hash replaces the id of a form.
  const shortId = createHash('sha256').update(formId).digest('base64url').slice(0, 22);
  const address = emailField(form)?.name;
  const mustConfirm = asksToConfirm(form);
  return {
    id: `pages.form:${pageId}:${shortId}`,
    fields: fields.map((field) =>
      fieldOf(mustConfirm && field.name === address ? { ...field, required: true } : field),
    ),
    consentText,
    button: button ?? texts.send,
    texts,
  };
}

/**
 * The fields of a submission that may become attributes of its contact, without the confirmed address and the names in
 * `forbiddenNames`.
 */
export const attributesOf = (
  address: string | undefined,
  { fields, language }: { readonly fields: FormValues; readonly language: string },
): Record<string, string> => ({
  // Mails use this language if they exist in it. A field with the name `locale` overrides it.
  locale: language,
  ...Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== '' && name !== address && !forbiddenNames.has(name)),
  ),
});

/** The name with which a mail may greet the person. */
export const greetingOf = (values: FormValues): string =>
  values['name'] ?? values['full_name'] ?? values['first_name'] ?? '';
