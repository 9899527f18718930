// Templates in files: a folder with a folder for each key. Called by push, preview and types.
//   receipt/template.json   everything but the bodies
//   receipt/body.mjml       or body.html: the extension is the mode
//   receipt/text.txt        the authored plain-text part, where there is one
//   receipt/de/body.mjml    what differs in a language; its subject and previewText are in template.json
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, canonicalLocale, z } from '../../../core/index.ts';
import type { LocaleContent } from '../locales.ts';
import { templateContent, templateKey } from '../schema.ts';
import type { AuthoredTemplate } from './authored.ts';

const { kind, name, category, subject, previewText, layout, locale, variables, delivery, tracking } = templateContent;

/** The members of template.json. */
const manifest = z.strictObject({
  $schema: z.string().optional(),
  kind,
  name: name.optional(),
  category,
  subject,
  previewText,
  layout,
  locale,
  locales: z
    .record(z.string(), z.strictObject({ subject: subject.unwrap(), previewText: previewText.unwrap() }).partial())
    .default({}),
  variables,
  delivery,
  tracking,
});

/** A template in files. */
export interface TemplateFiles {
  readonly key: string;
  readonly template: AuthoredTemplate;
  /** The path of a part's file, below the folder: `body` → `receipt/body.mjml`. */
  fileOf(part: string): string;
}

/** A folder's templates, and sentences about the unreadable ones. */
export interface TemplateFolder {
  readonly templates: readonly TemplateFiles[];
  readonly faults: readonly { readonly key: string; readonly message: string }[];
}

class FileFault extends Error {}

const modes = ['mjml', 'html'] as const;

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readBody(folder: string): Promise<{ mode: (typeof modes)[number]; body: string } | undefined> {
  const found = [];
  for (const mode of modes) {
    const body = await readIfThere(join(folder, `body.${mode}`));
    if (body !== undefined) found.push({ mode, body });
  }
  if (found.length > 1) throw new FileFault('there are a body.mjml and a body.html; a template has one body.');
  return found[0];
}

function parseManifest(text: string): z.output<typeof manifest> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileFault(`template.json is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = manifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new FileFault(`template.json: ${issue?.path.map(String).join('.') || 'the whole'}: ${issue?.message}`);
}

async function readLocale(folder: string, mode: string): Promise<LocaleContent> {
  const own = await readBody(folder);
  if (own !== undefined && own.mode !== mode)
    throw new FileFault(`a language has a body.${own.mode} and the template a body.${mode}.`);
  const text = await readIfThere(join(folder, 'text.txt'));
  return { ...(own === undefined ? {} : { body: own.body }), ...(text === undefined ? {} : { text }) };
}

async function readTemplate(root: string, key: string): Promise<TemplateFiles> {
  const folder = join(root, key);
  if (!templateKey.safeParse(key).success)
    throw new FileFault('the folder is named after the key, which has 1 to 80 of a-z 0-9 _ -.');
  const {
    $schema: _,
    locales: declared,
    tracking: given,
    ...rest
  } = parseManifest(await readFile(join(folder, 'template.json'), 'utf8'));
  const { mode, body } = (await readBody(folder)) ?? { mode: 'mjml' as const, body: '' };
  const locales: Record<string, LocaleContent> = {};
  for (const [tag, content] of Object.entries(declared)) locales[canonicalLocale(tag) ?? tag] = content;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const tag = canonicalLocale(entry.name);
    if (tag === undefined) throw new FileFault(`the folder ${entry.name} is named after no language (BCP 47).`);
    locales[tag] = { ...locales[tag], ...(await readLocale(join(folder, entry.name), mode)) };
  }
  const marketing = rest.category === 'marketing';
  return {
    key,
    template: {
      ...rest,
      name: rest.name ?? key,
      mode,
      body,
      text: (await readIfThere(join(folder, 'text.txt'))) ?? null,
      locales,
      tracking: given ?? { opens: marketing, clicks: marketing },
    },
    fileOf(part) {
      const [, tag, inLocale] = /^locales\.([\w-]+)\.(body|text)$/.exec(part) ?? [];
      const name = inLocale ?? part;
      if (name !== 'body' && name !== 'text') return join(key, 'template.json');
      return join(key, tag ?? '', name === 'body' ? `body.${mode}` : 'text.txt');
    },
  };
}

/**
 * Reads the templates of a folder, or those named. @throws CommandError when the folder, or a named template, is
 * missing
 */
export async function readTemplateFolder(root: string, keys: readonly string[] = []): Promise<TemplateFolder> {
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: unknown) => {
    throw new CommandError(
      `There is no folder ${root}. \`postrider templates pull\` makes one out of what the workspace has; --dir names another.`,
      { cause },
    );
  });
  const there: string[] = [];
  for (const entry of entries)
    if (entry.isDirectory() && (await readIfThere(join(root, entry.name, 'template.json'))) !== undefined)
      there.push(entry.name);
  const unknown = keys.filter((key) => !there.includes(key));
  if (unknown.length > 0)
    throw new CommandError(
      `${root} has no template ${unknown.join(', ')}: ${join(unknown[0] ?? '', 'template.json')} is missing.`,
    );
  const templates: TemplateFiles[] = [];
  const faults: { key: string; message: string }[] = [];
  for (const key of there.sort()) {
    if (keys.length > 0 && !keys.includes(key)) continue;
    try {
      templates.push(await readTemplate(root, key));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults.push({ key, message: `${join(root, key)}: ${error.message}` });
    }
  }
  return { templates, faults };
}
