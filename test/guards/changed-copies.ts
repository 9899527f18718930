// Finds indexes into a changed copy of a text that are used on another text. `İ`, `ß` and other characters change their length in
// another case or normal form, so the index is wrong in the other text. Called by its guard.
import ts from 'typescript';
import { type Fault, lineAt, parse, type SourceText, visit } from './sources.ts';

/** Methods that may change the length of a text. */
const changingMethods = /^(?:to(?:Locale)?(?:Lower|Upper)Case|normalize)$/;
/** Methods whose result on a changed copy is a changed copy, too. */
const keepingMethods = /^(?:trim|trimStart|trimEnd|slice|substring|replace|replaceAll|concat|padEnd|padStart)$/;
const findingMethods = /^(?:indexOf|lastIndexOf|search)$/;
const matchingMethods = /^(?:match|matchAll|exec)$/;
const cuttingMethods =
  /^(?:slice|substring|substr|charAt|at|charCodeAt|codePointAt|startsWith|endsWith|indexOf|lastIndexOf)$/;

type Named = ReadonlyMap<string, ts.Expression>;

const methodOf = (node: ts.Node): { readonly name: string; readonly on: ts.Expression } | undefined =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)
    ? { name: node.expression.name.text, on: node.expression.expression }
    : undefined;

const withoutParentheses = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) ? withoutParentheses(node.expression) : node;

/** If an expression is a changed copy: its name, or its source text. Otherwise undefined. */
function copyOf(expression: ts.Expression, names: Named, seen = new Set<string>()): string | undefined {
  const node = withoutParentheses(expression);
  if (ts.isIdentifier(node)) {
    const initial = names.get(node.text);
    if (initial === undefined || seen.has(node.text)) return undefined;
    return copyOf(initial, names, new Set([...seen, node.text])) === undefined ? undefined : node.text;
  }
  const method = methodOf(node);
  if (method === undefined) return undefined;
  if (changingMethods.test(method.name)) return node.getText();
  return keepingMethods.test(method.name) && copyOf(method.on, names, seen) !== undefined ? node.getText() : undefined;
}

/** If an expression is an index into a changed copy, or its length: that copy. Otherwise undefined. */
function indexSourceOf(expression: ts.Expression, names: Named, seenNames = new Set<string>()): string | undefined {
  const node = withoutParentheses(expression);
  if (ts.isIdentifier(node)) {
    const initial = names.get(node.text);
    return initial === undefined || seenNames.has(node.text)
      ? undefined
      : indexSourceOf(initial, names, new Set([...seenNames, node.text]));
  }
  if (ts.isBinaryExpression(node))
    return indexSourceOf(node.left, names, seenNames) ?? indexSourceOf(node.right, names, seenNames);
  if (ts.isConditionalExpression(node))
    return indexSourceOf(node.whenTrue, names, seenNames) ?? indexSourceOf(node.whenFalse, names, seenNames);
  if (ts.isPropertyAccessExpression(node)) {
    if (node.name.text === 'length') return copyOf(node.expression, names);
    return node.name.text === 'index' ? matchOf(node.expression, names) : undefined;
  }
  const method = methodOf(node);
  if (method !== undefined && findingMethods.test(method.name)) return copyOf(method.on, names);
  if (ts.isCallExpression(node) && /^Math\./.test(node.expression.getText()))
    for (const argument of node.arguments) {
      const copyOfIndex = indexSourceOf(argument, names, seenNames);
      if (copyOfIndex !== undefined) return copyOfIndex;
    }
  return undefined;
}

/** The changed copy in which a match was found. */
function matchOf(expression: ts.Expression, names: Named): string | undefined {
  const node = withoutParentheses(expression);
  const initial = ts.isIdentifier(node) ? names.get(node.text) : node;
  const method = initial === undefined ? undefined : methodOf(withoutParentheses(initial));
  if (method === undefined || !matchingMethods.test(method.name) || initial === undefined) return undefined;
  const [argument] = ts.isCallExpression(withoutParentheses(initial))
    ? (withoutParentheses(initial) as ts.CallExpression).arguments
    : [];
  return copyOf(method.name === 'exec' && argument !== undefined ? argument : method.on, names);
}

/** The initial values of a file's variables. A name that is declared twice is skipped. */
function namesOf(tree: ts.SourceFile): Named {
  const names = new Map<string, ts.Expression>();
  const repeatedNames = new Set<string>();
  visit(tree, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined) return;
    if (names.has(node.name.text)) repeatedNames.add(node.name.text);
    names.set(node.name.text, node.initializer);
  });
  for (const name of repeatedNames) names.delete(name);
  return names;
}

const rule = (copy: string, on: string): string =>
  `${on} is cut at an index into ${copy}, whose length differs. Search the text itself (an expression with the flag i), or cut the copy.`;

/** Every use of an index into a changed copy on another text. */
export function changedCopyFaults(file: SourceText): Fault[] {
  const tree = parse(file);
  const names = namesOf(tree);
  const faults: Fault[] = [];
  visit(tree, (node) => {
    const method = methodOf(node);
    if (method === undefined || !ts.isCallExpression(node) || !cuttingMethods.test(method.name)) return;
    const on = withoutParentheses(method.on).getText(tree);
    for (const argument of node.arguments) {
      const copy = indexSourceOf(argument, names);
      if (copy === undefined || copy === on) continue;
      faults.push({ path: file.path, line: lineAt(tree, node.getStart(tree)), rule: rule(copy, on.slice(0, 60)) });
      break;
    }
  });
  return faults;
}
