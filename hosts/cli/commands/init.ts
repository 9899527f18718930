// init: writes the few files that a project needs, overwrites none, and prints the next steps.
import { relative, sep } from 'node:path';
import { CommandError } from '../../../core/index.ts';
import type { CliContext } from '../command.ts';
import { defineCliCommand } from '../command.ts';
import { findConfig } from '../config.ts';
import type { CallParts } from '../context.ts';
import type { Database, Detected, Host } from '../init/detect.ts';
import { databases, detect, hosts } from '../init/detect.ts';
import type { Plan } from '../init/files.ts';
import { configFile, environmentFile, ignoredPaths, mountOf, packagesFor } from '../init/files.ts';
import type { Outcome } from '../init/write.ts';
import { addIgnored, writeNew } from '../init/write.ts';

type Prompts = NonNullable<CallParts['prompts']>;

const hostNames: Readonly<Record<Host, string>> = {
  express: 'Express',
  fastify: 'Fastify',
  lambda: 'AWS Lambda',
  node: 'node:http, or something else',
};
const databaseNames: Readonly<Record<Database, string>> = {
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

/** The value of the option, else the answer to a question, else the detected value. */
async function planFor(
  { interactive, signal }: CliContext,
  given: { readonly host: Host | undefined; readonly database: Database | undefined; readonly yes: boolean },
  detected: Detected,
  existing: string | undefined,
): Promise<Plan> {
  const prompts = interactive && !given.yes ? await import('@clack/prompts') : undefined;
  const probable = detected.hosts[0] ?? 'node';
  const host =
    given.host ??
    (prompts === undefined
      ? probable
      : await choose(prompts, 'Where do requests come in?', hostNames, probable, signal));
  const likely = host === 'lambda' ? 'postgres' : detected.database;
  const database =
    given.database ??
    (prompts === undefined || host === 'lambda'
      ? likely
      : await choose(prompts, 'Which database?', databaseNames, likely, signal));
  if (host === 'lambda' && database === 'sqlite')
    throw new CommandError('SQLite keeps a file, and a function has none that stays. Take --database postgres.', {
      exitCode: 2,
    });
  return { host, database, detected, existing };
}

export const init = defineCliCommand({
  name: 'init',
  summary: 'Set a project up: its config, and how to mount it',
  description:
    'Looks for Express, Fastify and Lambda, and writes postrider.config, .env.example and a line of .gitignore. A file that is there is left alone. It asks at a terminal only; options answer beforehand.',
  examples: [
    ['postrider init', 'asks, with what it found as the answers'],
    ['postrider init --host express --database postgres --yes', 'asks nothing'],
  ],
  arguments: {
    host: { type: 'string', choices: hosts, description: 'Where requests come in' },
    database: { type: 'string', choices: databases, description: 'Where rows are kept' },
    yes: { type: 'boolean', description: 'Take what was found and ask nothing' },
  },

  async run(context, given) {
    const { cwd, print } = context;
    const detected = detect(cwd);
    const present = findConfig(cwd, undefined);
    const existing = present === undefined ? undefined : relative(cwd, present).replaceAll(sep, '/');
    const plan = await planFor(context, given, detected, existing);
    const { host, database } = plan;
    const mount = mountOf(plan);
    const config = configFile(plan);
    const environment = await writeNew(cwd, environmentFile(plan));
    const results = [
      existing === undefined
        ? await writeNew(cwd, config)
        : { path: existing, what: 'is there already', written: false },
      environment,
      await addIgnored(cwd, ignoredPaths(plan)),
    ].filter((result) => result !== undefined);
    const written = results.filter((result) => result.written);
    const left = results.filter((result) => !result.written);
    const packages = packagesFor(plan);
    const install = packages.length === 0 ? undefined : `${detected.install} ${packages.join(' ')}`;

    const width = Math.max(...results.map(({ path }) => path.length));
    const list = (title: string, outcomes: readonly Outcome[]) => {
      if (outcomes.length === 0) return;
      print(title);
      for (const { path, what } of outcomes) print(`  ${path.padEnd(width)}  ${what}`);
      print('');
    };
    const found = given.host === undefined && detected.hosts.includes(host) ? ', as this project has it' : '';
    print(`${hostNames[host]}${found}, on ${databaseNames[database]}.\n`);
    list('Wrote', written);
    list('Left alone', left);
    if (!environment.written) {
      const names = [...environmentFile(plan).content.matchAll(/^[A-Z_]+(?==)/gm)].join(', ');
      print(`The config reads these variables: ${names}.\n`);
    }
    if (mount.note !== undefined) print(`${mount.note}\n`);
    print(mount.note === undefined ? 'Add to your program:\n' : 'In your handler:\n');
    for (const line of mount.lines) print(line === '' ? '' : `  ${line}`);
    print('\nNext:\n');
    if (install !== undefined) print(`  ${install}`);
    print('  npx postrider dev');
    return {
      host,
      database,
      written: written.map(({ path }) => path),
      left: left.map(({ path }) => path),
      mount: mount.lines,
      install: install ?? null,
      next: 'npx postrider dev',
    };
  },
});
