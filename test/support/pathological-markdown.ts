// Texts of any length that are hard to parse as Markdown: parsers needed a long time for them, or produced much output. Used by tests and
// benches.

/** Texts of at most `length` characters, by description. */
export function pathologicalTexts(length: number): ReadonlyMap<string, string> {
  const repeatTo = (piece: string, of = length): string => piece.repeat(Math.ceil(of / piece.length)).slice(0, of);
  const openAndClose = (open: string, close: string, middle = 'a'): string =>
    `${repeatTo(open, length / 2 - 1)}${middle}${repeatTo(close, length / 2 - 1)}`;
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
    ['headings underlined by -', repeatTo('a\n-\n')],
    ['headings underlined by =', repeatTo('a\n=\n')],
    ['lazy lines of lists', repeatTo('- a\na\n')],
    ['lazy lines of quotes', repeatTo('> a\na\n')],
    ['a heading in each line', repeatTo('# a\n')],
    ['headings that number themselves', each((index) => `# a ${index}\n# a\n`)],
    ['a wide table with short rows', `${wide}${repeatTo('a\n', length - wide.length)}`],
    ['tables side by side', repeatTo('|a|b|\n|-|-|\n')],
    ['starts of tables', repeatTo('a|b\n-|-\n')],
    ['emphasis inside of emphasis', openAndClose('*a **a ', 'b** b* ')],
    ['emphasis that never ends', repeatTo('*a **a ')],
    ['emphasis that never starts', repeatTo('a** ')],
    ['stars and underscores', repeatTo('*_* _')],
    ['underscores between letters', repeatTo('_a')],
    ['stars on both sides', `${'*'.repeat(length / 2 - 1)}a${'*'.repeat(length / 2 - 1)}`],
    ['brackets that never close', repeatTo('[a')],
    ['brackets inside of brackets', openAndClose('[', ']')],
    ['links inside of links', openAndClose('[a](', ')')],
    ['links that never end', repeatTo('[a](<b')],
    ['titles that never end', repeatTo('[a](b "')],
    ['emphasis in links', repeatTo('**x [a*b**c*](d)')],
    ['pictures that never start', repeatTo('![')],
    ['pictures inside of pictures', openAndClose('![', '](u)')],
    ['definitions of one link', repeatTo('[a]: /u\n')],
    ['definitions of many links', each((index) => `[a${index}]: /u\n`)],
    ['one definition and many links', `[a]: ${'u'.repeat(200)}\n\n${repeatTo('[a] ', length - 210)}`],
    ['a label without an end', `[${repeatTo('a', length - 1)}`],
    ['quotes in one line', repeatTo('>')],
    ['quotes that grow', rising((index) => `${'>'.repeat(index)} a\n`)],
    ['lists in one line', repeatTo('* ')],
    ['numbers in one line', repeatTo('1. ')],
    ['lists that grow', rising((index) => `${'  '.repeat(index % 60)}- a\n`)],
    ['items', repeatTo('- a\n')],
    ['lists in quotes', repeatTo('> - ')],
    ['backticks that grow', rising((index) => `e${'`'.repeat(index)}`)],
    ['fences', repeatTo('```\n')],
    ['angle brackets', repeatTo('<')],
    ['starts of tags', repeatTo('<a ')],
    ['starts of CDATA', repeatTo('<![CDATA[')],
    ['starts of comments', repeatTo('<!--')],
    ['automatic links', repeatTo('<http://a')],
    ['addresses of pages', repeatTo('http://a.b ')],
    ['one long address', `http://${repeatTo('a.', length - 7)}`],
    ['www', repeatTo('www.')],
    ['addresses of people', repeatTo('a@b.c ')],
    ['halves of addresses of people', repeatTo('a@')],
    ['one footnote and many marks', `[^a]: x\n\n${repeatTo('[^a] ', length - 9)}`],
    [
      'many footnotes',
      `${each((index) => `[^${index}]: x\n\n`, length / 2)}\n\n${each((index) => `[^${index}] `, length / 2 - 2)}`,
    ],
    ['footnotes inside of footnotes', repeatTo('[^a]: ')],
    ['entities', repeatTo('&amp;')],
    ['ends of entities', repeatTo('&#x')],
    ['escapes', repeatTo('\\*')],
    ['breaks', repeatTo('a  \n')],
    ['rules', repeatTo('***\n')],
    ['tasks', repeatTo('- [ ] a\n')],
    ['struck out', repeatTo('~~a~')],
    ['tabs', repeatTo('\t')],
    ['spaces', repeatTo(' ')],
    ['lines', repeatTo('a\n')],
    ['one word', repeatTo('a')],
    ['NUL', repeatTo('\u0000')],
    ['lone surrogates', repeatTo('\ud83d')],
    ['families', repeatTo('👨‍👩‍👧‍👦')],
    ['marks', `a${repeatTo('\u0301', length - 1)}`],
    ['right to left', repeatTo('\u202eأ ')],
    ['Japanese', repeatTo('日本語。**あ**い')],
    ['Thai', repeatTo('สวัสดีชาวโลก')],
  ]);
}
