// Forms that visitors post without a key. They have errors next to their fields, a trap field for bots, a signed time,
// and rate limits. Without cookies there is no session that a foreign page could use, so a form needs no token against
// forged requests. Called by public routes.

import type { PublicRequest, PublicRouteContext } from '../contract/declaration/public-route.ts';
import { isPostriderError, type PostriderError } from '../contract/errors/errors.ts';
import type { Keyring } from '../contract/ports/keyring.ts';
import { parseAddress } from '../contract/values/addresses.ts';
import { beginning } from '../contract/values/shorten.ts';
import { wantsPage } from '../projections/wants-page.ts';
import { escapeHtml } from './html.ts';

export interface FormField {
  /** a-z, 0-9 and underscores. */
  readonly name: string;
  readonly type: 'email' | 'text' | 'textarea' | 'select' | 'checkbox';
  readonly label: string;
  readonly required: boolean;
  /** The choices of a select. */
  readonly options?: readonly string[];
  /** The value that browsers may fill in, such as `name`. (Default: `email` for an email field, else nothing) */
  readonly autocomplete?: string;
}

/** The texts next to fields, in the language of the page. */
export interface FormTexts {
  /** After the label of a field that may stay empty. */
  readonly optional: string;
  /** Contains `{label}`. */
  readonly missing: string;
  /** If a required box is not ticked; contains `{label}`. (Default: missing) */
  readonly unticked?: string;
  readonly noAddress: string;
  /** Contains `{count}`. */
  readonly tooLong: string;
  readonly characters: string;
  /** If a select is required and its visitor chose nothing. (Default: missing) */
  readonly choose?: string;
  /** If the form was open for too long, or was sent too fast. */
  readonly again: string;
  /** If the form was sent too often. (Default: again) */
  readonly tooMany?: string;
}

export interface PublicForm {
  /** Identifies the form's counters, and is part of its signed time: `notes.add:nt_…`. At most 90 characters. */
  readonly id: string;
  readonly fields: readonly FormField[];
  /** The text that visitors agree to by sending, above the button. */
  readonly consentText?: string | undefined;
  readonly button: string;
  readonly texts: FormTexts;
}

/** Values by the name of their field; a checkbox is `yes` or empty. */
export type FormValues = Readonly<Record<string, string>>;

/** A form that was posted. */
export type FormReading =
  /** The form has no errors. */
  | { readonly kind: 'sent'; readonly values: FormValues }
  /** The form must be shown again, with these values and errors. The key `''` is an error of the whole form. */
  | { readonly kind: 'refused'; readonly values: FormValues; readonly errors: FormErrors }
  /** The form was sent too often. It must be shown again, with these values and errors, and with the status 429. */
  | {
      readonly kind: 'limited';
      readonly values: FormValues;
      readonly errors: FormErrors;
      readonly retryAfterSeconds: number;
    }
  /**
   * The form was posted by a page of another site, which has no signed time. It must be shown with these values, so
   * that the visitor sends it. Nothing happens before that, so any page may post the form.
   */
  | { readonly kind: 'begun'; readonly values: FormValues }
  /**
   * The trap field was filled, as bots do. Answer as if the form had been sent, but only keep the values for people to
   * look at.
   */
  | { readonly kind: 'trapped'; readonly values: FormValues };

export type FormErrors = ReadonlyMap<string, string>;

/** The largest size of a form's body, in bytes. */
export const maxFormBytes = 65_536;
/** A person takes at least this long to fill in a form. */
const minMs = 2_000;
/** If a page was open for longer, the visitor is asked to send the form again. */
const maxMs = 86_400_000;

/** The largest number of characters of a value, by type of field. */
const maxLengths = { email: 320, text: 500, textarea: 5_000, select: 500, checkbox: 10 } as const;

const purpose = 'public form';
const macBytes = 16;
/**
 * The name of the trap field. No other field has it, bots fill it in like any other field, and browsers have no value
 * for it.
 */
const trapName = 'more_details';
const timeName = 'shown_at';

/** Names that forms post in addition to those of their fields. */
export const ownFieldNames: ReadonlySet<string> = new Set([trapName, timeName]);

const signedTime = (keyring: Keyring, formId: string, now: number): string =>
  `${now}.${Buffer.from(keyring.mac(`${formId} ${now}`, purpose).subarray(0, macBytes)).toString('base64url')}`;

/** The time at which the form was shown; undefined for a time that the service did not sign for this form. */
function readTime(keyring: Keyring, formId: string, text: string): number | undefined {
  const [, at = '', mac = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(text) ?? [];
  if (at === '') return undefined;
  return keyring.verifyMac(Buffer.from(mac, 'base64url'), `${formId} ${at}`, purpose) ? Number(at) : undefined;
}

const cleanText = (text: string): string => text.replaceAll('\r\n', '\n').trim();

function faultOf({ type, required, options, label }: FormField, value: string, texts: FormTexts): string | undefined {
  const labelled = (text: string): string => text.replace('{label}', () => label);
  if (value === '')
    return required ? labelled(type === 'checkbox' ? (texts.unticked ?? texts.missing) : texts.missing) : undefined;
  if (value.length > maxLengths[type]) return texts.tooLong.replace('{count}', String(maxLengths[type]));
  if (type === 'email' && parseAddress(value) === undefined) return texts.noAddress;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: texts of people have none
  if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(value) || (type !== 'textarea' && value.includes('\n')))
    return texts.characters;
  return type === 'select' && options?.includes(value) !== true ? labelled(texts.choose ?? texts.missing) : undefined;
}

/** Runs a count. Returns the refusal if a browser exceeds the limit, so that its form can be shown again. */
async function refusalOf(
  request: Pick<PublicRequest, 'headers'>,
  count: Promise<void>,
): Promise<PostriderError | undefined> {
  try {
    await count;
    return undefined;
  } catch (error) {
    if (!isPostriderError(error, 'address_rate_limit') || !wantsPage(request)) throw error;
    return error;
  }
}

/**
 * Reads a posted form. Limits: five a minute from one client address, 60 a minute for the form.
 * @throws address_rate_limit to programs and bots, payload_too_large, media_type_unsupported, body_invalid
 */
export async function readPublicForm(
  { limitAddress, limitAll, ports, now }: Pick<PublicRouteContext, 'limitAddress' | 'limitAll' | 'ports' | 'now'>,
  request: Pick<PublicRequest, 'form' | 'headers'>,
  form: PublicForm,
): Promise<FormReading> {
  const byAddress = await refusalOf(request, limitAddress({ name: 'forms', perMinute: 5, burst: 5 }));
  const fields = await request.form();
  const isTrapped = (fields.get(trapName) ?? '') !== '';
  // Bots have their own counter, so that they do not use up the limit of visitors.
  const formLimit = { name: `${isTrapped ? 'trap' : 'form'}:${form.id}`, perMinute: 60, burst: 60 };
  const refusal = byAddress ?? (await refusalOf(request, limitAll(formLimit)));
  if (refusal !== undefined && isTrapped) throw refusal;
  const values: Record<string, string> = {};
  const errors = new Map<string, string>();
  for (const field of form.fields) {
    const text = cleanText(fields.get(field.name) ?? '');
    const value = field.type === 'checkbox' && text !== '' ? 'yes' : text;
    values[field.name] = isTrapped
      ? beginning(value.replace(/[^\P{Cc}\n]/gu, ' '), maxLengths[field.type])
      : beginning(value, maxLengths[field.type] + 1);
    if (isTrapped || refusal !== undefined) continue;
    const fault = faultOf(field, value, form.texts);
    if (fault !== undefined) errors.set(field.name, fault);
  }
  if (isTrapped) return { kind: 'trapped', values };
  if (refusal !== undefined) {
    const { tooMany = form.texts.again } = form.texts;
    const { retryAfterSeconds = 60 } = refusal;
    return { kind: 'limited', values, errors: new Map([['', tooMany]]), retryAfterSeconds };
  }
  if (!fields.has(timeName)) return { kind: 'begun', values };
  const shownAt = readTime(ports.keyring, form.id, fields.get(timeName) ?? '');
  if (shownAt === undefined || now - shownAt > maxMs || now - shownAt < minMs) errors.set('', form.texts.again);
  return errors.size === 0 ? { kind: 'sent', values } : { kind: 'refused', values, errors };
}

/**
 * The id of the first field with a fault. The form is posted to an address that ends in this id, so that browsers move
 * the focus there. In a sandbox, browsers refuse `autofocus`.
 */
const faultId = 'fault';

/** The state that all fields of one form share when they are shown. Each sentence has its own direction: the page may be in a language without texts. */
interface FieldView {
  readonly errors: FormErrors | undefined;
  /** The first field with a fault. */
  readonly first: string | undefined;
  readonly optional: string;
  /** A prefix of the ids. */
  readonly ids: string;
}

const idOf = (name: string, { first, ids }: FieldView): string => (name === first ? faultId : `${ids}f-${name}`);
const errorIdOf = (name: string, { ids }: FieldView): string => `${ids}e-${name}`;

const attributesOf = (field: FormField, view: FieldView): string => {
  const { name, required, type } = field;
  const fault = view.errors?.get(name);
  const autocomplete = field.autocomplete ?? (type === 'email' ? 'email' : undefined);
  return [
    `id="${idOf(name, view)}" name="${name}"`,
    required ? 'required' : '',
    autocomplete === undefined ? '' : `autocomplete="${autocomplete}"`,
    fault === undefined ? '' : `aria-invalid="true" aria-describedby="${errorIdOf(name, view)}"`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

function controlOf(field: FormField, value: string, attributes: string): string {
  const { type, options = [] } = field;
  const max = `maxlength="${maxLengths[type]}"`;
  if (type === 'textarea')
    return `<textarea class="text" rows="5" ${max} ${attributes}>\n${escapeHtml(value)}</textarea>`;
  if (type === 'select') {
    const choices = options.map(
      (option) => `<option${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`,
    );
    return `<select ${attributes}><option value=""></option>${choices.join('')}</select>`;
  }
  return `<input class="text" type="${type}" value="${escapeHtml(value)}" ${max} ${attributes}>`;
}

function fieldHtml(field: FormField, value: string, view: FieldView): string {
  const { name, label, type, required } = field;
  const attributes = attributesOf(field, view);
  const fault = view.errors?.get(name);
  const error =
    fault === undefined ? '' : `<p class="error" id="${errorIdOf(name, view)}"><bdi>${escapeHtml(fault)}</bdi></p>`;
  const optional = required ? '' : ` ${escapeHtml(view.optional)}`;
  const text = `<label for="${idOf(name, view)}">${escapeHtml(label)}${optional}</label>`;
  if (type === 'checkbox') {
    const box = `<input type="checkbox" value="yes"${value === '' ? '' : ' checked'} ${attributes}>`;
    return `<div class="field"><div class="choice">${box}${text}</div>${error}</div>`;
  }
  return `<div class="field">${text}${controlOf(field, value, attributes)}${error}</div>`;
}

/**
 * The form as HTML. It posts to the address of its page, or to `action`. After errors, it contains the posted values.
 * `ids` is a prefix of the field ids, so that they differ on a page with several forms.
 */
export function publicFormHtml(
  form: PublicForm,
  {
    keyring,
    now,
    values = {},
    errors,
    action,
    ids = '',
  }: {
    readonly keyring: Keyring;
    readonly now: number;
    readonly values?: FormValues | undefined;
    readonly errors?: FormErrors | undefined;
    readonly action?: string | undefined;
    readonly ids?: string | undefined;
  },
): string {
  const first = form.fields.find(({ name }) => errors?.has(name))?.name;
  const formError = errors?.get('');
  // If no field has a fault, the focus moves to the error of the whole form.
  const focus = first === undefined ? ` id="${faultId}" tabindex="-1"` : '';
  const summary =
    formError === undefined ? '' : `<div class="error" role="alert"${focus}><bdi>${escapeHtml(formError)}</bdi></div>`;
  const view: FieldView = { errors, first, optional: form.texts.optional, ids };
  const fields = form.fields.map((field) => fieldHtml(field, values[field.name] ?? '', view)).join('\n');
  const consent =
    form.consentText === undefined ? '' : `<p class="small"><bdi>${escapeHtml(form.consentText)}</bdi></p>`;
  return `<form method="post" novalidate action="${escapeHtml(action ?? '')}#${faultId}">
${summary}${fields}
<div class="trap" aria-hidden="true"><label for="${ids}f-${trapName}">Leave this empty</label><input id="${ids}f-${trapName}" name="${trapName}" tabindex="-1" autocomplete="off" data-1p-ignore data-bwignore data-lpignore="true" data-form-type="other"></div>
<input type="hidden" name="${timeName}" value="${signedTime(keyring, form.id, now)}">
${consent}<button>${escapeHtml(form.button)}</button>
</form>`;
}
