// templates push: stores template files as drafts in the workspace and, on request, publishes them.
import { join, resolve } from 'node:path';
import { type CommandContext, CommandError, defineCommand } from '../../../core/index.ts';
import { didYouMean } from '../../../core/unstable.ts';
import type { Pushed, PushOptions } from '../folder/push-folder.ts';
import { folderArgument, keysArgument } from './arguments.ts';

/**
 * Returns the calls of the command: the program's own, or the member's.
 * @throws CommandError if there is no such member
 */
async function callsAs(context: CommandContext, member: string | undefined) {
  if (member === undefined) return context.calls();
  const { ports } = await context.context();
  const members = await ports.members.list((await context.workspace()).id);
  if (members.some(({ uid }) => uid === member)) return context.calls({ member });
  const memberIds = members.slice(0, 10).map(({ uid }) => uid);
  throw new CommandError(
    memberIds.length === 0
      ? 'This service has no members. Set its option `members`.'
      : `There is no member ${member}.${didYouMean(member, memberIds) || ` Members: ${memberIds.join(', ')}${members.length > memberIds.length ? ' …' : ''}.`}`,
  );
}

type CommandCalls = Awaited<ReturnType<CommandContext['calls']>>;

/** Whether the push bypassed an approval policy. The program may publish, but a member or a key would have had to ask for approval. */
async function hasBypassedPolicy({ approvals }: Partial<CommandCalls>, results: readonly Pushed[]): Promise<boolean> {
  if (!results.some(({ published }) => typeof published === 'number')) return false;
  // A service without approvals has no such calls.
  const policies = (await approvals?.policies())?.data ?? [];
  return policies.some(
    ({ surfaceKind, required, appliesTo }) => surfaceKind === 'email_template' && required && appliesTo === 'all',
  );
}

const publishedWord = ({ published, approvalRequestId }: Pushed, dryRun: boolean): string => {
  if (approvalRequestId !== undefined) return `waits for ${approvalRequestId}`;
  if (published === undefined) return '';
  if (published !== null) return `version ${published}`;
  return dryRun ? 'would fail' : 'failed';
};

function report(context: CommandContext, dir: string, results: readonly Pushed[], { dryRun }: PushOptions): void {
  const reportedRows = results.filter(
    ({ draft, published, approvalRequestId }) =>
      draft !== 'unchanged' || published !== undefined || approvalRequestId !== undefined,
  );
  if (reportedRows.length === 0) context.print('Nothing changed.');
  else
    context.table(
      ['template', dryRun ? 'draft would be' : 'draft', 'changed', dryRun ? 'publishing' : 'published'],
      reportedRows.map((one) => [one.key, one.draft, one.changed.join(', '), publishedWord(one, dryRun)]),
    );
  for (const { faults = [] } of results) for (const fault of faults) context.warn(join(dir, fault));
}

const countOfTemplates = (count: number): string => (count === 1 ? '1 template' : `${count} templates`);

/** The failures, with a sentence for each kind; undefined if there are none. */
function failureSummary(results: readonly Pushed[], { dryRun }: PushOptions): string | undefined {
  const keysOf = (isSelected: (one: Pushed) => boolean) => results.filter(isSelected).map(({ key }) => key);
  const failed = keysOf(({ draft }) => draft === 'failed');
  const unpublished = keysOf(({ published }) => published === null);
  const sentences = [
    ...(failed.length > 0 ? [`${countOfTemplates(failed.length)} could not be pushed: ${failed.join(', ')}.`] : []),
    ...(unpublished.length === 0
      ? []
      : dryRun
        ? [`${countOfTemplates(unpublished.length)} could not be published: ${unpublished.join(', ')}.`]
        : [`Pushed, but not published: ${unpublished.join(', ')}.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The folder and the templates to push, and the options. */
interface PushInput {
  readonly dir: string;
  readonly keys: readonly string[];
  readonly options: PushOptions;
  readonly member: string | undefined;
}

async function pushOnce(context: CommandContext, calls: CommandCalls, { dir, keys, options, member }: PushInput) {
  const { pushFolder } = await import('../folder/push-folder.ts');
  const results = await pushFolder(calls, resolve(context.cwd, dir), keys, options, context.signal);
  report(context, dir, results, options);
  const passed = member === undefined && (await hasBypassedPolicy(calls, results));
  if (passed)
    context.print(
      'The approval policy of templates was bypassed, because the command line acts for the program. To ask for approval: --member UID.',
    );
  return { results, passed };
}

/** Pushes to one workspace after another. A fault in one workspace does not stop the push to other workspaces. */
async function pushToAll(context: CommandContext, input: PushInput) {
  const failures: string[] = [];
  const pushed: { readonly workspace: string; readonly templates: readonly Pushed[] }[] = [];
  for (const { id, name } of await context.workspaces()) {
    context.signal.throwIfAborted();
    context.print(`${name}, ${id}`);
    const { results } = await pushOnce(context, await context.calls({ workspaceId: id }), input);
    const failure = failureSummary(results, input.options);
    if (failure !== undefined) failures.push(`${id}: ${failure}`);
    pushed.push({ workspace: id, templates: results });
  }
  if (failures.length > 0) throw new CommandError(failures.join('\n'));
  return pushed;
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
    [
      'postrider templates push --publish --member u_ada',
      'asks for approval as this member, if a policy holds templates',
    ],
    ['postrider templates push --publish --all', 'a step of a deployment: makes them live in every workspace'],
    ['postrider templates push --watch', 'pushes again whenever a file changes'],
  ],
  arguments: {
    keys: keysArgument,
    dir: folderArgument,
    publish: { type: 'boolean', description: 'Publish templates that changed since their last version' },
    'allow-breaking': { type: 'boolean', description: 'Publish even if existing calls would fail' },
    'dry-run': { type: 'boolean', description: 'Show what would change and check the files; change nothing' },
    member: {
      type: 'string',
      hint: 'UID',
      description:
        'Act for this member: an approval policy holds the publishing (default: the program, whose calls are never held)',
    },
    all: { type: 'boolean', description: 'Push to every workspace, without the themes, which belong to one' },
    watch: { type: 'boolean', description: 'Push again whenever a file changes, until Ctrl-C' },
  },

  async run(context, { keys, dir, publish, 'allow-breaking': allowBreaking, 'dry-run': dryRun, member, watch, all }) {
    const pushInput: PushInput = { dir, keys, options: { publish, allowBreaking, dryRun, withoutThemes: all }, member };
    if (all) {
      if (watch || member !== undefined)
        throw new CommandError(`--all cannot be combined with ${watch ? '--watch' : '--member'}.`, { exitCode: 2 });
      return { folder: resolve(context.cwd, dir), dry_run: dryRun, workspaces: await pushToAll(context, pushInput) };
    }
    const calls = await callsAs(context, member);
    const push = () => pushOnce(context, calls, pushInput);
    let lastPush: Promise<unknown> = Promise.resolve();
    // Pushes run one after another. A failed push only warns, because it may succeed after the next change.
    const pushAgain = (): void => {
      lastPush = lastPush
        .then(push)
        .catch((error: unknown) => context.warn(error instanceof Error ? error.message : String(error)));
    };
    const { watchFolder } = await import('../folder/watch-folder.ts');
    const firstPush = push();
    lastPush = firstPush.catch(() => undefined);
    const firstPushFailed = new AbortController();
    // Watching starts before the first push ends, so that a change that comes too late for this push is pushed afterwards.
    const watching = watch
      ? watchFolder(resolve(context.cwd, dir), AbortSignal.any([context.signal, firstPushFailed.signal]), pushAgain)
      : Promise.resolve();
    watching.catch(() => undefined);
    const { results, passed } = await firstPush.catch((error: unknown) => {
      firstPushFailed.abort();
      throw error;
    });
    if (watch) {
      context.print(`Watching ${dir}. Ctrl-C ends it.`);
      await watching;
      await lastPush;
    }
    const failure = failureSummary(results, pushInput.options);
    if (failure !== undefined && !watch) throw new CommandError(failure);
    return {
      folder: resolve(context.cwd, dir),
      dry_run: dryRun,
      ...(passed ? { passed_approval_policy: true } : {}),
      templates: results,
    };
  },
});
