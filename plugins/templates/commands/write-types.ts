// templates types: writes a TypeScript file with which a send with a wrong variable does not compile.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type CommandContext, CommandError, defineCommand } from '../../../core/index.ts';
import type { Contract } from '../contract/schema.ts';
import { folderArgument } from './arguments.ts';
import { listKeys } from './template-calls.ts';

interface TypedTemplate {
  readonly key: string;
  readonly contract: Contract;
}

/** The templates of the folder, and the starters of a new workspace that the folder does not replace. */
async function templatesInFiles(
  cwd: string,
  dir: string,
  starters: readonly TypedTemplate[],
): Promise<TypedTemplate[]> {
  const { localContract } = await import('../folder/local-preview.ts');
  const { readTemplateFolder } = await import('../folder/read-folder.ts');
  const read = await readTemplateFolder(resolve(cwd, dir));
  const [fault] = read.faults;
  if (fault !== undefined) throw new CommandError(join(dir, fault.message));
  const folderTemplates = read.templates.flatMap((files) =>
    files.template.kind === 'layout' ? [] : [{ key: files.key, contract: localContract(read, files) }],
  );
  const ownTemplateKeys = new Set(read.templates.map(({ key }) => key));
  return [...folderTemplates, ...starters.filter(({ key }) => !ownTemplateKeys.has(key))];
}

async function templatesInWorkspace(context: CommandContext): Promise<TypedTemplate[]> {
  const calls = await context.calls();
  const typed: TypedTemplate[] = [];
  for (const key of await listKeys(calls)) {
    context.signal.throwIfAborted();
    if ((await calls.templates.read({ key })).kind === 'layout') continue;
    const { variables } = await calls.templates.schema({ key });
    typed.push({ key, contract: variables as unknown as Contract });
  }
  return typed;
}

/** The command. `starters` are the templates that a new workspace gets. */
export const writeTypes = (starters: () => readonly TypedTemplate[]) =>
  defineCommand({
    name: 'templates types',
    summary: 'Write TypeScript types for the variables of all templates',
    description:
      'With this file in your program, `email.send({ template, variables })` compiles only for a template that exists and with the variables of ' +
      'its contract. The types come from the published templates of the workspace, or from the files in a folder and the starters that new workspaces have.',
    examples: [
      ['postrider templates types', 'writes postrider-templates.d.ts from the workspace'],
      ['postrider templates types --from files --out src/mails.d.ts', 'writes it from the files in templates/'],
      ['postrider templates types --check', 'for CI: fails when the file is out of date'],
    ],
    arguments: {
      from: {
        type: 'string',
        choices: ['workspace', 'files'],
        default: 'workspace',
        description: 'Where the contracts come from',
      },
      dir: folderArgument,
      out: {
        type: 'string',
        hint: 'FILE',
        description: 'The file to write (default: postrider-templates.d.ts beside postrider.config)',
      },
      check: { type: 'boolean', description: 'Write nothing; fail when the file differs' },
    },

    async run(context, { from, dir, out, check }) {
      const templates =
        from === 'files' ? await templatesInFiles(context.cwd, dir, starters()) : await templatesInWorkspace(context);
      const { variableTypes } = await import('../folder/variable-types.ts');
      const file =
        out === undefined ? join(context.configFolder, 'postrider-templates.d.ts') : resolve(context.cwd, out);
      const relativePath = relative(context.cwd, file);
      const types = variableTypes(templates);
      const previousText = await readFile(file, 'utf8').catch(() => undefined);
      const isUpToDate = previousText === types;
      if (check && !isUpToDate) {
        const source = from === 'files' ? ' --from files' : '';
        throw new CommandError(
          `${relativePath} is out of date. Write it with \`postrider templates types${source}\`, as you check it.`,
        );
      }
      if (!isUpToDate) {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, types);
      }
      context.print(`${relativePath}: ${templates.length} templates${isUpToDate ? ', up to date' : ''}.`);
      if (previousText === undefined)
        context.print(
          'It must be among the files that tsconfig.json includes: only then is a wrong variable an error.',
        );
      return { file, written: !isUpToDate, templates: templates.map(({ key }) => key) };
    },
  });
