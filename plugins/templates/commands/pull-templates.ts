// templates pull: writes the workspace's templates to files.
import { resolve } from 'node:path';
import { CommandError, defineCommand, isPostriderError } from '../../../core/index.ts';
import type { AuthoredTemplate } from '../folder/authored.ts';
import type { TemplateCalls } from '../folder/push-folder.ts';
import type { TemplateFolder } from '../folder/read-folder.ts';
import { folderArgument, keysArgument } from './arguments.ts';
import { listKeys } from './template-calls.ts';

const emptyFolder: TemplateFolder = { templates: [], faults: [] };

/** The templates in the folder; empty if the folder does not exist yet. */
async function existingFolder(folder: string): Promise<TemplateFolder> {
  const { readTemplateFolder } = await import('../folder/read-folder.ts');
  try {
    return await readTemplateFolder(folder);
  } catch (error) {
    if (error instanceof CommandError) return emptyFolder;
    throw error;
  }
}

async function readAuthored({ templates }: TemplateCalls, key: string): Promise<AuthoredTemplate> {
  const { authoredOf } = await import('../folder/authored.ts');
  try {
    return authoredOf(await templates.read({ key }));
  } catch (error) {
    if (isPostriderError(error, 'template_not_found')) throw new CommandError(error.message);
    throw error;
  }
}

export const pullTemplates = defineCommand({
  name: 'templates pull',
  summary: 'Write the templates of the workspace to files',
  description:
    'Each template gets a folder named after its key, with template.json, body.mjml or body.html, text.txt, and a folder for each language. ' +
    'Files that differ are kept unless you give --overwrite.',
  examples: [
    ['postrider templates pull', 'writes all templates to templates/'],
    ['postrider templates pull receipt --overwrite', 'writes one template and replaces its files'],
  ],
  arguments: {
    keys: keysArgument,
    dir: folderArgument,
    overwrite: { type: 'boolean', description: 'Replace files that differ' },
  },

  async run(context, { keys, dir, overwrite }) {
    const { differences } = await import('../folder/authored.ts');
    const { writeTemplate } = await import('../folder/write-folder.ts');
    const folder = resolve(context.cwd, dir);
    const calls = await context.calls();
    const templateKeys = keys.length > 0 ? keys : await listKeys(calls);
    const folderBefore = await existingFolder(folder);
    const results: { key: string; result: 'written' | 'unchanged' | 'kept' }[] = [];
    for (const key of templateKeys) {
      context.signal.throwIfAborted();
      const template = await readAuthored(calls, key);
      const files = folderBefore.templates.find((local) => local.key === key)?.template;
      const broken = folderBefore.faults.some((fault) => fault.key === key);
      const isUnchanged = files !== undefined && differences(files, template).length === 0;
      const isKept = !isUnchanged && !overwrite && (files !== undefined || broken);
      if (!isUnchanged && !isKept) await writeTemplate(folder, key, template);
      results.push({ key, result: isUnchanged ? 'unchanged' : isKept ? 'kept' : 'written' });
    }
    context.table(
      ['template', 'files'],
      results.map(({ key, result }) => [key, result]),
    );
    const keptKeys = results.filter(({ result }) => result === 'kept').map(({ key }) => key);
    if (keptKeys.length > 0)
      throw new CommandError(
        `The files of ${keptKeys.join(', ')} differ from the workspace and were kept. Replace them with --overwrite, or send them with \`postrider templates push\`.`,
      );
    return { folder, templates: results };
  },
});
