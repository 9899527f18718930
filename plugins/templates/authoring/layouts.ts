// Layouts that templates use: always the published version. Called when a working copy is compiled or shown.
import type { WorkspaceHandle } from '../../../core/index.ts';
import type { Contract } from '../contract/schema.ts';
import { errors } from '../errors.ts';
import { findTemplateHead, findVersion, lockTemplate } from '../store.ts';
import type { TemplateVersionRow } from '../tables.ts';

/** Identifies a published version of a layout. */
export interface LayoutVersionRef {
  readonly key: string;
  readonly templateId: string;
  readonly version: number;
}

/** A published version of a layout. */
export interface PublishedLayout extends LayoutVersionRef {
  readonly mode: 'mjml' | 'html';
  readonly body: string;
  readonly text: string | null;
  readonly contract: Contract;
}

/** The author's source in a version. Older versions may lack a field. */
export interface AuthoredSource {
  readonly subject: string;
  readonly previewText: string;
  readonly body: string;
  readonly text: string | null;
  readonly variables: string | null;
  /** Locale → the fields that differ in it, as JSON. */
  readonly locales?: string | null;
}

export const authoredSource = (row: Pick<TemplateVersionRow, 'source'>): AuthoredSource =>
  JSON.parse(row.source) as AuthoredSource;

async function usableLayout(handle: WorkspaceHandle, key: string) {
  const head = await findTemplateHead(handle, key);
  return head?.kind === 'layout' && head.status !== 'archived' ? head : undefined;
}

/**
 * Locks a layout before a template uses it, so that nobody archives it until this transaction ends.
 * @throws layout_not_found
 */
export async function lockLayout(handle: WorkspaceHandle, key: string): Promise<void> {
  await lockTemplate(handle, key);
  if ((await usableLayout(handle, key)) === undefined) throw errors.layout_not_found({ key });
}

/**
 * The published version of the layout that a working copy names; undefined without a layout. @throws layout_not_found, layout_not_published
 */
export async function findLayoutVersionRef(
  handle: WorkspaceHandle,
  key: string | null,
): Promise<LayoutVersionRef | undefined> {
  if (key === null) return undefined;
  const head = await usableLayout(handle, key);
  if (head === undefined) throw errors.layout_not_found({ key });
  if (head.version === 0) throw errors.layout_not_published({ key });
  return { key, templateId: head.id, version: head.version };
}

/** Loads the published version of a layout. @throws layout_not_found, layout_not_published */
export async function loadLayout(handle: WorkspaceHandle, key: string | null): Promise<PublishedLayout | undefined> {
  const name = await findLayoutVersionRef(handle, key);
  return name === undefined ? undefined : loadLayoutVersion(handle, name);
}

/** Loads a published version of a layout. @throws Error if it was deleted */
export async function loadLayoutVersion(handle: WorkspaceHandle, name: LayoutVersionRef): Promise<PublishedLayout> {
  const row = await findVersion(handle, name.templateId, name.version);
  if (row === undefined) throw new Error(`Version ${name.version} of the layout ${name.templateId} was deleted.`);
  const { body, text } = authoredSource(row);
  return { ...name, mode: row.mode, body, text, contract: JSON.parse(row.contract) as Contract };
}

/** Finds a layout for reads, without errors: undefined if the layout is missing, archived or not published. */
export async function findLayout(handle: WorkspaceHandle, key: string | null): Promise<PublishedLayout | undefined> {
  const head = key === null ? undefined : await usableLayout(handle, key);
  if (head === undefined || head.version === 0) return undefined;
  return loadLayoutVersion(handle, { key: head.key, templateId: head.id, version: head.version });
}
