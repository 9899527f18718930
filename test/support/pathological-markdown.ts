// Texts of any length that are hard to parse as Markdown: parsers took long for them, or produced much output. Called by tests and
// benches.

/** Texts of at most `length` characters, by description. */
export function pathologicalTexts(length: number): ReadonlyMap<string, string> {
  const of = (piece: string, of = length): string => piece.repeat(Math.ceil(of / piece.length)).slice(0, of);
  const both = (open: string, close: string, middle = 'a'): string =>
    `${of(open, length / 2 - 1)}${middle}${of(close, length / 2 - 1)}`;
  const rising = (line: (index: number) => string): string =>
    Array.from({ length: Math.ceil(Math.sqrt(2 * length)) }, (_, index) => line(index))
      .join('')
      .slice(0, length);
  const each = (line: (index: number) => string, maxLength = length): string => {
    let text = '';
    for (let index = 0; text.length < maxLength; index += 1) text += line(index);
    return text.slice(0, maxLength);
  };
  const columns = Math.min(2_400, Math.floor(length / 20));
  const wide = `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n`;
  return new Map([
    ['headings underlined by -', of('a\n-\n')],
    ['headings underlined by =', of('a\n=\n')],
    ['lazy lines of lists', of('- a\na\n')],
    ['lazy lines of quotes', of('> a\na\n')],
    ['a heading in each line', of('# a\n')],
    ['headings that number themselves', each((index) => `# a ${index}\n# a\n`)],
    ['a wide table with short rows', `${wide}${of('a\n', length - wide.length)}`],
    ['tables side by side', of('|a|b|\n|-|-|\n')],
    ['starts of tables', of('a|b\n-|-\n')],
    ['emphasis inside of emphasis', both('*a **a ', 'b** b* ')],
    ['emphasis that never ends', of('*a **a ')],
    ['emphasis that never starts', of('a** ')],
    ['stars and underscores', of('*_* _')],
    ['underscores between letters', of('_a')],
    ['stars on both sides', `${'*'.repeat(length / 2 - 1)}a${'*'.repeat(length / 2 - 1)}`],
    ['brackets that never close', of('[a')],
    ['brackets inside of brackets', both('[', ']')],
    ['links inside of links', both('[a](', ')')],
    ['links that never end', of('[a](<b')],
    ['titles that never end', of('[a](b "')],
    ['emphasis in links', of('**x [a*b**c*](d)')],
    ['pictures that never start', of('![')],
    ['pictures inside of pictures', both('![', '](u)')],
    ['definitions of one link', of('[a]: /u\n')],
    ['definitions of many links', each((index) => `[a${index}]: /u\n`)],
    ['one definition and many links', `[a]: ${'u'.repeat(200)}\n\n${of('[a] ', length - 210)}`],
    ['a label without an end', `[${of('a', length - 1)}`],
    ['quotes in one line', of('>')],
    ['quotes that grow', rising((index) => `${'>'.repeat(index)} a\n`)],
    ['lists in one line', of('* ')],
    ['numbers in one line', of('1. ')],
    ['lists that grow', rising((index) => `${'  '.repeat(index % 60)}- a\n`)],
    ['items', of('- a\n')],
    ['lists in quotes', of('> - ')],
    ['backticks that grow', rising((index) => `e${'`'.repeat(index)}`)],
    ['fences', of('```\n')],
    ['angle brackets', of('<')],
    ['starts of tags', of('<a ')],
    ['starts of CDATA', of('<![CDATA[')],
    ['starts of comments', of('<!--')],
    ['automatic links', of('<http://a')],
    ['addresses of pages', of('http://a.b ')],
    ['one long address', `http://${of('a.', length - 7)}`],
    ['www', of('www.')],
    ['addresses of people', of('a@b.c ')],
    ['halves of addresses of people', of('a@')],
    ['one footnote and many marks', `[^a]: x\n\n${of('[^a] ', length - 9)}`],
    [
      'many footnotes',
      `${each((index) => `[^${index}]: x\n\n`, length / 2)}\n\n${each((index) => `[^${index}] `, length / 2 - 2)}`,
    ],
    ['footnotes inside of footnotes', of('[^a]: ')],
    ['entities', of('&amp;')],
    ['ends of entities', of('&#x')],
    ['escapes', of('\\*')],
    ['breaks', of('a  \n')],
    ['rules', of('***\n')],
    ['tasks', of('- [ ] a\n')],
    ['struck out', of('~~a~')],
    ['tabs', of('\t')],
    ['spaces', of(' ')],
    ['lines', of('a\n')],
    ['one word', of('a')],
    ['NUL', of('\u0000')],
    ['lone surrogates', of('\ud83d')],
    ['families', of('👨‍👩‍👧‍👦')],
    ['marks', `a${of('\u0301', length - 1)}`],
    ['right to left', of('\u202eأ ')],
    ['Japanese', of('日本語。**あ**い')],
    ['Thai', of('สวัสดีชาวโลก')],
  ]);
}
