// Makes a program of the package smaller in memory: comments become empty, and characters outside of ASCII become escapes. V8 keeps the
// source of a running program, with two bytes for each character if one of them is above U+00FF. esbuild escapes strings, but neither
// regular expressions nor templates with a tag, and keeps comments inside of classes and objects. Called by build-package.ts.
import ts from 'typescript';

const outsideAscii = /[\u0080-\uffff]/;

const escaped = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Comments that Node and bundlers read, and licences. */
const isKept = (comment: string): boolean =>
  /[@#]__|# source(?:Mapping)?URL=|webpack|@vite|@license|@preserve|^\/\*!/.test(comment);

/** An empty text with as many lines, so that the source map stays right. */
const emptied = (text: string): string => text.replaceAll(/[^\n]+/g, '');

const isTemplatePart = (node: ts.Node): boolean =>
  ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** True if the template has the tag String.raw, which reads the source of its texts: an escape would change its value. */
function isRaw(node: ts.Node): boolean {
  const template = ts.isTemplateSpan(node.parent) ? node.parent.parent : node.parent;
  const owner = ts.isTaggedTemplateExpression(template) ? template : template.parent;
  return ts.isTaggedTemplateExpression(owner) && owner.tag.getText() === 'String.raw';
}

/** @throws Error for a character that cannot be escaped, such as one in a name */
export function plainSource(path: string, source: string): string {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const parts: string[] = [];
  let end = 0;
  const replace = (start: number, until: number, text: string): void => {
    if (start < end) return;
    parts.push(source.slice(end, start), text);
    end = until;
  };
  const emptyComments = (ranges: readonly ts.CommentRange[] = []): void => {
    for (const { pos, end: until } of ranges) {
      const comment = source.slice(pos, until);
      if (!isKept(comment)) replace(pos, until, emptied(comment));
    }
  };
  const visit = (node: ts.Node): void => {
    emptyComments(ts.getLeadingCommentRanges(source, node.getFullStart()));
    const text = node.kind === ts.SyntaxKind.RegularExpressionLiteral || isTemplatePart(node) ? node.getText(tree) : '';
    if (!outsideAscii.test(text) || isRaw(node)) ts.forEachChild(node, visit);
    // An escape of the character itself would become a backslash before the letter u.
    else if (/\\[\u0080-\uffff]/.test(text))
      throw new Error(`${path}: remove the backslash before the character: ${text}`);
    else replace(node.getStart(tree), node.end, escaped(text));
    // Comments after the node: at the end of its line, and before a closing brace.
    emptyComments(ts.getTrailingCommentRanges(source, node.end));
    emptyComments(ts.getLeadingCommentRanges(source, node.end));
  };
  visit(tree);
  parts.push(source.slice(end));
  const result = parts.join('');
  const [place] = /.{0,40}[\u0080-\uffff].{0,40}/.exec(result) ?? [];
  if (place !== undefined) throw new Error(`${path}: this character cannot be written as an escape: ${place}`);
  return result;
}
