/**
 * What one template may cost: parsing, rendering and compiling read their bounds here.
 * The figures are defaults that no caller may raise over the wire.
 */

/** Characters of an authored body, and of an own text part. */
export const BODY_LIMIT = 512_000;

/** Characters of a subject or a preview text. */
export const LINE_LIMIT = 2_000;

/** Languages of one template, and characters of all of them together. */
export const LOCALE_LIMIT = 50;
export const LOCALES_LIMIT = 2_000_000;

/** Distinct sources of all languages together, each in its layout: characters, and Liquid steps (source-work.ts). */
export const TEMPLATE_SOURCE_LIMIT = 4_000_000;
export const TEMPLATE_STEP_LIMIT = 5_000;

/** Elements of the distinct bodies of all languages together, an MJML element as five. */
export const TEMPLATE_ELEMENT_LIMIT = 40_000;

/** Characters of a compiled source that rendering accepts. */
export const SOURCE_LIMIT = 1_000_000;

/** Liquid tags and placeholders of one template. */
export const TAG_LIMIT = 5_000;

/** Blocks inside blocks. */
export const NESTING_LIMIT = 32;

/** Elements of one authored body, and comments, whatever its mode: what MJML and the CSS inliner cost grows with them. */
export const ELEMENT_LIMIT = 4_000;

/** MJML elements of one body: each becomes several of HTML. */
export const MJML_ELEMENT_LIMIT = 2_000;

/** Elements inside elements of an authored body. */
export const ELEMENT_NESTING_LIMIT = 100;

/** Characters of all style elements of one body. */
export const STYLE_LIMIT = 64_000;

/** Selectors times elements of one body: what inlining costs, at half a microsecond each. */
export const STYLE_WORK_LIMIT = 1_500_000;

/** Characters of one style attribute. */
export const STYLE_ATTRIBUTE_LIMIT = 5_000;

/** Characters that one part (HTML, text, subject) may come out with. */
export const OUTPUT_LIMIT = 1_000_000;

/** Rounds of one `for` over a range. */
export const RANGE_LIMIT = 10_000;

/** Steps of one rendering: a node run inside a loop is one, a filter is ten. */
export const STEP_LIMIT = 200_000;

/** Characters and list elements that filters and captures may make in one rendering. */
export const MEMORY_LIMIT = 4_000_000;

/** Milliseconds of one rendering, looked at every few hundred steps. */
export const TIME_LIMIT = 500;
