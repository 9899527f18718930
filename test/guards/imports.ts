// The imports of a file, and what each refers to: a file of ours, a package, or a module of Node.
// Called by the guards of layers and cycles. Never runs the code that it reads.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { lineAt, parse, root, type SourceText, visit } from './sources.ts';

/** One import as written. */
export interface Import {
  specifier: string;
  line: number;
  /** `import type`, `export type` and `import('…').Name` in a type: these do not exist at run time. */
  typeOnly: boolean;
  /** `await import('…')`: loaded at its first use. */
  dynamic: boolean;
}

/** The target of an import. */
export type ImportTarget =
  | { kind: 'ours'; path: string; bySelfName: boolean }
  | { kind: 'package' | 'builtin'; name: string };

/** The imports of a file, from top to bottom. `import { type X }` counts as a value import: it still loads the module. */
export function importsOf(file: SourceText): Import[] {
  const tree = parse(file);
  const foundImports: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, dynamic: boolean) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    foundImports.push({ specifier: specifier.text, line: lineAt(tree, specifier.getStart(tree)), typeOnly, dynamic });
  };
  visit(tree, (node) => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword, false);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly, false);
    } else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      add(node.moduleReference.expression, node.isTypeOnly, false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, false);
    } else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false, true);
      else if (node.expression.getText(tree) === 'require') add(node.arguments[0], false, true);
    }
  });
  return foundImports;
}

const builtins = new Set(builtinModules);

/** The target of `specifier` in the file `from`. `selfNames` maps `postrider…` names to paths. */
export function resolveImport(from: string, specifier: string, selfNames: SelfNames): ImportTarget {
  if (specifier.startsWith('.')) {
    return { kind: 'ours', path: posix.join(posix.dirname(from), specifier), bySelfName: false };
  }
  const path = selfNames(specifier);
  if (path !== undefined) return { kind: 'ours', path, bySelfName: true };
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (specifier.startsWith('node:')) return { kind: 'builtin', name: specifier.slice('node:'.length) };
  return builtins.has(name) ? { kind: 'builtin', name: specifier } : { kind: 'package', name };
}

/** Returns the path for a name of our own package, or undefined for other names. */
export type SelfNames = (specifier: string) => string | undefined;

/** Creates `SelfNames` from the `paths` of a tsconfig. */
export function selfNamesFrom(paths: Readonly<Record<string, readonly string[]>>): SelfNames {
  return (specifier) => {
    for (const [pattern, [target = '']] of Object.entries(paths)) {
      const path = posix.normalize(target);
      if (pattern === specifier) return path;
      const [start = '', end] = pattern.split('*');
      if (end === undefined || !specifier.startsWith(start) || !specifier.endsWith(end)) continue;
      return path.replace('*', specifier.slice(start.length, specifier.length - end.length));
    }
    return undefined;
  };
}

/** The project's own names, from tsconfig.json. */
export function projectSelfNames(): SelfNames {
  const config = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  return selfNamesFrom(config.config?.compilerOptions?.paths ?? {});
}
