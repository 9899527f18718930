// templates push: writes files to the workspace's drafts, and on request publishes them.
import { join, resolve } from 'node:path';
import type { CommandContext } from '../../../core/index.ts';
import { CommandError, defineCommand, isPostriderError } from '../../../core/index.ts';
import { authoredOf, differences, localeChanges } from '../workshop/authored.ts';
import { faultLines } from '../workshop/local-preview.ts';
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
  readonly draft: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly changed: readonly string[];
  /** The published version, if any. */
  readonly published?: number;
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

async function pushOne(calls: TemplateCalls, files: TemplateFiles, options: PushOptions): Promise<Pushed> {
  const { key } = files;
  try {
    const { draft, changed, unpublished } = await pushDraft(calls, files, options);
    if (!options.publish || !unpublished || options.dryRun) return { key, draft, changed };
    const { version } = await calls.templates.publish({ key, allowBreaking: options.allowBreaking });
    return { key, draft, changed, published: version };
  } catch (error) {
    if (!isPostriderError(error) && !(error instanceof CommandError)) throw error;
    const details = isPostriderError(error) ? (error.details ?? []) : [];
    return {
      key,
      draft: 'failed',
      changed: [],
      faults: details.length > 0 ? faultLines(files, details) : [error.message],
    };
  }
}

async function pushFolder(context: CommandContext, folder: string, keys: readonly string[], options: PushOptions) {
  const calls = await context.calls();
  const { templates, faults } = await readTemplateFolder(folder, keys);
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
  for (const files of ordered) {
    context.signal.throwIfAborted();
    results.push(await pushOne(calls, files, options));
  }
  return results;
}

function report(context: CommandContext, folder: string, results: readonly Pushed[], { dryRun }: PushOptions): void {
  const shown = results.filter(({ draft, published }) => draft !== 'unchanged' || published !== undefined);
  if (shown.length === 0) context.print('Nothing changed.');
  else
    context.table(
      ['template', dryRun ? 'would be' : 'draft', 'changed', 'published'],
      shown.map(({ key, draft, changed, published }) => [
        key,
        draft,
        changed.join(', '),
        published === undefined ? '' : `version ${published}`,
      ]),
    );
  for (const { faults = [] } of results) for (const fault of faults) context.warn(join(folder, fault));
}

export const pushTemplates = defineCommand({
  name: 'templates push',
  summary: "Bring templates from files into the workspace's drafts",
  description:
    'Creates what is missing and changes what differs. Recipients see none of it before it is published: --publish does that, too. ' +
    'Templates that have no files stay as they are.',
  examples: [
    ['postrider templates push --dry-run', 'what would change'],
    ['postrider templates push receipt --publish', 'one template, live from now on'],
    ['postrider templates push --watch', 'again whenever a file changes'],
  ],
  arguments: {
    keys: keysArgument,
    dir: folderArgument,
    publish: { type: 'boolean', description: 'Publish what has changed since its last version' },
    'allow-breaking': { type: 'boolean', description: 'Publish although callers would break' },
    'dry-run': { type: 'boolean', description: 'Say what would change, and change nothing' },
    watch: { type: 'boolean', description: 'Push again whenever a file changes, until Ctrl-C' },
  },

  async run(context, { keys, dir, publish, 'allow-breaking': allowBreaking, 'dry-run': dryRun, watch }) {
    const folder = resolve(context.cwd, dir);
    const options = { publish, allowBreaking, dryRun };
    const push = async () => {
      const results = await pushFolder(context, folder, keys, options);
      report(context, folder, results, options);
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
    const failed = results.filter(({ draft }) => draft === 'failed').map(({ key }) => key);
    if (failed.length > 0 && !watch)
      throw new CommandError(
        `${failed.length} of ${results.length} templates could not be pushed: ${failed.join(', ')}.`,
      );
    return { folder, dry_run: dryRun, templates: results };
  },
});
