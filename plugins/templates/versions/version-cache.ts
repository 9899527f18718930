// A cache of recently used published versions, one language at a time, so that a send parses only its own language.
// Created by service.ts.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { chooseLocale } from '../authoring/locales.ts';
import type { Contract } from '../contract/schema.ts';
import {
  type CompiledContract,
  type CompiledTemplate,
  compileContract,
  createCompiledTemplate,
  estimatedBytes,
  RecentlyUsed,
} from '../rendering/compiled-template.ts';
import { findVersion } from '../store.ts';
import type { TemplateVersionRow } from '../tables.ts';
import { frozenContent, localeNames } from './frozen-locales.ts';

/** Identifies a published version. */
export interface VersionSource {
  readonly templateId: string;
  readonly version: number;
  /** The requested language; the best match is used (RFC 4647). */
  readonly locale?: string | null | undefined;
}

/** One language of a version. */
export interface OpenedVersion {
  readonly template: CompiledTemplate;
  readonly contract: Contract;
  /** The chosen language; null for the template's own content if its author set no language. */
  readonly locale: string | null;
}

/** The data that all languages of a version share. */
interface Shared extends CompiledContract {
  readonly theme: unknown;
  readonly ownLocale: string | null;
  readonly names: ReadonlySet<string>;
}

/**
 * The limits of cached contracts and cached contents, in estimated bytes, so that a workspace cannot exhaust the
 * memory.
 */
const contractBytes = 8 * 1_048_576;
const contentBytes = 32 * 1_048_576;

/** The approximate size of a compiled contract, in bytes per character of its JSON. */
const bytesPerCharacter = 16;

function sharedOf(row: TemplateVersionRow): Shared {
  const contract = compileContract(JSON.parse(row.contract) as Contract);
  const theme: unknown = row.theme === null ? undefined : JSON.parse(row.theme);
  return { ...contract, theme, ownLocale: row.locale, names: new Set(localeNames(row.locales)) };
}

function contentOf(row: TemplateVersionRow, ownLocale: string | null, locale: string | null) {
  const content = locale === ownLocale || locale === null ? undefined : frozenContent(row.locales ?? '', locale);
  const { subject, preview_text: previewText, html, text_part: text } = row;
  return content ?? { subject, previewText, html, text };
}

/** Creates the cache. A hit needs no query; a miss needs one. */
export function createVersionCache(): (handle: WorkspaceHandle, source: VersionSource) => Promise<OpenedVersion> {
  const shared = new RecentlyUsed<Shared>(contractBytes);
  const contents = new RecentlyUsed<CompiledTemplate>(contentBytes);
  return async (handle, { templateId, version, locale: requested }) => {
    const key = `${templateId}:${version}`;
    let row: TemplateVersionRow | undefined;
    const load = async (): Promise<TemplateVersionRow> => {
      row ??= await findVersion(handle, templateId, version);
      if (row === undefined) throw new Error(`Version ${version} of ${templateId} was deleted.`);
      return row;
    };
    let cached = shared.get(key);
    if (cached === undefined) {
      const { contract } = await load();
      cached = sharedOf(await load());
      shared.set(key, cached, 2_048 + bytesPerCharacter * contract.length);
    }
    const { ownLocale, names, contract, validate, theme } = cached;
    const locale = chooseLocale(requested ?? undefined, ownLocale, (name) => names.has(name));
    const contentKey = `${key}:${locale === ownLocale ? '' : locale}`;
    let template = contents.get(contentKey);
    if (template === undefined) {
      const content = contentOf(await load(), ownLocale, locale);
      template = createCompiledTemplate({ ...content, contract, validate, theme });
      contents.set(contentKey, template, estimatedBytes(content));
    }
    return { template, contract, locale };
  };
}
