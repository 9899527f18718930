/**
 * The limits of one template, for parsing, rendering and compiling. They are fixed: no API call can raise them.
 */

/** Characters of an authored body, and of an authored text part. */
export const BODY_LIMIT = 512_000;

/** Characters of a subject or a preview text. */
export const LINE_LIMIT = 2_000;

/** The number of languages of one template, and the characters of all languages together. */
export const LOCALE_LIMIT = 50;
export const LOCALES_LIMIT = 2_000_000;

/**
 * The distinct sources of all languages together, each in its layout: characters, and Liquid steps (source-work.ts).
 */
export const TEMPLATE_SOURCE_LIMIT = 4_000_000;
export const TEMPLATE_STEP_LIMIT = 5_000;

/** Elements of the distinct bodies of all languages together; an MJML element counts as five. */
export const TEMPLATE_ELEMENT_LIMIT = 40_000;

/** Characters of a compiled source that rendering accepts. */
export const SOURCE_LIMIT = 1_000_000;

/** Liquid tags and placeholders of one template. */
export const TAG_LIMIT = 5_000;

/** The nesting depth of blocks. */
export const NESTING_LIMIT = 32;

/**
 * Elements, and comments, of one authored body in every mode. The cost of MJML and of the CSS inliner grows with them.
 */
export const ELEMENT_LIMIT = 4_000;

/** MJML elements of one body: each becomes several HTML elements. */
export const MJML_ELEMENT_LIMIT = 2_000;

/** Nesting depth of elements of an authored body. */
export const ELEMENT_NESTING_LIMIT = 100;

/** Characters of all style elements of one body. */
export const STYLE_LIMIT = 64_000;

/** Selectors times elements of one body: the cost of inlining, about half a microsecond each. */
export const STYLE_WORK_LIMIT = 1_500_000;

/** Characters of one style attribute. */
export const STYLE_ATTRIBUTE_LIMIT = 5_000;

/** Characters of each rendered part (HTML, text, subject). */
export const OUTPUT_LIMIT = 1_000_000;

/** Rounds of one `for` over a range. */
export const RANGE_LIMIT = 10_000;

/**
 * Steps of one part (HTML, text, subject). A node inside a loop counts as 1, a round of a loop as 2, a filter as 10, a
 * date filter as 500. A condition counts the elements of a list that it searches, and 1 for every 64 characters of a
 * text. The limit blocks the event loop for some tens of milliseconds, including the first time in a process.
 */
export const STEP_LIMIT = 100_000;

/**
 * Characters and list elements that filters and captures may create in one rendering. Sorted values count 25 times, raw
 * content 20 times. Reaching the limit takes some tens of milliseconds.
 */
export const MEMORY_LIMIT = 4_000_000;

/** Milliseconds of one rendering; checked every few hundred steps. */
export const TIME_LIMIT = 500;
