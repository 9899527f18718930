// Writes the files of a template, which read-folder.ts reads. Called by the command pull.
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { canonicalLocale } from '../../../core/index.ts';
import { templateKey } from '../schema.ts';
import type { AuthoredTemplate } from './authored.ts';

/** A part's path below its template's folder. */
const partPath = /^(?:[\w-]+[\\/])?(?:body\.(?:mjml|html)|text\.txt)$/;

/** A template's files, by path below its folder. */
function filesOf({ body, text, mode, locales, tracking, ...rest }: AuthoredTemplate): Map<string, string> {
  const files = new Map<string, string>([[`body.${mode}`, body]]);
  if (text !== null) files.set('text.txt', text);
  const declared: Record<string, object> = {};
  for (const [tag, { body: ownBody, text: ownText, ...lines }] of Object.entries(locales)) {
    if (ownBody !== undefined) files.set(join(tag, `body.${mode}`), ownBody);
    if (ownText !== undefined) files.set(join(tag, 'text.txt'), ownText);
    if (Object.keys(lines).length > 0) declared[tag] = lines;
  }
  const {
    name,
    kind,
    category,
    subject,
    previewText,
    themeId,
    layout,
    locale,
    delivery,
    expiresIn,
    topicKey,
    variables,
  } = rest;
  const manifest = {
    name,
    ...(kind === 'email' ? {} : { kind }),
    category,
    ...(kind === 'email' ? { subject, previewText } : {}),
    ...((themeId ?? null) === null ? {} : { themeId }),
    ...(layout === null ? {} : { layout }),
    ...(locale === null ? {} : { locale }),
    ...(Object.keys(declared).length === 0 ? {} : { locales: declared }),
    ...(delivery === 'at-least-once' ? {} : { delivery }),
    tracking,
    ...(expiresIn === null ? {} : { expiresIn }),
    ...(topicKey === null ? {} : { topicKey }),
    ...(variables === null ? {} : { variables }),
  };
  return files.set('template.json', `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Every file below a template's folder that read-folder.ts would read as a part of the template. */
async function partsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.flatMap((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name));
    return entry.isFile() && partPath.test(path) ? [path] : [];
  });
}

/** Writes the files that differ, and deletes the parts that the template no longer has. */
export async function writeTemplate(root: string, key: string, template: AuthoredTemplate): Promise<void> {
  templateKey.parse(key);
  for (const tag of Object.keys(template.locales))
    if (canonicalLocale(tag) !== tag)
      throw new Error(`${JSON.stringify(tag)} is not a language tag, so it cannot be the name of a folder.`);
  const folder = join(root, key);
  const files = filesOf(template);
  for (const path of await partsIn(folder)) if (!files.has(path)) await rm(join(folder, path));
  for (const tag of await readdir(folder).catch(() => []))
    if (canonicalLocale(tag) !== undefined) await rmdir(join(folder, tag)).catch(() => undefined);
  for (const [path, content] of files) {
    const target = join(folder, path);
    const currentText = await readFile(target, 'utf8').catch(() => undefined);
    if (currentText === content) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}
