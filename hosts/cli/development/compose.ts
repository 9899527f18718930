// The service of a project without a config: the standard plugins on one SQLite file in .postrider/, with asset files beside it.
// Mail is captured instead of sent. Called by project.ts, dev and doctor. Nothing is opened until it is used.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { captureAssets } from '../../../adapters/assets/capture.ts';
import { fileSystemAssets } from '../../../adapters/assets/file-system.ts';
import { localKeyring } from '../../../adapters/keyring/local.ts';
import { captureMail } from '../../../adapters/mail/capture.ts';
import { captureSms } from '../../../adapters/sms/capture.ts';
import { captureSocial } from '../../../adapters/social/capture.ts';
import { CommandError, createService, type Plugin, type Service, type ServiceOptions } from '../../../core/index.ts';
import { connectorsPlugin, oauthPlugin, qrPlugin, standardPlugins } from '../../../plugins/index.ts';
import { developmentPeer, featuresOf, installLine, isInstalled } from '../peers.ts';
import { developmentDatabase, developmentFolder } from './folder.ts';
import { developmentTeam, sampleAccess } from './sample-sign-in.ts';

type Storage = ServiceOptions<string>['storage'];

/** Typed by the plugins' common declaration, because the plugins are known only at run time, as with a config. */
const plugins: readonly Plugin[] = standardPlugins;

/** All packages that the development service uses. */
const everyPeer = [developmentPeer, ...featuresOf(undefined).flatMap(({ peers }) => peers)];

/** @throws CommandError with the command that installs the driver, which is an optional package */
async function sqliteIn(cwd: string, filename: string): Promise<Storage> {
  if (!isInstalled(developmentPeer))
    throw new CommandError(
      'Without a postrider.config, Postrider uses SQLite, and the package better-sqlite3 is not installed.\n' +
        'For another database: postrider init --database postgres\n' +
        `For SQLite (on Node 20 npm may compile it for a few minutes): ${installLine(everyPeer, cwd)}`,
    );
  const { sqliteStorage } = await import('../../../adapters/storage/sqlite.ts');
  return sqliteStorage({ filename });
}

/** Why the development service cannot open a database; undefined if it can. Opens a database in memory only. */
export async function developmentStorageFault(cwd: string): Promise<string | undefined> {
  try {
    const driver = await (await sqliteIn(cwd, ':memory:')).open();
    await driver.close();
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/** The options that differ between a server and a single call. */
export type DevelopmentOptions = Partial<
  Pick<ServiceOptions<string>, 'publicUrl' | 'logger' | 'storage' | 'tablePrefix'>
> & {
  /** Stores nothing on disk, for showing the contents of a new database. (Default: false) */
  readonly inMemory?: boolean;
};

/** The plugins whose pages are shown in development only. */
const pluginsWithPage: ReadonlyMap<string, Plugin> = new Map<string, Plugin>([
  // Posts stay in the process on every network.
  ['connectors', connectorsPlugin({ providers: captureSocial() })],
  ['oauth', oauthPlugin({ redirectSchemes: ['cursor', 'vscode', 'vscode-insiders', 'windsurf'] })],
  ['qr', qrPlugin({ designer: true })],
]);

/** The service of `.postrider/` in `cwd`. */
export async function composeDevelopment(
  cwd: string,
  { inMemory = false, ...options }: DevelopmentOptions,
): Promise<Service> {
  const service: Service = createService({
    plugins: plugins.map((plugin) => pluginsWithPage.get(plugin.id) ?? plugin),
    storage: await sqliteIn(cwd, inMemory ? ':memory:' : developmentDatabase(cwd)),
    keyring: inMemory
      ? localKeyring({ keys: [{ id: 'memory', secret: randomBytes(32).toString('base64') }] })
      : localKeyring({ file: join(developmentFolder(cwd), 'keyring.json') }),
    mail: captureMail(),
    assets: inMemory ? captureAssets() : fileSystemAssets({ folder: join(developmentFolder(cwd), 'assets') }),
    sms: captureSms(),
    members: { list: async () => Object.values(developmentTeam) },
    access: sampleAccess(async () => (await service.workspaces.list({ limit: 100 })).map(({ id }) => id)),
    environment: 'development',
    openapi: { public: true },
    ...options,
  });
  return service;
}

const noDatabase = async (): Promise<never> => {
  throw new Error('The standard plugins alone have no database.');
};

/** The standard plugins without a database, for reading their declarations. */
export function composeDeclarations(): Service {
  return createService({
    plugins,
    storage: {
      id: 'none',
      dialect: 'sqlite',
      capabilities: { sharedCommits: false, skipLocked: false, locks: 'process', notifies: false },
      open: noDatabase,
    },
  });
}
