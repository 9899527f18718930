// The module settings of tsconfig.json with which imports of Postrider do not compile. Called by detect.ts. docs/embedding.md has
// the table.

const remedy = 'Set "module" and "moduleResolution" to "nodenext"';
/** Matches a JSON string, which stays, or a comment, which is removed. */
const textOrComment = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * One line for the user; undefined if the settings work or come from another file. `typescript` is the version that package.json
 * requires.
 */
export function moduleSettingsNote(
  tsconfig: string,
  { modules, typescript }: { readonly modules: boolean; readonly typescript: string },
): string | undefined {
  const text = tsconfig.replace(textOrComment, '$1');
  const settingOf = (name: string): string | undefined =>
    new RegExp(`"${name}"\\s*:\\s*"(\\w+)"`).exec(text)?.[1]?.toLowerCase();
  const module = settingOf('module');
  // Before TypeScript 6, the module setting of CommonJS implied node10.
  const usual = module === 'commonjs' && /^\D*[345]\b/.test(typescript) ? 'node10' : module;
  const resolution = settingOf('moduleResolution') ?? usual ?? '';
  if (['node', 'node10', 'classic'].includes(resolution))
    return `tsconfig.json resolves modules as ${resolution}, which finds no import of Postrider (TS2307). ${remedy}.`;
  const kind = module ?? resolution;
  if (!modules && ['node16', 'node18'].includes(kind))
    return `Under "module": "${kind}" no CommonJS file can import Postrider (TS1479). ${remedy}, with TypeScript 5.8 or later.`;
  return undefined;
}
