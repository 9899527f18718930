// Services must be read by their full names: never by a computed name, and never by a declared prefix of a name. If several plugins
// provide something, that is an extension point. Called by the guard of services.
import ts from 'typescript';
import { type Fault, lineAt, parse, type SourceText, visit } from './sources.ts';

/** These files create the services from the declarations in manifests. */
const creatingFiles = new Set(['core/kernel/container.ts', 'core/kernel/registry.ts']);
const checkedFolders = /^(?:core|plugins|adapters|hosts|examples)\//;
const rule =
  'Read a service by its own name, such as ctx.services.lists. If several plugins provide something, use an extension point: ctx.ports.contributions(…).';

/** `services`, `ctx.services`, `surface.services as …`. */
function isServices(node: ts.Expression): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node))
    return isServices(node.expression);
  if (ts.isIdentifier(node)) return node.text === 'services';
  return ts.isPropertyAccessExpression(node) && node.name.text === 'services';
}

/** `Object.keys(services)` and similar calls that list or look up names. */
function listsNames({ expression, arguments: args }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || !ts.isIdentifier(expression.expression)) return false;
  return /^(?:Object|Reflect)$/.test(expression.expression.text) && args[0] !== undefined && isServices(args[0]);
}

const isComputed = (node: ts.Node): boolean => {
  if (ts.isElementAccessExpression(node)) return isServices(node.expression);
  if (ts.isCallExpression(node)) return listsNames(node);
  if (ts.isForInStatement(node)) return isServices(node.expression);
  if (ts.isBinaryExpression(node)) return node.operatorToken.kind === ts.SyntaxKind.InKeyword && isServices(node.right);
  return false;
};

/** An interface of open.ts with a member for every name of a pattern. */
const isOpenEnded = (node: ts.Node): boolean =>
  ts.isIndexSignatureDeclaration(node) &&
  ts.isInterfaceDeclaration(node.parent) &&
  /^(?:Services|ExtensionPoints|Ports)$/.test(node.parent.name.text);

/** Every look-up of a service by a computed name, and every declaration that allows one. */
export function serviceNameFaults(file: SourceText): Fault[] {
  const { path } = file;
  if (
    !checkedFolders.test(path) ||
    creatingFiles.has(path) ||
    !/services|Services|ExtensionPoints|Ports/.test(file.source)
  )
    return [];
  const tree = parse(file);
  const faults: Fault[] = [];
  visit(tree, (node) => {
    if (isComputed(node) || isOpenEnded(node)) faults.push({ path, line: lineAt(tree, node.getStart(tree)), rule });
  });
  return faults;
}
