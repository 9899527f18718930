// init: writes the few files that a project needs, overwrites none, and prints the next steps.
import { relative, sep } from 'node:path';
import { CommandError } from '../../../core/command-line.ts';
import { type CliContext, defineCliCommand } from '../command.ts';
import { findConfig } from '../config.ts';
import type { CallParts } from '../context.ts';
import { type Detected, databases, detect, hosts, type InitDatabase, type InitHost } from '../init/detect.ts';
import {
  configFile,
  environmentFile,
  exampleFile,
  type InitPlan,
  ignoredPaths,
  mountOf,
  packagesFor,
  requiredLine,
  requiredVariable,
} from '../init/files.ts';
import { toolFilters } from '../init/migration-tools.ts';
import { addIgnored, assigns, type WriteResult, writeNew } from '../init/write.ts';

type Prompts = NonNullable<CallParts['prompts']>;

const hostNames: Readonly<Record<InitHost, string>> = {
  express: 'Express',
  fastify: 'Fastify',
  lambda: 'AWS Lambda',
  node: 'node:http, or something else',
};
const databaseNames: Readonly<Record<InitDatabase, string>> = {
  sqlite: 'SQLite, one file',
  postgres: 'PostgreSQL',
  mysql: 'MariaDB or MySQL',
};

async function choose<T extends string>(
  { select, isCancel }: Prompts,
  message: string,
  names: Readonly<Record<T, string>>,
  initialValue: T,
  signal: AbortSignal,
): Promise<T> {
  const options = (Object.entries(names) as [T, string][]).map(([value, label]) => ({ value: value as string, label }));
  const answer = await select<string>({ message, options, initialValue, signal });
  if (isCancel(answer)) throw new CommandError('Nothing was written.');
  return answer as T;
}

/** The plan: each value comes from an option, else from the answer to a question, else from detection. */
async function planFor(
  { interactive, signal }: CliContext,
  options: { readonly host: InitHost | undefined; readonly database: InitDatabase | undefined; readonly yes: boolean },
  detected: Detected,
  existing: string | undefined,
): Promise<InitPlan> {
  const prompts = interactive && !options.yes ? await import('@clack/prompts') : undefined;
  const probableHost = detected.hosts[0] ?? 'node';
  const host =
    options.host ??
    (prompts === undefined
      ? probableHost
      : await choose(prompts, 'What serves your requests?', hostNames, probableHost, signal));
  const probableDatabase = host === 'lambda' ? 'postgres' : detected.database;
  const database =
    options.database ??
    (prompts === undefined || host === 'lambda'
      ? probableDatabase
      : await choose(prompts, 'Which database?', databaseNames, probableDatabase, signal));
  if (host === 'lambda' && database === 'sqlite')
    throw new CommandError(
      'SQLite needs a file that stays, which a Lambda function does not have. Use --database postgres.',
      {
        exitCode: 2,
      },
    );
  return { host, database, detected, existing };
}

export const init = defineCliCommand({
  name: 'init',
  summary: 'Set up a project: write its config and show how to mount it',
  description:
    'Looks for Express, Fastify and Lambda, and writes postrider.config, .env.example, .env and .gitignore. It overwrites no file; to .gitignore it adds lines. ' +
    'On a terminal it asks questions, except those that options already answer.',
  examples: [
    ['postrider init', 'asks, and suggests the detected settings'],
    ['postrider init --host express --database postgres --yes', 'asks nothing'],
  ],
  arguments: {
    host: { type: 'string', choices: hosts, description: 'What serves your requests' },
    database: { type: 'string', choices: databases, description: 'The database' },
    yes: { type: 'boolean', description: 'Do not ask: use the detected settings' },
  },

  async run(context, options) {
    const { cwd, print } = context;
    const detected = detect(cwd);
    const presentConfigs = findConfig(cwd, undefined);
    const existing = presentConfigs === undefined ? undefined : relative(cwd, presentConfigs).replaceAll(sep, '/');
    const plan = await planFor(context, options, detected, existing);
    const { host, database } = plan;
    const mount = mountOf(plan);
    // Written before .env, so that git never sees .env.
    const ignoreResult = await addIgnored(cwd, ignoredPaths(plan));
    const example = await writeNew(cwd, exampleFile(plan));
    const results = [
      existing === undefined
        ? await writeNew(cwd, configFile(plan))
        : { path: existing, note: 'exists already', written: false },
      example,
      // The project's own config may read other variables.
      ...(existing === undefined ? [await writeNew(cwd, environmentFile(plan))] : []),
      ignoreResult,
    ];
    const writtenFiles = results.filter((result) => result.written);
    const unchangedFiles = results.filter((result) => !result.written);
    const unset = existing === undefined && !(await assigns(cwd, '.env', requiredVariable(plan)));
    const filters = toolFilters(detected, database, existing);
    const packages = packagesFor(plan);
    const install = packages.length === 0 ? undefined : `${detected.install} ${packages.join(' ')}`;

    const width = Math.max(...results.map(({ path }) => path.length));
    const list = (title: string, outcomes: readonly WriteResult[]) => {
      if (outcomes.length === 0) return;
      print(title);
      for (const { path, note } of outcomes) print(`  ${path.padEnd(width)}  ${note}`);
      print('');
    };
    const detectedNote = options.host === undefined && detected.hosts.includes(host) ? ' (found in this project)' : '';
    print(`${hostNames[host]}${detectedNote}, on ${databaseNames[database]}.\n`);
    list('Wrote', writtenFiles);
    list('Left alone', unchangedFiles);
    if (!example.written) {
      const names = [...exampleFile(plan).content.matchAll(/^[A-Z_]+(?==)/gm)].join(', ');
      print(`The config reads these variables: ${names}.\n`);
    }
    if (detected.compilerNote !== undefined) print(`${detected.compilerNote}\n`);
    if (mount.note !== undefined) print(`${mount.note}\n`);
    print(mount.note === undefined ? 'Add to your program:\n' : 'In your handler:\n');
    for (const line of mount.lines) print(line === '' ? '' : `  ${line}`);
    for (const { advice, lines } of filters) {
      print(`\n${advice}`);
      if (lines.length > 0) print(`\n${lines.map((line) => `  ${line}`).join('\n')}`);
    }
    if (unset) print(`\nAdd to .env:\n\n  ${requiredLine(plan)}`);
    print('\nNext:\n');
    if (database !== 'sqlite' && writtenFiles.some(({ path }) => path === '.env'))
      print(`  set ${requiredVariable(plan)} in .env`);
    if (install !== undefined) print(`  ${install}`);
    print('  npx postrider dev');
    if (host !== 'lambda')
      print('\nnpx postrider reads .env. Start your program so that it does, too: node --env-file=.env …');
    return {
      host,
      database,
      written: writtenFiles.map(({ path }) => path),
      left: unchangedFiles.map(({ path }) => path),
      mount: mount.lines,
      install: install ?? null,
      compiler: detected.compilerNote ?? null,
      filters,
      next: 'npx postrider dev',
    };
  },
});
