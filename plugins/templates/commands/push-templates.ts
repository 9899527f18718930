// templates push: writes files to the workspace's drafts, and on request publishes them.
import { join, resolve } from 'node:path';
import type { CommandContext } from '../../../core/index.ts';
import { CommandError, defineCommand, isPostriderError } from '../../../core/index.ts';
import { createTemplateCompiler } from '../compiler/compiler.ts';
import { authoredOf, differences, localeChanges } from '../workshop/authored.ts';
import { faultLines, publishingFaults } from '../workshop/local-preview.ts';
import type { TemplateFiles } from '../workshop/read-folder.ts';
import { readTemplateFolder } from '../workshop/read-folder.ts';
import { watchFolder } from '../workshop/watch-folder.ts';
import { folderArgument, keysArgument } from './arguments.ts';
import type { TemplateCalls } from './template-calls.ts';

interface PushOptions {
  readonly publish: boolean;
  readonly allowBreaking: boolean;
  readonly dryRun: boolean;
}

/** The outcome for one template. */
interface Pushed {
  readonly key: string;
  /** `failed`: nothing was stored. */
  readonly draft: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly changed: readonly string[];
  /** The new version; null when it cannot be published. Missing when that was not asked for, or not needed. */
  readonly published?: number | null;
  /** What is wrong, each with its file and line below the folder. */
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

async function pushDraft(calls: TemplateCalls, { key, template }: TemplateFiles, { dryRun }: PushOptions) {
  const detail = await findDetail(calls, key);
  if (detail === undefined) {
    const { locales, ...rest } = template;
    if (!dryRun) await calls.templates.create({ key, ...rest, locales: { ...locales } });
    return { draft: 'created' as const, changed: [], unpublished: true };
  }
  const before = authoredOf(detail);
  const changed = differences(before, template);
  if (changed.length === 0) return { draft: 'unchanged' as const, changed, unpublished: detail.draft };
  if (changed.includes('kind'))
    throw new CommandError(
      `${key} is ${before.kind === 'layout' ? 'a layout' : 'an email'} in the workspace. Choose another key.`,
    );
  const { kind: _, locales, ...rest } = template;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([name]) => changed.includes(name as keyof typeof rest)),
  );
  const changes = changed.includes('locales') ? { locales: { ...localeChanges(before.locales, locales) } } : {};
  if (!dryRun) await calls.templates.update({ key, ...given, ...changes });
  return { draft: 'updated' as const, changed, unpublished: true };
}

/** The faults that a refusal names. @throws every other error */
function faultsOf(error: unknown, files: TemplateFiles): readonly string[] {
  if (!isPostriderError(error) && !(error instanceof CommandError)) throw error;
  const details = isPostriderError(error) ? (error.details ?? []) : [];
  return details.length > 0 ? faultLines(files, details) : [`${files.key}: ${error.message}`];
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
    const { version } = await calls.templates.publish({ key, allowBreaking: options.allowBreaking });
    return { ...stored, published: version };
  } catch (error) {
    return { ...stored, published: null, faults: faultsOf(error, files) };
  }
}

async function pushFolder(context: CommandContext, folder: string, keys: readonly string[], options: PushOptions) {
  const calls = await context.calls();
  const { templates, faults } = await readTemplateFolder(folder, keys);
  // A layout that is not pushed may be needed to check a template that is.
  const whole = options.dryRun ? await readTemplateFolder(folder) : { templates, faults };
  const results: Pushed[] = faults.map(({ key, message }) => ({
    key,
    draft: 'failed',
    changed: [],
    faults: [message],
  }));
  // Layouts first: a template that uses a layout needs its newest version.
  const ordered = [...templates].sort(
    (left, right) => Number(right.template.kind === 'layout') - Number(left.template.kind === 'layout'),
  );
  const compiler = createTemplateCompiler();
  try {
    for (const files of ordered) {
      context.signal.throwIfAborted();
      results.push(await pushOne(calls, files, options, (one) => publishingFaults(compiler, whole, one)));
    }
  } finally {
    await compiler.stop();
  }
  return results;
}

const publishedWord = (published: Pushed['published'], dryRun: boolean): string => {
  if (published === undefined) return '';
  if (published !== null) return `version ${published}`;
  return dryRun ? 'would fail' : 'failed';
};

function report(context: CommandContext, dir: string, results: readonly Pushed[], { dryRun }: PushOptions): void {
  const shown = results.filter(({ draft, published }) => draft !== 'unchanged' || published !== undefined);
  if (shown.length === 0) context.print('Nothing changed.');
  else
    context.table(
      ['template', dryRun ? 'draft would be' : 'draft', 'changed', dryRun ? 'publishing' : 'published'],
      shown.map(({ key, draft, changed, published }) => [
        key,
        draft,
        changed.join(', '),
        publishedWord(published, dryRun),
      ]),
    );
  for (const { faults = [] } of results) for (const fault of faults) context.warn(join(dir, fault));
}

const counted = (count: number): string => (count === 1 ? '1 template' : `${count} templates`);

/** What went wrong, in a sentence for each kind; undefined when nothing did. */
function complaintOf(results: readonly Pushed[], { dryRun }: PushOptions): string | undefined {
  const keysOf = (wanted: (one: Pushed) => boolean) => results.filter(wanted).map(({ key }) => key);
  const failed = keysOf(({ draft }) => draft === 'failed');
  const unpublished = keysOf(({ published }) => published === null);
  const sentences = [
    ...(failed.length > 0 ? [`${counted(failed.length)} could not be pushed: ${failed.join(', ')}.`] : []),
    ...(unpublished.length === 0
      ? []
      : dryRun
        ? [`${counted(unpublished.length)} could not be published: ${unpublished.join(', ')}.`]
        : [`Pushed, but not published: ${unpublished.join(', ')}.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

export const pushTemplates = defineCommand({
  name: 'templates push',
  summary: 'Store template files as drafts in the workspace, and publish them on request',
  description:
    'Creates templates that are missing and updates those that differ. Recipients get a draft only after it is published: add --publish. ' +
    'Templates without files stay as they are.',
  examples: [
    ['postrider templates push --dry-run', 'shows what would change and what could not be published'],
    ['postrider templates push receipt --publish', 'pushes one template and makes it live'],
    ['postrider templates push --watch', 'pushes again whenever a file changes'],
  ],
  arguments: {
    keys: keysArgument,
    dir: folderArgument,
    publish: { type: 'boolean', description: 'Publish templates that changed since their last version' },
    'allow-breaking': { type: 'boolean', description: 'Publish even if calls that work today would fail' },
    'dry-run': { type: 'boolean', description: 'Show what would change and check the files; change nothing' },
    watch: { type: 'boolean', description: 'Push again whenever a file changes, until Ctrl-C' },
  },

  async run(context, { keys, dir, publish, 'allow-breaking': allowBreaking, 'dry-run': dryRun, watch }) {
    const folder = resolve(context.cwd, dir);
    const options = { publish, allowBreaking, dryRun };
    const push = async () => {
      const results = await pushFolder(context, folder, keys, options);
      report(context, dir, results, options);
      return results;
    };
    const results = await push();
    if (watch) {
      context.print(`Watching ${dir}. Ctrl-C ends it.`);
      let last: Promise<unknown> = Promise.resolve();
      await watchFolder(folder, context.signal, () => {
        // One after another; a template that fails now is reported, and may succeed after the next change.
        last = last
          .then(push)
          .catch((error: unknown) => context.warn(error instanceof Error ? error.message : String(error)));
      });
      await last;
    }
    const complaint = complaintOf(results, options);
    if (complaint !== undefined && !watch) throw new CommandError(complaint);
    return { folder, dry_run: dryRun, templates: results };
  },
});
