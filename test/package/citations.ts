// Finds files that a package names but does not contain: in links of its Markdown, and in comments of its declarations. For
// package.test.ts.
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

const link = /\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm;
const code = /^(```|~~~).*?^\1\s*$|`[^`\n]+`/gms;

/** Relative links of Markdown files without a target in the package: `README.md → docs/missing.md`. */
export async function brokenLinks(folder: string, files: readonly string[]): Promise<string[]> {
  const packagedFiles = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
  const broken: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const text = (await readFile(join(folder, file), 'utf8')).replace(code, '');
    for (const [, inline, reference, attribute] of text.matchAll(link)) {
      const target = decodeURI(inline ?? reference ?? attribute ?? '').replace(/[#?].*$/s, '');
      // An absolute address, or an anchor on the same page.
      if (target === '' || /^[a-z][a-z\d+.-]*:/i.test(target)) continue;
      const path = posix.normalize(posix.join(posix.dirname(file), target)).replace(/\/$/, '');
      if (!packagedFiles.has(path)) broken.push(`${file} → ${target}`);
    }
  }
  return broken;
}

const foldersOf = (file: string): string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));

const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const path = /(?<![\w./:@-])[\w.[\]-]+(?:\/[\w.[\]-]+)*\.(?:md|[mc]?[jt]s|json)\b/g;

/** Files of the user's project that declarations may name. */
const ofTheProject: ReadonlySet<string> = new Set([
  'package.json',
  'tsconfig.json',
  '.postrider/keyring.json',
  'Node.js',
]);

/** Files that comments of declarations name but the package lacks. A source counts as present if its declaration is. */
export async function missingCitations(folder: string, files: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    for (const [words] of (await readFile(join(folder, file), 'utf8')).matchAll(comment))
      for (const [name] of words.matchAll(path)) {
        const shippedName = name.replace(/(?<!\.d)\.ts$/, '.d.ts');
        const isInPackage = files.some((one) => one === shippedName || one.endsWith(`/${shippedName}`));
        if (!isInPackage && !ofTheProject.has(name)) missing.push(`${file}: ${name}`);
      }
  }
  return missing;
}
