// Cells of a file that spreadsheets open: one that would begin a formula gets a quote in front, and loses it when it is read
// back. See OWASP, "CSV injection". Pure.

const dangerous = /^'*[=+\-@\t\r\n]/;

/** What is written. A cell that looks neutralised already gets one quote more, so that reading gives it back. */
export const neutralise = (text: string): string => (dangerous.test(text) ? `'${text}` : text);

/** What was meant. */
export const restore = (cell: string): string => (cell.startsWith("'") && dangerous.test(cell) ? cell.slice(1) : cell);
