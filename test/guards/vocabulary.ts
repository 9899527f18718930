// Words that exported names and files must not have, because they had several meanings or said nothing, and the rule that each
// exported type has its own name. Called by the guard of the house. docs/concepts.md explains the terms that are used instead.
import ts from 'typescript';
import { type Fault, lineAt, parse, type SourceText } from './sources.ts';

/** A banned word, and the folders in which it has one clear meaning. */
interface BannedWord {
  readonly word: RegExp;
  readonly instead: string;
  readonly except?: RegExp;
}

const bannedWords: readonly BannedWord[] = [
  { word: /^places?$/, instead: 'slot, location, position, context' },
  { word: /^surfaces?$/, instead: 'contentKind' },
  { word: /^shown$/, instead: 'view, visible' },
  { word: /^outcomes?$/, instead: 'result' },
  { word: /^given$/, instead: 'input, options' },
  { word: /^made$/, instead: 'what it is' },
  { word: /^looks?$/, instead: 'appearance, style' },
  { word: /^figures?$/, instead: 'limits, counter, metrics' },
  { word: /^(told|heard)$/, instead: 'notified, received' },
  { word: /^(unfit|weigh|speech|standings?|forgotten|erased)$/, instead: 'the term of the field' },
  { word: /^answers?$/, instead: 'response, reply, result', except: /^examples\// },
  { word: /^leases?$/, instead: 'reservation', except: /^(core\/jobs|test\/faults)\// },
];

const riddleNames =
  /^(going|weigh|standings?|take-off|free|gone|given|give|line|reach|where|way-out|unfit|places?|looks?|told|asked|made)$/;

const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());

interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
  readonly line: number;
}

function exportedNames(file: SourceText): ExportedName[] {
  const tree = parse(file);
  return tree.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name)
      : isType || ts.isFunctionDeclaration(statement)
        ? [statement.name]
        : [];
    return names.flatMap((name) =>
      name === undefined || !ts.isIdentifier(name)
        ? []
        : [{ name: name.text, isType, line: lineAt(tree, name.getStart(tree)) }],
    );
  });
}

/** Exported names and a file's own name that contain a banned word. */
export function vocabularyFaults(file: SourceText): Fault[] {
  const { path } = file;
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/(\.test)?\.\w+$/, '');
  const riddle = riddleNames.test(base) ? [{ path, rule: `The name ${base} does not say what is in the file.` }] : [];
  const faults = exportedNames(file).flatMap(({ name, line }) => {
    const words = wordsOf(name);
    const bannedWord = bannedWords.find(
      ({ word, except }) => except?.test(path) !== true && words.some((one) => word.test(one)),
    );
    if (bannedWord === undefined) return [];
    return [{ path, line, rule: `The name ${name} has a word with several meanings. Use ${bannedWord.instead}.` }];
  });
  return [...riddle, ...faults];
}

/** Exported types that have the name of another exported type. */
export function sameNameFaults(files: readonly SourceText[]): Fault[] {
  const first = new Map<string, string>();
  return files.flatMap((file) =>
    exportedNames(file).flatMap(({ name, isType, line }) => {
      if (!isType) return [];
      const firstPath = first.get(name);
      if (firstPath === undefined) first.set(name, file.path);
      if (firstPath === undefined || firstPath === file.path) return [];
      return [{ path: file.path, line, rule: `The type ${name} has the name of a type in ${firstPath}.` }];
    }),
  );
}
