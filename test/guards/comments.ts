// Reads the comments of a file, and decides whether one contains code. Called by house-rules.ts. Ignores strings and
// templates: a comment inside a fixture's text is not a comment.
import ts from 'typescript';
import { lineAt, parse, type SourceText } from './sources.ts';

/** A comment as written, with its delimiters. */
export interface Comment {
  text: string;
  /** The line on which it starts, counted from 1. */
  line: number;
  kind: 'line' | 'block' | 'jsdoc';
}

/** All comments of a file, from top to bottom. */
export function commentsOf(file: SourceText): Comment[] {
  const tree = parse(file);
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (found: readonly ts.CommentRange[] | undefined) => {
    for (const range of found ?? []) ranges.set(range.pos, range);
  };
  const walk = (node: ts.Node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(tree);
    if (children.length > 0) {
      for (const child of children) walk(child);
      return;
    }
    const start = node.pos === 0 ? (ts.getShebang(file.source)?.length ?? 0) : node.pos;
    collect(ts.getLeadingCommentRanges(file.source, start));
    collect(ts.getTrailingCommentRanges(file.source, node.end));
  };
  walk(tree);
  return [...ranges.values()]
    .sort((a, b) => a.pos - b.pos)
    .map(({ pos, end, kind }) => {
      const text = file.source.slice(pos, end);
      const block = text.startsWith('/**') ? 'jsdoc' : 'block';
      return { text, line: lineAt(tree, pos), kind: kind === ts.SyntaxKind.SingleLineCommentTrivia ? 'line' : block };
    });
}

/** The lines of a comment, without delimiters and empty lines. */
export function wordsOf({ text, kind }: Comment): string[] {
  const body = kind === 'line' ? text.slice(2) : text.slice(2, -2);
  return body
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
    .filter((line) => line !== '');
}

const statements: readonly RegExp[] = [
  /^(import|export)\b.*(\bfrom\s+['"].*|[{;])$/,
  /^(const|let|var)\s+[\w${[].*[;{([]$/,
  /^(return|throw|await)\b.*;$/,
  /^(if|for|while|switch)\s*\(.*\)\s*\{?$/,
  /^(async\s+)?function\b.*\{$/,
  /^[\w$.[\]]+\s*[-+*]?=\s*.+;$/,
  /^[\w$.]+\(.*\);$/,
  /^\}[\s)]*;?$/,
];

/** True if a line of a comment looks like a statement rather than a sentence. */
export function readsAsCode(words: string): boolean {
  return statements.some((statement) => statement.test(words));
}
