// The service of a call: the project's own (postrider.config.*), or without a config the development composition in .postrider/.
// Made by run.ts for each call. It opens at the first use and closes at the end.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CommandError, isPostriderError } from '../../core/command-line.ts';
import type { Service, ServiceOptions, Workspace } from '../../core/index.ts';
import { findConfig, folderAbove, loadConfig } from './config.ts';
import type { DevelopmentOptions } from './development/compose.ts';
import { developmentDatabase, hasDevelopmentDatabase, makeDevelopmentFolder } from './development/folder.ts';
import { unlessInterrupted } from './interruption.ts';

/** How to handle a missing development database: fail, create it as a file, or keep it in memory. */
type MissingDatabase = 'refuse' | 'file' | 'memory';

/** The project of a call. */
export interface Project {
  readonly cwd: string;
  /**
   * The path of the config. Undefined if the development composition is used. @throws CommandError if --config names a missing
   * file
   */
  config(): string | undefined;
  /** The database of the call as text for people: the database of a config, or the development database. */
  database(): string;
  /** The composed service, for reading declarations. Its database is never opened. */
  declared(): Promise<Service>;
  /**
   * The service for data access. Without a config, the service of .postrider/; `ifMissing` selects how a missing database
   * is handled.
   */
  service(options?: DevelopmentOptions & { readonly ifMissing?: MissingDatabase }): Promise<Service>;
  /** Like `service`, with an up-to-date schema. @throws CommandError if migrations are pending */
  ready(): Promise<Service>;
  /** The workspace of --workspace, or the only one. @throws CommandError with a list of the workspaces */
  workspace(): Promise<Workspace>;
  close(): Promise<void>;
}

const closeLimitMs = 10_000;
const shownWorkspaces = 10;

const silent: NonNullable<ServiceOptions<string>['logger']> = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a file. Windows editors and shells may begin it with a byte order mark of UTF-8 or UTF-16. */
function envText(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Loads the variables of `.env` that are not set yet. Returns the previous environment, so that a process that is started later
 * reads the current file. @throws CommandError if the file cannot be read
 */
export function loadEnvironment(cwd: string): Environment {
  const previousEnvironment = { ...process.env };
  try {
    // process.loadEnvFile is not used, because it treats a byte order mark as part of the first name.
    for (const [name, value] of Object.entries(parseEnv(envText(readFileSync(resolve(cwd, '.env'))))))
      process.env[name] ??= value;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new CommandError(`The file .env cannot be read: ${(cause as Error).message}`, { cause });
  }
  return previousEnvironment;
}

function listWorkspaces(workspaces: readonly Workspace[]): string {
  const lines = workspaces.slice(0, shownWorkspaces).map(({ id, name }) => `${id}  ${name}`);
  return [...lines, ...(workspaces.length > shownWorkspaces ? ['… (postrider workspaces list)'] : [])].join('\n');
}

async function chooseWorkspace(service: Service, id: string | undefined): Promise<Workspace> {
  const page = await service.workspaces.list({ limit: shownWorkspaces + 1 });
  if (id !== undefined) {
    try {
      return await service.workspaces.read(id);
    } catch (error) {
      if (!isPostriderError(error, 'workspace_not_found')) throw error;
      throw new CommandError(
        `There is no workspace ${id}. ${page.length === 0 ? 'There are none yet.' : `These exist:\n${listWorkspaces(page)}`}`,
      );
    }
  }
  const [only, ...others] = page;
  if (only === undefined)
    throw new CommandError(
      'There are no workspaces yet. Create one: postrider workspaces create --name NAME --from ADDRESS',
    );
  if (others.length > 0)
    throw new CommandError(`There is more than one workspace. Choose with --workspace ID:\n${listWorkspaces(page)}`);
  return only;
}

/**
 * Rejects plugin commands with built-in names. Two plugin commands with the same name already fail at composition. @throws
 * CommandError
 */
function assertNoClash(service: Service, builtIn: ReadonlySet<string>): Service {
  for (const { id, commands } of service.core.registry.plugins)
    for (const { name } of commands)
      if (builtIn.has(name))
        throw new CommandError(
          `The plugin ${id} adds the command "postrider ${name}", which is built in. Its command needs another name, such as "${id} ${name.replaceAll(' ', '-')}".`,
        );
  return service;
}

/**
 * The project in `cwd`. `configPath` is the value of --config, `workspaceId` the value of --workspace. `signal` aborts the loading.
 * No plugin may add a command whose name is in `builtIn`.
 */
export function createProject(
  cwd: string,
  {
    configPath,
    workspaceId,
    signal,
    builtIn,
  }: {
    readonly configPath: string | undefined;
    readonly workspaceId: string | undefined;
    readonly signal: AbortSignal;
    readonly builtIn: ReadonlySet<string>;
  },
): Project {
  let file: { readonly path: string | undefined } | undefined;
  let opened: Promise<Service> | undefined;
  let ready: Promise<Service> | undefined;

  const config = () => {
    file ??= { path: findConfig(cwd, configPath) };
    return file.path;
  };

  const openDevelopmentService = async (ifMissing: MissingDatabase, options: DevelopmentOptions): Promise<Service> => {
    const missing = !hasDevelopmentDatabase(cwd);
    if (missing && ifMissing === 'refuse') {
      const parentFolder = folderAbove(cwd);
      const parentHint =
        parentFolder === undefined ? '' : ` A parent folder has a config: --cwd ${relative(cwd, parentFolder)}.`;
      throw new CommandError(
        `There is no postrider.config here, and no development database.${parentHint} Run postrider init, or postrider dev.`,
      );
    }
    const inMemory = missing && ifMissing === 'memory';
    const { composeDevelopment } = await import('./development/compose.ts');
    const composed = await composeDevelopment(cwd, { logger: silent, inMemory, ...options });
    // The folder is created afterwards, so that nothing is left behind if SQLite is missing.
    if (!inMemory) await makeDevelopmentFolder(cwd);
    return composed;
  };

  const service: Project['service'] = ({ ifMissing = 'refuse', ...options } = {}) => {
    const path = config();
    opened ??=
      path === undefined
        ? openDevelopmentService(ifMissing, options)
        : unlessInterrupted(loadConfig(path, cwd), signal).then((loaded) => assertNoClash(loaded, builtIn));
    return opened;
  };

  const openReady = async (): Promise<Service> => {
    const opened = await service();
    const { pending, incompatible } = await opened.migrationStatus();
    if (incompatible !== undefined) throw new CommandError(incompatible);
    if (pending.length > 0) {
      const subject = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
      throw new CommandError(`${subject} pending. Run: postrider migrate`);
    }
    return opened;
  };

  const readyService = () => {
    ready ??= openReady();
    return ready;
  };

  return {
    cwd,
    config,
    database() {
      const path = config();
      return path === undefined
        ? `the development database (${relative(cwd, developmentDatabase(cwd))})`
        : `the database of ${relative(cwd, path)}`;
    },
    service,
    async declared() {
      if (config() !== undefined) return service();
      return (await import('./development/compose.ts')).composeDeclarations();
    },
    ready: readyService,
    workspace: async () => chooseWorkspace(await readyService(), workspaceId),
    async close() {
      const started = await opened?.catch(() => undefined);
      if (started === undefined) return;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((end) => {
        timer = setTimeout(end, closeLimitMs);
      });
      await Promise.race([started.stop(), timeout]).finally(() => clearTimeout(timer));
    },
  };
}
