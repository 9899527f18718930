// Stores the template files of a folder as drafts in a workspace and, on request, publishes them. Called by the command
// push and by loadTemplates of postrider/testing.
import { type Api, CommandError, isPostriderError } from '../../../core/index.ts';
import { createTemplateCompiler, type TemplateCompiler } from '../compiler/compiler.ts';
import { authoredOf, differences, localeChanges } from './authored.ts';
import { breakingReasons, faultLines, publishingFaults } from './local-preview.ts';
import { readTemplateFolder, type TemplateFiles, type TemplateFolder } from './read-folder.ts';

/** The template operations of a caller. */
export type TemplateCalls = Pick<Api['templates'], 'templates'>;

/** The options of a push. */
export interface PushOptions {
  readonly publish: boolean;
  readonly allowBreaking: boolean;
  readonly dryRun: boolean;
  /** For a workspace without themes: ignores the themes that the files name. (Default: false) */
  readonly withoutThemes?: boolean;
}

/** The result for one template. */
export interface Pushed {
  readonly key: string;
  /** `failed`: nothing was stored. */
  readonly draft: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly changed: readonly string[];
  /**
   * The new version; null if it cannot be published. Missing if publishing was not requested, was not needed, or waits
   * for approval.
   */
  readonly published?: number | null;
  /** The id of the approval request that publishing waits for. */
  readonly approvalRequestId?: string;
  /** The faults, each with its file (below the folder) and line. */
  readonly faults?: readonly string[];
}

async function findDetail({ templates }: TemplateCalls, key: string) {
  try {
    return await templates.read({ key });
  } catch (error) {
    if (isPostriderError(error, 'template_not_found')) return undefined;
    throw error;
  }
}

/** The request that publishing waits for, unless the files change the requested content. */
const pendingOf = (
  detail: { readonly approval: { readonly requestId: string } | null },
  changed: readonly unknown[],
) => (changed.length === 0 ? detail.approval?.requestId : undefined);

async function pushDraft(
  calls: TemplateCalls,
  { key, template: templateFromFiles }: TemplateFiles,
  options: PushOptions,
) {
  const { dryRun, withoutThemes = false } = options;
  const { themeId, ...unthemed } = templateFromFiles;
  const template = withoutThemes || themeId === undefined ? unthemed : { ...unthemed, themeId };
  const detail = await findDetail(calls, key);
  if (detail === undefined) {
    const { locales, ...rest } = template;
    if (!dryRun) await calls.templates.create({ key, ...rest, locales: { ...locales } });
    return { draft: 'created' as const, changed: [], unpublished: true, pending: undefined };
  }
  const workspaceTemplate = authoredOf(detail);
  const changed = differences(workspaceTemplate, template);
  const pending = pendingOf(detail, changed);
  if (changed.length === 0) return { draft: 'unchanged' as const, changed, unpublished: detail.draft, pending };
  if (changed.includes('kind'))
    throw new CommandError(
      `${key} is ${workspaceTemplate.kind === 'layout' ? 'a layout' : 'an email'} in the workspace. Choose another key.`,
    );
  const { kind: _, locales, ...rest } = template;
  const changedFields = Object.fromEntries(
    Object.entries(rest).filter(([name]) => changed.includes(name as keyof typeof rest)),
  );
  const changes = changed.includes('locales')
    ? { locales: { ...localeChanges(workspaceTemplate.locales, locales) } }
    : {};
  if (!dryRun) await calls.templates.update({ key, ...changedFields, ...changes });
  return { draft: 'updated' as const, changed, unpublished: true, pending };
}

/** The faults that an error of the service or of a command lists. @throws every other error */
function faultsOf(error: unknown, files: TemplateFiles): readonly string[] {
  if (!isPostriderError(error) && !(error instanceof CommandError)) throw error;
  const details = isPostriderError(error) ? (error.details ?? []) : [];
  if (details.length > 0) return faultLines(files, details);
  return [`${files.key}: ${error.message.replace('Pass allowBreaking: true', 'Pass --allow-breaking')}`];
}

/** The faults that a dry run can find: faults in the files, and changes of the contract that would break callers. */
async function dryRunFaults(
  { templates }: TemplateCalls,
  files: TemplateFiles,
  wholeFolder: TemplateFolder,
  { compiler, allowBreaking }: { readonly compiler: TemplateCompiler; readonly allowBreaking: boolean },
): Promise<readonly string[]> {
  const faults = await publishingFaults(compiler, wholeFolder, files);
  if (faults.length > 0 || allowBreaking || files.template.kind === 'layout') return faults;
  const current = await templates.schema({ key: files.key }).catch((error: unknown) => {
    if (isPostriderError(error, 'template_not_found')) return undefined;
    throw error;
  });
  if (current === undefined || current.version === 0) return [];
  const reasons = breakingReasons(wholeFolder, files, current.variables);
  if (reasons.length === 0) return [];
  return [
    `${files.key}: Publishing would break callers: ${reasons.join(' ')} Pass --allow-breaking to publish anyway.`,
  ];
}

async function pushOne(
  calls: TemplateCalls,
  files: TemplateFiles,
  options: PushOptions,
  publishingFaultsOf: (files: TemplateFiles) => Promise<readonly string[]>,
): Promise<Pushed> {
  const { key } = files;
  let draft: Awaited<ReturnType<typeof pushDraft>>;
  try {
    draft = await pushDraft(calls, files, options);
  } catch (error) {
    return { key, draft: 'failed', changed: [], faults: faultsOf(error, files) };
  }
  const stored = { key, draft: draft.draft, changed: draft.changed };
  try {
    if (options.dryRun && draft.unpublished) {
      const faults = await publishingFaultsOf(files);
      return faults.length > 0 ? { ...stored, published: null, faults } : stored;
    }
    if (!options.publish || !draft.unpublished) return stored;
    const { version, approval } = await calls.templates.publish({ key, allowBreaking: options.allowBreaking });
    return approval === null ? { ...stored, published: version } : { ...stored, approvalRequestId: approval.requestId };
  } catch (error) {
    // The approval was requested by an earlier push, and the content is unchanged.
    if (draft.pending !== undefined && isPostriderError(error, 'state_conflict'))
      return { ...stored, approvalRequestId: draft.pending };
    return { ...stored, published: null, faults: faultsOf(error, files) };
  }
}

/** Sorts layouts first, because a template needs the newest version of its layout. */
const layoutsFirst = ({ templates }: TemplateFolder): readonly TemplateFiles[] =>
  [...templates].sort(
    (left, right) => Number(right.template.kind === 'layout') - Number(left.template.kind === 'layout'),
  );

/**
 * Pushes the templates of a folder, or only the named templates. If a template has faults, its result contains them, and the other
 * templates are still pushed.
 * @throws CommandError if the folder, or a named template, is missing
 */
export async function pushFolder(
  calls: TemplateCalls,
  folder: string,
  keys: readonly string[],
  options: PushOptions,
  signal?: AbortSignal,
): Promise<readonly Pushed[]> {
  const readFolder = await readTemplateFolder(folder, keys);
  // A dry run reads the whole folder, because checking a pushed template may need a layout that is not pushed.
  const wholeFolder = options.dryRun ? await readTemplateFolder(folder) : readFolder;
  const results: Pushed[] = readFolder.faults.map(({ key, message }) => ({
    key,
    draft: 'failed',
    changed: [],
    faults: [message],
  }));
  let compiler: TemplateCompiler | undefined;
  try {
    for (const files of layoutsFirst(readFolder)) {
      signal?.throwIfAborted();
      results.push(
        await pushOne(calls, files, options, (one) => {
          compiler ??= createTemplateCompiler();
          return dryRunFaults(calls, one, wholeFolder, { compiler, allowBreaking: options.allowBreaking });
        }),
      );
    }
  } finally {
    await compiler?.stop();
  }
  return results;
}
