// pages import: makes a page from an HTML file.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError, defineCommand } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import { importPage, replaceImported } from '../import/import-page.ts';
import { sanitiseHtml } from '../import/sanitise.ts';
import { maxContentBytes } from '../schema.ts';
import { slugInput } from '../slug.ts';

async function readSource(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws CommandError if the HTML is empty or too large */
function checkHtml(html: string, file: string): void {
  const bytes = Buffer.byteLength(html);
  if (bytes === 0) throw new CommandError(`${file} has no text that a page could show.`);
  if (bytes > maxContentBytes)
    throw new CommandError(
      `${file} has ${bytes} bytes of content, and a page has at most ${maxContentBytes}. Split it.`,
    );
}

const shortenedTo = (text: string | undefined, max: number): string | undefined =>
  text === undefined ? undefined : shortened(text, max);

export const importPageCommand = defineCommand({
  name: 'pages import',
  summary: 'Make a page of an HTML file',
  description:
    'Keeps text, structure, links and https pictures. Leaves out scripts, handlers, frames, forms and styles: the page has the style of the brand. ' +
    'It is a draft; publish it with POST /v1/pages/{idOrSlug}/publish. It has no sections and cannot be composed.',
  examples: [
    ['postrider pages import about.html --slug about', 'makes the page about'],
    ['postrider pages import about.html --slug about --replace', 'gives it the new text; publish it again'],
  ],
  arguments: {
    file: { type: 'positional', required: true, description: 'The HTML file' },
    slug: { type: 'string', description: 'The last part of its address (default: made from the title)' },
    title: { type: 'string', description: 'Its title (default: its first heading)' },
    replace: { type: 'boolean', description: 'Change the page with this slug, which was imported before' },
    sandbox: { type: 'boolean', description: 'Make a page of the sandbox' },
  },

  async run(context, { file, slug, title: chosen, replace, sandbox: requested }) {
    if (slug !== undefined && !slugInput.safeParse(slug).success)
      throw new CommandError(
        `--slug ${slug}: use lower-case letters, digits and hyphens, and not a path of the service.`,
        {
          exitCode: 2,
        },
      );
    const {
      title: found,
      description,
      language,
      html,
    } = await sanitiseHtml(await readSource(resolve(context.cwd, file), file));
    checkHtml(html, file);
    const title = shortenedTo(chosen ?? found, 200);
    if (title === undefined) throw new CommandError(`${file} has no heading and no title. Give one with --title.`);
    const pageInput = { title, description: shortenedTo(description, 500), language, html, slug };
    const surface = await context.context();
    const { plan } = await context.workspace();
    const id = surface.ports.ids.create('pg');
    const entry = { kind: 'page', sandbox: requested || plan.name === 'sandbox' };
    const page = replace
      ? await context.transact({ ...entry, action: 'page.import', id: slug ?? title }, (ctx) =>
          replaceImported(ctx, pageInput),
        )
      : await context.transact({ ...entry, action: 'page.import', id }, (ctx) => importPage(ctx, id, pageInput));
    context.print(`${page.id}  ${page.slug}  ${page.title}`);
    return { id: page.id, slug: page.slug, title: page.title };
  },
});
