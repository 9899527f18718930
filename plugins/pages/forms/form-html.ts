// A form as HTML: its fields, the posted values, the thanks after sending. Called by the page renderer for each section
// with a form.

import type { Keyring } from '../../../core/index.ts';
import {
  type ChosenTexts,
  escapeHtml,
  type FormErrors,
  type FormValues,
  publicFormHtml,
} from '../../../core/unstable.ts';
import { asksToConfirm, type PageForm } from '../sections/form.ts';
import { encodeSlug } from '../slug.ts';
import { publicFormOf } from './fields.ts';
import type { PageFormTexts } from './texts.ts';

/** The state of a page's forms: the form that was sent, or the values that were posted with a fault. */
export interface FormsState {
  /** The formId of `?sent=`. */
  readonly sent?: string | undefined;
  readonly posted?: {
    readonly formId: string;
    readonly values: FormValues;
    readonly errors?: FormErrors | undefined;
    /** Set if the form was sent too often. */
    readonly retryAfterSeconds?: number;
  };
  /** Whether the page is a preview, in which no form can be sent. */
  readonly isPreview: boolean;
}

/** The context of a form. */
export interface FormContext {
  readonly pageId: string;
  /** The address to which forms post: the address of the page and `/forms/`. The formId is appended. */
  readonly action: string;
  readonly keyring: Keyring;
  readonly now: number;
  readonly chosen: ChosenTexts<PageFormTexts>;
  readonly state: FormsState;
  /** The label of the button. (Default: the label in the texts) */
  readonly button: string | undefined;
  markdown(text: string): string;
}

/** The id of the element, for links such as `#form-signup`. */
export const formAnchor = (formId: string): string => `form-${formId}`;

/** Fixed words, in their own direction: they are in English if the language of the page has no texts. */
const fixedParagraph = (text: string): string => `<p><bdi>${escapeHtml(text)}</bdi></p>`;

function thanksHtml(form: PageForm, { chosen: { texts }, markdown }: FormContext): string {
  const thanks = form.thanks === undefined || form.thanks === '' ? undefined : markdown(form.thanks);
  const hint = asksToConfirm(form) ? fixedParagraph(texts.confirm) : undefined;
  return [thanks, hint].filter((part) => part !== undefined).join('\n') || fixedParagraph(texts.sent);
}

/** Returns the form or, once it was sent, the thanks. */
export function formHtml(form: PageForm, context: FormContext): string {
  const { pageId, action, keyring, now, chosen, state, button } = context;
  const id = formAnchor(form.formId);
  // A link to this id moves the focus here, so that screen readers read the thanks.
  if (state.sent === form.formId)
    return `<div class="form-sent" id="${id}" role="status" tabindex="-1">${thanksHtml(form, context)}</div>`;
  const { formId, values, errors } = state.posted ?? {};
  const posted = formId === form.formId ? { values, errors } : {};
  const publicForm = publicFormOf(pageId, form, { texts: chosen.texts, button });
  const html = publicFormHtml(publicForm, {
    keyring,
    now,
    ...posted,
    ids: `${form.formId}-`,
    action: `${action}${encodeSlug(form.formId)}`,
  });
  if (!state.isPreview) return `<div class="form" id="${id}">${html}</div>`;
  return `<div class="form" id="${id}"><p class="form-preview"><strong><bdi>${escapeHtml(chosen.texts.preview)}</bdi></strong></p>
<fieldset disabled>${html}</fieldset></div>`;
}
