// Reads templates from files: a folder contains a folder for each key. Called by push, pull, preview and types.
//   receipt/template.json   all fields except the bodies
//   receipt/body.mjml       or body.html: the extension is the mode
// receipt/text.txt        the authored plain-text part, if there is one
// receipt/de/body.mjml    the parts that differ in a language; its subject and previewText are in template.json
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError, canonicalLocale, z } from '../../../core/index.ts';
import { checkValue, faultSentence } from '../../../core/unstable.ts';
import type { LocaleContent } from '../authoring/locales.ts';
import { templateContent, templateKey } from '../schema.ts';
import type { AuthoredTemplate } from './authored.ts';

const {
  kind,
  name,
  category,
  subject,
  previewText,
  themeId,
  layout,
  locale,
  variables,
  delivery,
  tracking,
  expiresIn,
  topicKey,
} = templateContent;

/** The members of template.json. */
const manifest = z.strictObject({
  $schema: z.string().optional(),
  kind,
  // A template without a name in its files is named after its key.
  name,
  category,
  subject,
  previewText,
  themeId,
  layout,
  locale,
  locales: z
    .record(
      z.string(),
      z.strictObject({ subject: subject.unwrap(), previewText: previewText.unwrap().unwrap() }).partial(),
    )
    .default({}),
  variables,
  delivery,
  tracking,
  expiresIn,
  topicKey,
});

/** A template in files. */
export interface TemplateFiles {
  readonly key: string;
  readonly template: AuthoredTemplate;
  /** The path of a part's file, below the folder: `body` → `receipt/body.mjml`. */
  fileOf(part: string): string;
}

/** A template that cannot be read. */
export interface FolderFault {
  readonly key: string;
  /** The fault, prefixed by the path of the file below the folder. */
  readonly message: string;
}

/** A folder's templates, and the faults of templates that cannot be read. */
export interface TemplateFolder {
  readonly templates: readonly TemplateFiles[];
  readonly faults: readonly FolderFault[];
}

class FileFault extends Error {}

const bodyModes = ['mjml', 'html'] as const;

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readBody(folder: string): Promise<{ mode: (typeof bodyModes)[number]; body: string } | undefined> {
  const foundBodies = [];
  for (const mode of bodyModes) {
    const body = await readIfThere(join(folder, `body.${mode}`));
    if (body !== undefined) foundBodies.push({ mode, body });
  }
  if (foundBodies.length > 1)
    throw new FileFault('body.mjml: there is a body.html, too. A template has one body; delete the other file.');
  return foundBodies[0];
}

function parseManifest(text: string): z.output<typeof manifest> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileFault(`template.json: not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const checked = checkValue(manifest, value, 'The file');
  if (checked.ok) return checked.data;
  throw new FileFault(`template.json: ${checked.faults.map(faultSentence).join(' ')}`);
}

async function readLocale(folder: string, mode: string): Promise<LocaleContent> {
  const ownBody = await readBody(folder);
  if (ownBody !== undefined && ownBody.mode !== mode)
    throw new FileFault(
      `${basename(folder)}/body.${ownBody.mode}: the template itself has a body.${mode}. Use one kind of body in all languages.`,
    );
  const text = await readIfThere(join(folder, 'text.txt'));
  return { ...(ownBody === undefined ? {} : { body: ownBody.body }), ...(text === undefined ? {} : { text }) };
}

async function readTemplate(root: string, key: string): Promise<TemplateFiles> {
  const folder = join(root, key);
  if (!templateKey.safeParse(key).success)
    throw new FileFault(
      'template.json: the name of its folder is the key of the template: 1 to 80 characters of a–z, 0–9, _ and -.',
    );
  const {
    $schema: _,
    locales: declared,
    tracking: declaredTracking,
    ...rest
  } = parseManifest(await readFile(join(folder, 'template.json'), 'utf8'));
  const { mode, body } = (await readBody(folder)) ?? { mode: 'mjml' as const, body: '' };
  const locales: Record<string, LocaleContent> = {};
  for (const [tag, content] of Object.entries(declared)) locales[canonicalLocale(tag) ?? tag] = content;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const tag = canonicalLocale(entry.name);
    if (tag === undefined)
      throw new FileFault(`${entry.name}: this folder must be named after a language, such as de or pt-BR.`);
    locales[tag] = { ...locales[tag], ...(await readLocale(join(folder, entry.name), mode)) };
  }
  const marketing = rest.category === 'marketing';
  return {
    key,
    template: {
      ...rest,
      name: rest.name ?? key,
      previewText: rest.previewText ?? '',
      mode,
      body,
      text: (await readIfThere(join(folder, 'text.txt'))) ?? null,
      locales,
      tracking: declaredTracking ?? { opens: marketing, clicks: marketing },
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
 * Reads the templates of a folder, or only the named templates.
 * @throws CommandError if the folder, or a named template, is missing
 */
export async function readTemplateFolder(root: string, keys: readonly string[] = []): Promise<TemplateFolder> {
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: unknown) => {
    throw new CommandError(
      `There is no folder ${root}. \`postrider templates pull\` writes the templates of the workspace into it; --dir names another folder.`,
      { cause },
    );
  });
  const existingKeys: string[] = [];
  for (const entry of entries)
    if (entry.isDirectory() && (await readIfThere(join(root, entry.name, 'template.json'))) !== undefined)
      existingKeys.push(entry.name);
  const unknown = keys.filter((key) => !existingKeys.includes(key));
  if (unknown.length > 0)
    throw new CommandError(
      `${root} has no template ${unknown.join(', ')}: ${join(unknown[0] ?? '', 'template.json')} is missing.`,
    );
  const templates: TemplateFiles[] = [];
  const faults: FolderFault[] = [];
  for (const key of existingKeys.sort()) {
    if (keys.length > 0 && !keys.includes(key)) continue;
    try {
      templates.push(await readTemplate(root, key));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults.push({ key, message: `${key}/${error.message}` });
    }
  }
  return { templates, faults };
}
