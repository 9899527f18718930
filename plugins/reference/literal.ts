// Values as formatted JavaScript source. Called by snippets.ts.

const identifier = /^[A-Za-z_$][\w$]*$/;
const width = 76;

const quote = (text: string): string =>
  text.includes("'") && !text.includes('"')
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/**
 * The value as source. `indent` is the number of spaces from its second line on; `before` is the number of characters before it
 * on its first line.
 */
export function literal(value: unknown, indent = 0, before = indent): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => literal(item, indent + 2))
    : Object.entries(value).map(
        ([name, inner]) =>
          `${identifier.test(name) ? name : quote(name)}: ${literal(inner, indent + 2, indent + name.length + 4)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) return `${open}${close}`;
  const oneLine = isList ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`;
  if (!oneLine.includes('\n') && oneLine.length + before <= width) return oneLine;
  const innerIndent = ' '.repeat(indent + 2);
  return `${open}\n${members.map((member) => `${innerIndent}${member},\n`).join('')}${' '.repeat(indent)}${close}`;
}
