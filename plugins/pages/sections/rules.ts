// The parts that each kind of section requires or does not allow. Pure; called when sections are given, and for
// composed sections.
import type { ErrorDetail } from '../../../core/index.ts';
import { ownFieldNames } from '../../../core/unstable.ts';
import { asksToConfirm } from './form.ts';
import { linkFaults } from './links.ts';
import type { Section, SectionItem, SectionKind } from './schema.ts';

type SectionWithoutId = Omit<Section, 'id'>;

const withHeading: ReadonlySet<SectionKind> = new Set(['hero', 'banner', 'cta']);
const withForm: ReadonlySet<SectionKind> = new Set(['lead_form', 'contact', 'newsletter']);

/** The parts that each item of a kind must have. A kind that is not listed needs no items. */
const itemParts: Readonly<Partial<Record<SectionKind, readonly (keyof SectionItem)[]>>> = {
  features: [],
  how_it_works: [],
  faq: [],
  team: [],
  testimonials: [],
  stats: ['value'],
  pricing: ['value', 'href'],
  logos: ['imageAssetId'],
  gallery: ['imageAssetId'],
  comparison: ['values'],
};

/** Parts that only sections of one kind have. */
const kindByPart = { columns: 'comparison', url: 'video', until: 'countdown' } as const;

const shortText = 2_000;

const videoForms = [
  /^https:\/\/(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/)[\w-]{11}(?:[?&#].*)?$/,
  /^https:\/\/youtu\.be\/[\w-]{11}(?:[?#].*)?$/,
  /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?\d{4,12}(?:[/?#].*)?$/,
];

/** Whether a value is empty: a blank text, an empty list, or undefined. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** The faults of one section. @param at the path of the section in the request */
export function sectionFaults(section: SectionWithoutId, at: string): ErrorDetail[] {
  const { kind, text, items = [], columns, url, form } = section;
  const faults: ErrorDetail[] = [];
  const add = (path: string, code: string, message: string) => faults.push({ path: `${at}.${path}`, code, message });
  const need = (path: string, what: string) => add(path, 'required', `A section of the kind ${kind} needs ${what}.`);

  if (withHeading.has(kind) && isEmpty(section.heading)) need('heading', 'a heading');
  if (kind === 'cta' && section.cta === undefined) need('cta', 'a cta with label and href');
  if (kind === 'richtext' && isEmpty(text)) need('text', 'a text');
  if (kind !== 'richtext' && (text?.length ?? 0) > shortText)
    add('text', 'too_big', `A text has at most ${shortText} characters here: only richtext may have 20,000.`);
  if (kind === 'countdown' && section.until === undefined) need('until', 'the time at which it ends');
  if (kind === 'video') {
    if (isEmpty(url)) need('url', 'the address of a video at YouTube or Vimeo');
    else if (!videoForms.some((form) => form.test(url ?? '')))
      add('url', 'invalid', 'Give the https address of one video at YouTube or Vimeo.');
  }
  if (withForm.has(kind) && form === undefined) need('form', 'a form');
  if (!withForm.has(kind) && form !== undefined)
    add('form', 'not_allowed', 'Forms belong in sections of the kinds lead_form, contact and newsletter.');
  for (const [part, owner] of Object.entries(kindByPart))
    if (kind !== owner && section[part as keyof typeof kindByPart] !== undefined)
      add(part, 'not_allowed', `${part} belongs in sections of the kind ${owner}.`);

  const parts = itemParts[kind];
  if (parts !== undefined && items.length === 0) need('items', 'items');
  if (kind === 'comparison' && columns === undefined) need('columns', 'columns');
  items.forEach((item, index) => {
    for (const part of parts ?? []) if (isEmpty(item[part])) need(`items.${index}.${part}`, `${part} in each item`);
    if (Object.values(item).every(isEmpty))
      add(`items.${index}`, 'required', 'The item is empty. Give it a text or a picture.');
    if (item.values !== undefined && kind !== 'comparison')
      add(`items.${index}.values`, 'not_allowed', 'values belong in sections of the kind comparison.');
    else if (item.values !== undefined && columns !== undefined && item.values.length !== columns.length)
      add(`items.${index}.values`, 'invalid', `Give one value for each of the ${columns.length} columns.`);
  });

  if (form !== undefined) {
    const names = form.fields.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index)
        add(`form.fields.${index}.name`, 'duplicate', `Another field of the form has the name ${name}.`);
      if (ownFieldNames.has(name))
        add(`form.fields.${index}.name`, 'reserved', `Forms use the name ${name} themselves. Choose another one.`);
    });
    if (asksToConfirm(form) && !form.fields.some(({ type }) => type === 'email'))
      add('form.fields', 'required', 'A form that asks to confirm needs a field of the type email.');
  }
  return faults;
}

/** The faults of all sections of a page together. */
export function pageFaults(sections: readonly Section[], at: string): ErrorDetail[] {
  const formIds = new Map<string, number>();
  const faultsBySection = sections.flatMap((section, index) => {
    const faults = sectionFaults(section, `${at}.${index}`);
    const formId = section.form?.formId;
    if (formId === undefined) return faults;
    const firstIndex = formIds.get(formId);
    if (firstIndex === undefined) formIds.set(formId, index);
    else
      faults.push({
        path: `${at}.${index}.form.formId`,
        code: 'duplicate',
        message: `The form of section ${firstIndex} has the formId ${formId} already.`,
      });
    return faults;
  });
  return [...faultsBySection, ...linkFaults(sections, at)];
}
