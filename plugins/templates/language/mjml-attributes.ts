/**
 * Attributes that MJML evaluates when a template is published, so that Liquid in them would come too late. Called by
 * mjml-structure.ts. A test compares the list with MJML's own definitions.
 */

const PADDINGS = ['padding', 'padding-left', 'padding-right'];
const BORDERS = ['border', 'border-left', 'border-right'];
const BACKGROUND = ['background-size', 'background-position', 'background-position-x', 'background-position-y'];
const SECTION = [...PADDINGS, ...BORDERS, ...BACKGROUND, 'background-repeat', 'full-width', 'gutter', 'gap'];

/** The fixed attributes of all elements. `FIXED` lists the fixed attributes of single elements. */
const OF_ALL = ['mj-class', 'width'];
const FIXED: Readonly<Record<string, readonly string[]>> = {
  mjml: ['owa', 'lang', 'dir'],
  'mj-section': SECTION,
  'mj-wrapper': SECTION,
  'mj-column': [...PADDINGS, ...BORDERS, 'inner-border', 'inner-border-left', 'inner-border-right'],
  'mj-group': PADDINGS,
  'mj-hero': [...PADDINGS, 'padding-top', 'padding-bottom', 'mode', 'height', 'background-width', 'background-height'],
  'mj-image': [...PADDINGS, ...BORDERS, 'height', 'fluid-on-mobile', 'full-width'],
  'mj-divider': [...PADDINGS, 'align'],
  'mj-button': ['inner-padding'],
  'mj-table': ['cellspacing'],
  'mj-social': ['mode', 'icon-size'],
  'mj-social-element': ['name', 'icon-size', 'icon-position'],
  'mj-navbar': ['hamburger'],
  'mj-font': ['name'],
  'mj-style': ['inline'],
  'mj-raw': ['position'],
  'mj-class': ['name'],
  'mj-selector': ['path'],
  'mj-html-attribute': ['name'],
};

/** Elements that give attributes to elements of any kind. */
const DEFAULTS: ReadonlySet<string> = new Set(['mj-all', 'mj-class']);
const OF_ANY: ReadonlySet<string> = new Set([...OF_ALL, ...Object.values(FIXED).flat()]);
/** Attributes of a button that appears only on small screens, and only with `hamburger`. */
const UNUSED = /^ico-/;

/** Whether an attribute of an element must be written without Liquid. */
export function isFixedAttribute(element: string, attribute: string): boolean {
  if (FIXED[element]?.includes(attribute)) return true;
  // HTML in MJML, and the width from which columns are shown side by side, are copied unchanged, so they may contain Liquid.
  if (!element.startsWith('mj-') || element === 'mj-breakpoint') return false;
  if (OF_ALL.includes(attribute)) return true;
  return (DEFAULTS.has(element) && OF_ANY.has(attribute)) || (element === 'mj-navbar' && UNUSED.test(attribute));
}

/** Elements that produce an `<input>`, which is not allowed in a mail. */
const INTERACTIVE: ReadonlySet<string> = new Set(['mj-accordion', 'mj-carousel']);

/** Returns, as a sentence, why an element is not allowed in a mail. */
export const elementFault = (element: string): string | undefined =>
  INTERACTIVE.has(element)
    ? `\`<${element}>\` is not available: it needs form elements, which most mail clients remove. Write its parts out as ${element === 'mj-carousel' ? '`mj-image`' : '`mj-text`'}.`
    : undefined;

/** Returns, as a sentence, why an attribute is not allowed in a mail. */
export const attributeFault = (element: string, attribute: string, value: string): string | undefined =>
  element === 'mj-navbar' && attribute === 'hamburger' && value === 'hamburger'
    ? '`hamburger` is not available: it needs form elements, which most mail clients remove. Without it the links stay visible.'
    : undefined;
