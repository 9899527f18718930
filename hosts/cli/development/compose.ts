// The service of a project without a config: the standard plugins on one SQLite file in .postrider/; mail is captured
// instead of sent. Composed by project.ts and by dev; nothing is opened until it is used.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localKeyring } from '../../../adapters/keyring/local.ts';
import { captureMail } from '../../../adapters/mail/capture.ts';
import type { Plugin, Service, ServiceOptions } from '../../../core/index.ts';
import { CommandError, createService } from '../../../core/index.ts';
import { standardPlugins, webhooksPlugin } from '../../../plugins/index.ts';
import { developmentPeer, installLine, isInstalled, templatePeers } from '../peers.ts';

type Storage = ServiceOptions<string>['storage'];

/** Typed by the plugins' common declaration: which plugins they are is known only at run time, as with a config. */
const plugins: readonly Plugin[] = standardPlugins;

/** The folder of the development composition. */
export const developmentFolder = (cwd: string): string => join(cwd, '.postrider');

/** Its database. */
export const developmentDatabase = (cwd: string): string => join(developmentFolder(cwd), 'dev.sqlite');

/** Whether `dev` or `migrate` created a database here before. */
export const hasDevelopmentDatabase = (cwd: string): boolean => existsSync(developmentDatabase(cwd));

/** Creates the folder, readable for this user only and ignored by git. */
export async function makeDevelopmentFolder(cwd: string): Promise<void> {
  const folder = developmentFolder(cwd);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** @throws CommandError with the command that installs the driver, which is an optional package */
async function sqliteIn(cwd: string, filename: string): Promise<Storage> {
  if (!isInstalled(developmentPeer))
    throw new CommandError(
      'Without a postrider.config, Postrider uses SQLite, and the package better-sqlite3 is not installed.\n' +
        'For another database: postrider init --database postgres\n' +
        `For SQLite (npm may compile it for a few minutes): ${installLine([developmentPeer, ...templatePeers], cwd)}`,
    );
  const { sqliteStorage } = await import('../../../adapters/storage/sqlite.ts');
  return sqliteStorage({ filename });
}

/** Why the development service cannot open a database; undefined when it can. Opens one in memory only. */
export async function developmentStorageFault(cwd: string): Promise<string | undefined> {
  try {
    const driver = await (await sqliteIn(cwd, ':memory:')).open();
    await driver.close();
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** What differs between a server and a single call. */
export type DevelopmentOptions = Pick<ServiceOptions<string>, 'publicUrl' | 'logger'> & {
  /** Stores nothing on disk: for showing what a database would consist of. (Default: false) */
  readonly inMemory?: boolean;
};

/** The service of `.postrider/` in `cwd`. */
export async function composeDevelopment(
  cwd: string,
  { inMemory = false, ...options }: DevelopmentOptions,
): Promise<Service> {
  return createService({
    plugins: plugins.map((plugin) => (plugin.id === 'webhooks' ? webhooksPlugin({ console: {} }) : plugin)),
    storage: await sqliteIn(cwd, inMemory ? ':memory:' : developmentDatabase(cwd)),
    keyring: inMemory
      ? localKeyring({ keys: [{ id: 'memory', secret: randomBytes(32).toString('base64') }] })
      : localKeyring({ file: join(developmentFolder(cwd), 'keyring.json') }),
    mail: captureMail(),
    environment: 'development',
    openapi: { public: true },
    ...options,
  });
}

const unopened = async (): Promise<never> => {
  throw new Error('The standard plugins alone have no database.');
};

/** The standard plugins without any database: for reading their declarations. */
export function composeDeclarations(): Service {
  return createService({
    plugins,
    storage: {
      id: 'none',
      dialect: 'sqlite',
      capabilities: { sharedCommits: false, skipLocked: false, locks: 'process', notifies: false },
      open: unopened,
    },
  });
}
