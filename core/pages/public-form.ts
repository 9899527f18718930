// Forms that visitors post without a key: fields with their errors beside them, a trap for programs, a signed time, and limits. Without
// cookies there is no session that a foreign page could use, so a form needs no token against that. Called by public routes.
import { parseAddress } from '../contract/addresses.ts';
import type { Keyring } from '../contract/ports/keyring.ts';
import type { PublicRequest, PublicRouteContext } from '../contract/public-route.ts';
import { beginning } from '../contract/shorten.ts';
import { escapeHtml } from './html.ts';

/** A field of a form. */
export interface FormField {
  /** a-z, 0-9 and underscores. */
  readonly name: string;
  readonly type: 'email' | 'text' | 'textarea' | 'select' | 'checkbox';
  readonly label: string;
  readonly required: boolean;
  /** The choices of a select. */
  readonly options?: readonly string[];
  /** What browsers may fill in, such as `name`. (Default: `email` for an email field, else nothing) */
  readonly autocomplete?: string;
}

/** What is said beside fields, in the language of the page. */
export interface FormTexts {
  /** After the label of a field that may stay empty. */
  readonly optional: string;
  /** Contains `{label}`. */
  readonly missing: string;
  /** Where a box is not ticked; contains `{label}`. (Default: missing) */
  readonly unticked?: string;
  readonly noAddress: string;
  /** Contains `{count}`. */
  readonly tooLong: string;
  readonly characters: string;
  /** Where none of the options of a select was chosen. (Default: missing) */
  readonly choose?: string;
  /** Where the form was open for too long, or sent too fast. */
  readonly again: string;
}

/** A form. */
export interface PublicForm {
  /** Names its counters and binds its signed time: `notes.add:nt_…`. At most 90 characters. */
  readonly id: string;
  readonly fields: readonly FormField[];
  /** What visitors agree to by sending, above the button. */
  readonly consentText?: string | undefined;
  readonly button: string;
  readonly texts: FormTexts;
}

/** Values by the name of their field; a checkbox is `yes` or empty. */
export type FormValues = Readonly<Record<string, string>>;

/** A form that was posted. */
export type FormReading =
  /** In order. */
  | { readonly kind: 'sent'; readonly values: FormValues }
  /** To be shown again, with these values and errors. `''` names an error of the whole form. */
  | { readonly kind: 'refused'; readonly values: FormValues; readonly errors: FormErrors }
  /**
   * Begun on a page of somebody else, which has no signed time: to be shown with these values, for the visitor to send. Nothing
   * happens before, so it does not matter whose page it was.
   */
  | { readonly kind: 'begun'; readonly values: FormValues }
  /** The trap was filled, as programs do: answer as if it had been sent, and keep the values for people to look at, nothing else. */
  | { readonly kind: 'trapped'; readonly values: FormValues };

export type FormErrors = ReadonlyMap<string, string>;

/** The most bytes of a form's body. */
export const maxFormBytes = 65_536;
/** Faster than a person fills in a form. */
const minMs = 2_000;
/** A page that was open for longer is asked to send again. */
const maxMs = 86_400_000;

/** The most characters of a value. */
const longest = { email: 320, text: 500, textarea: 5_000, select: 500, checkbox: 10 } as const;

const purpose = 'public form';
const macBytes = 16;
/** No field has it, programs fill it in like any other, and no browser takes it for something that it knows of its user. */
const trapName = 'more_details';
const timeName = 'shown_at';

/** Names that forms post beside those of their fields. */
export const ownFieldNames: ReadonlySet<string> = new Set([trapName, timeName]);

const signedTime = (keyring: Keyring, formId: string, now: number): string =>
  `${now}.${Buffer.from(keyring.mac(`${formId} ${now}`, purpose).subarray(0, macBytes)).toString('base64url')}`;

/** When the form was shown; undefined for a time that the service did not sign for it. */
function readTime(keyring: Keyring, formId: string, text: string): number | undefined {
  const [, at = '', mac = ''] = /^(\d{1,15})\.([\w-]{22})$/.exec(text) ?? [];
  if (at === '') return undefined;
  return keyring.verifyMac(Buffer.from(mac, 'base64url'), `${formId} ${at}`, purpose) ? Number(at) : undefined;
}

const cleaned = (text: string): string => text.replaceAll('\r\n', '\n').trim();

function faultOf({ type, required, options, label }: FormField, value: string, texts: FormTexts): string | undefined {
  const labelled = (text: string): string => text.replace('{label}', () => label);
  if (value === '')
    return required ? labelled(type === 'checkbox' ? (texts.unticked ?? texts.missing) : texts.missing) : undefined;
  if (value.length > longest[type]) return texts.tooLong.replace('{count}', String(longest[type]));
  if (type === 'email' && parseAddress(value) === undefined) return texts.noAddress;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: texts of people have none
  if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(value) || (type !== 'textarea' && value.includes('\n')))
    return texts.characters;
  return type === 'select' && options?.includes(value) !== true ? labelled(texts.choose ?? texts.missing) : undefined;
}

/**
 * Reads a posted form. Counts it: five a minute from one client address, 60 a minute for the form.
 * @throws address_rate_limit, payload_too_large, media_type_unsupported, body_invalid
 */
export async function readPublicForm(
  { limitAddress, limitAll, ports, now }: Pick<PublicRouteContext, 'limitAddress' | 'limitAll' | 'ports' | 'now'>,
  request: Pick<PublicRequest, 'form'>,
  form: PublicForm,
): Promise<FormReading> {
  await limitAddress({ name: 'forms', perMinute: 5, burst: 5 });
  const given = await request.form();
  const isTrapped = (given.get(trapName) ?? '') !== '';
  // Programs do not use up what visitors may send.
  await limitAll({ name: `${isTrapped ? 'trap' : 'form'}:${form.id}`, perMinute: 60, burst: 60 });
  const values: Record<string, string> = {};
  const errors = new Map<string, string>();
  for (const field of form.fields) {
    const text = cleaned(given.get(field.name) ?? '');
    const value = field.type === 'checkbox' && text !== '' ? 'yes' : text;
    values[field.name] = isTrapped
      ? beginning(value.replace(/[^\P{Cc}\n]/gu, ' '), longest[field.type])
      : beginning(value, longest[field.type] + 1);
    if (isTrapped) continue;
    const fault = faultOf(field, value, form.texts);
    if (fault !== undefined) errors.set(field.name, fault);
  }
  if (isTrapped) return { kind: 'trapped', values };
  if (!given.has(timeName)) return { kind: 'begun', values };
  const shownAt = readTime(ports.keyring, form.id, given.get(timeName) ?? '');
  if (shownAt === undefined || now - shownAt > maxMs || now - shownAt < minMs) errors.set('', form.texts.again);
  return errors.size === 0 ? { kind: 'sent', values } : { kind: 'refused', values, errors };
}

/**
 * The id of the first field with a fault. The form is posted to an address that ends in it: so browsers move the focus there, while
 * in a sandbox they refuse `autofocus`.
 */
const faultId = 'fault';

/** How the fields of one form are shown. */
interface Shown {
  readonly errors: FormErrors | undefined;
  /** The first field with a fault. */
  readonly first: string | undefined;
  readonly optional: string;
  /** Before the ids. */
  readonly ids: string;
}

const idOf = (name: string, { first, ids }: Shown): string => (name === first ? faultId : `${ids}f-${name}`);
const errorIdOf = (name: string, { ids }: Shown): string => `${ids}e-${name}`;

const attributesOf = (field: FormField, shown: Shown): string => {
  const { name, required, type } = field;
  const fault = shown.errors?.get(name);
  const autocomplete = field.autocomplete ?? (type === 'email' ? 'email' : undefined);
  return [
    `id="${idOf(name, shown)}" name="${name}"`,
    required ? 'required' : '',
    autocomplete === undefined ? '' : `autocomplete="${autocomplete}"`,
    fault === undefined ? '' : `aria-invalid="true" aria-describedby="${errorIdOf(name, shown)}"`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

function controlOf(field: FormField, value: string, attributes: string): string {
  const { type, options = [] } = field;
  const max = `maxlength="${longest[type]}"`;
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

function fieldHtml(field: FormField, value: string, shown: Shown): string {
  const { name, label, type, required } = field;
  const attributes = attributesOf(field, shown);
  const fault = shown.errors?.get(name);
  const error = fault === undefined ? '' : `<p class="error" id="${errorIdOf(name, shown)}">${escapeHtml(fault)}</p>`;
  const optional = required ? '' : ` ${escapeHtml(shown.optional)}`;
  const text = `<label for="${idOf(name, shown)}">${escapeHtml(label)}${optional}</label>`;
  if (type === 'checkbox') {
    const box = `<input type="checkbox" value="yes"${value === '' ? '' : ' checked'} ${attributes}>`;
    return `<div class="field"><div class="choice">${box}${text}</div>${error}</div>`;
  }
  return `<div class="field">${text}${controlOf(field, value, attributes)}${error}</div>`;
}

/**
 * The form as HTML; it posts to the address of its page, or to `action`. After errors, with what was posted. `ids` stands before
 * the ids of its fields: on a page with several forms they differ by it.
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
  const whole = errors?.get('');
  // Without a field to move to, the focus goes to what is said of the whole form.
  const focus = first === undefined ? ` id="${faultId}" tabindex="-1"` : '';
  const summary = whole === undefined ? '' : `<div class="error" role="alert"${focus}>${escapeHtml(whole)}</div>`;
  const shown: Shown = { errors, first, optional: form.texts.optional, ids };
  const fields = form.fields.map((field) => fieldHtml(field, values[field.name] ?? '', shown)).join('\n');
  const consent = form.consentText === undefined ? '' : `<p class="small">${escapeHtml(form.consentText)}</p>`;
  return `<form method="post" novalidate action="${escapeHtml(action ?? '')}#${faultId}">
${summary}${fields}
<div class="trap" aria-hidden="true"><label for="${ids}f-${trapName}">Leave this empty</label><input id="${ids}f-${trapName}" name="${trapName}" tabindex="-1" autocomplete="off" data-1p-ignore data-bwignore data-lpignore="true" data-form-type="other"></div>
<input type="hidden" name="${timeName}" value="${signedTime(keyring, form.id, now)}">
${consent}<button>${escapeHtml(form.button)}</button>
</form>`;
}
