/**
 * The limits of one template: parsing, rendering and compiling read them here. The figures are defaults that no API
 * call can raise.
 */

/** Characters of an authored body, and of an authored text part. */
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

/**
 * Elements of one authored body, and comments, in every mode: the cost of MJML and of the CSS inliner grows with them.
 */
export const ELEMENT_LIMIT = 4_000;

/** MJML elements of one body: each becomes several HTML elements. */
export const MJML_ELEMENT_LIMIT = 2_000;

/** Nesting depth of elements of an authored body. */
export const ELEMENT_NESTING_LIMIT = 100;

/** Characters of all style elements of one body. */
export const STYLE_LIMIT = 64_000;

/** Selectors times elements of one body: the cost of inlining, at half a microsecond each. */
export const STYLE_WORK_LIMIT = 1_500_000;

/** Characters of one style attribute. */
export const STYLE_ATTRIBUTE_LIMIT = 5_000;

/** Characters of each rendered part (HTML, text, subject). */
export const OUTPUT_LIMIT = 1_000_000;

/** Rounds of one `for` over a range. */
export const RANGE_LIMIT = 10_000;

/**
 * Steps of one part (HTML, text, subject): a node run inside a loop counts as one, a round of a loop as two, a filter as ten, one
 * for dates as 500; a condition counts the elements of a list that it looks into, and one for 64 characters of a text. As many as fit hold the event loop
 * for some tens of milliseconds, the first time in a process included.
 */
export const STEP_LIMIT = 100_000;

/**
 * Characters and list elements that filters and captures may make in one rendering. What is sorted counts 25 times, raw content
 * 20 times: as much as fits takes some tens of milliseconds.
 */
export const MEMORY_LIMIT = 4_000_000;

/** Milliseconds of one rendering, checked every few hundred steps. */
export const TIME_LIMIT = 500;
