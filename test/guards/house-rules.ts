// The house rules for a single file: its text, its comments, its declarations. Called by the guard of the house.
// Rules that Biome checks already (formatting, unused names, default exports, console) are left to Biome.
import ts from 'typescript';
import { commentsOf, readsAsCode, wordsOf } from './comments.ts';
import { type Fault, lineAt, parse, type SourceText, visit } from './sources.ts';

const maxLines = 400;
const maxHeaderLength = 5;

/** Every broken rule in one file. */
export function houseFaults(file: SourceText): Fault[] {
  return [
    ...lengthFaults(file),
    ...importFaults(file),
    ...headerFaults(file),
    ...commentFaults(file),
    ...anyFaults(file),
    ...eagerSchemaFaults(file),
    ...nameFaults(file),
    ...boundNameFaults(file),
    ...urlFaults(file),
    ...suiteFaults(file),
  ];
}

function lengthFaults({ path, source }: SourceText): Fault[] {
  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  return lines > maxLines
    ? [{ path, rule: `A file has at most ${maxLines} lines; this one has ${lines}: divide it.` }]
    : [];
}

/** A module may be imported only once: `import { type A, b }`. A separate `import type` is allowed, since it loads nothing. */
function importFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  const seenModules = new Set<string>();
  const faults: Fault[] = [];
  for (const node of tree.statements) {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteralLike(node.moduleSpecifier)) continue;
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const { text } = node.moduleSpecifier;
    if (seenModules.has(text)) {
      const line = lineAt(tree, node.getStart(tree));
      faults.push({ path: file.path, line, rule: `A module is imported once; ${text} is imported twice.` });
    }
    seenModules.add(text);
  }
  return faults;
}

const needsHeader = /^(core\/|adapters\/|plugins\/[^/]+\/plugin\.ts$)/;
const directive = /^(biome-ignore|time-limit:|@ts-)/;

function headerFaults(file: SourceText): Fault[] {
  const { path, source } = file;
  if (!needsHeader.test(path)) return [];
  const rule = `A file starts with a comment of 1 to ${maxHeaderLength} lines: what it is, who calls it, what it must never do.`;
  const top = source.replace(/^#!.*\n/, '').trimStart();
  if (!top.startsWith('//') && !top.startsWith('/*')) return [{ path, rule }];
  const [first, ...otherComments] = commentsOf(file);
  if (first === undefined) return [{ path, rule }];
  const header = [first];
  for (const comment of otherComments) {
    if (first.kind !== 'line' || comment.kind !== 'line' || comment.line !== first.line + header.length) break;
    header.push(comment);
  }
  const lines = header.flatMap(wordsOf).filter((words) => !directive.test(words)).length;
  // An index may begin with a glossary.
  const tooLong = lines > maxHeaderLength && !path.endsWith('/index.ts');
  return lines === 0 || tooLong ? [{ path, line: first.line, rule: `${rule} This one has ${lines}.` }] : [];
}

const unfinishedNote = /\b(TODO|FIXME|XXX|HACK)\b/;

function commentFaults(file: SourceText): Fault[] {
  const { path } = file;
  return commentsOf(file).flatMap((comment) => {
    const { text, line, kind } = comment;
    const rules: string[] = [];
    if (unfinishedNote.test(text)) rules.push('A comment leaves nothing for later: do it now, or open an issue.');
    if (/@ts-(ignore|nocheck)/.test(text)) rules.push('Fix a type error; do not ignore it.');
    if (kind !== 'jsdoc' && wordsOf(comment).some(readsAsCode)) {
      rules.push('Code is not commented out: delete it, the history keeps it.');
    }
    return rules.map((rule) => ({ path, line, rule }));
  });
}

function anyFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  const faults: Fault[] = [];
  visit(tree, (node) => {
    if (node.kind !== ts.SyntaxKind.AnyKeyword) return;
    const rule = 'Do not use any: write unknown at the edges and narrow it.';
    faults.push({ path: file.path, line: lineAt(tree, node.getStart(tree)), rule });
  });
  return faults;
}

/** `z` of core/contract/schemas/zod.ts builds schemas at their first use. Adapters are written as third-party adapters are, with zod. */
function eagerSchemaFaults({ path, source }: SourceText): Fault[] {
  if (!/^(?:core|plugins)\//.test(path) || /^core\/contract\/schemas\/(?:zod|lazy-schema)\.ts$/.test(path)) return [];
  const lines = source.split('\n');
  const at = lines.findIndex((line) => /^import (?!type\b).*'zod';/.test(line));
  const rule =
    'Import z from core/index.ts, or in the core from contract/schemas/zod.ts: an import of zod itself builds each schema at once.';
  return at < 0 ? [] : [{ path, line: at + 1, rule }];
}

const vagueNames = /^(utils?|helpers?|managers?)$/;
const vagueTypes = /^(base|common)$/;

function nameFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  return tree.statements.flatMap((statement) => {
    const isType =
      ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name)
      : isType || ts.isFunctionDeclaration(statement)
        ? [statement.name]
        : [];
    return names.flatMap((name) => {
      if (name === undefined || !ts.isIdentifier(name)) return [];
      const words = name.text.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());
      const ends = [words[0] ?? '', words.at(-1) ?? ''];
      if (!words.some((word) => vagueNames.test(word)) && !(isType && ends.some((word) => vagueTypes.test(word))))
        return [];
      const rule = `The name ${name.text} says nothing: name what it does.`;
      return [{ path: file.path, line: lineAt(tree, name.getStart(tree)), rule }];
    });
  });
}

/** Names of limits start with `max` or `min`. */
function boundNameFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  const faults: Fault[] = [];
  visit(tree, (node) => {
    if (!ts.isIdentifier(node) || !/^(?:most|least)[A-Z]/.test(node.text)) return;
    const rule = `Call ${node.text} ${node.text.replace(/^most/, 'max').replace(/^least/, 'min')}.`;
    faults.push({ path: file.path, line: lineAt(tree, node.getStart(tree)), rule });
  });
  return faults;
}

/** URL.canParse returns false for URLs with letters such as ü on Node 20 and 22, once V8 has optimised its callers. */
function urlFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  const faults: Fault[] = [];
  visit(tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || node.getText(tree) !== 'URL.canParse') return;
    const rule = 'Call parseUrl (core/contract/values/parse-url.ts): URL.canParse is wrong on Node 20 and 22.';
    faults.push({ path: file.path, line: lineAt(tree, node.getStart(tree)), rule });
  });
  return faults;
}

/** uvu suites: each must run, and nothing in it may be skipped or exclusive. */
function suiteFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  const suites = new Map<string, ts.Node>();
  const runSuites = new Set<string>();
  const faults: Fault[] = [];
  const add = (node: ts.Node, rule: string) =>
    faults.push({ path: file.path, line: lineAt(tree, node.getStart(tree)), rule });
  visit(tree, (node) => {
    if (ts.isImportSpecifier(node) && node.name.text === 'test') {
      const { moduleSpecifier } = node.parent.parent.parent;
      if (ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === 'uvu') suites.set('test', node);
    } else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const initializer = node.initializer;
      const isSuite =
        initializer !== undefined &&
        ts.isCallExpression(initializer) &&
        initializer.expression.getText(tree) === 'suite';
      if (isSuite) suites.set(node.name.text, node);
    }
  });
  visit(tree, (node) => {
    if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return;
    if (!suites.has(node.expression.text)) return;
    const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
    if (node.name.text === 'run' && isCalled) runSuites.add(node.expression.text);
    if (/^(only|skip)$/.test(node.name.text)) add(node, `No test is skipped or exclusive: ${node.getText(tree)}.`);
  });
  for (const [name, node] of suites) {
    if (!runSuites.has(name)) add(node, `The suite ${name} is never run: end the file with ${name}.run().`);
  }
  return faults;
}
