/*
 * The interface between the harness (measure.ts) and a contestant: environment variables in, and one `ready` line on standard output
 * out. Floors and contestants both import this. README.md contains the rules in words.
 */

/** Databases that a workload can run on. */
export type Storage = 'sqlite' | 'postgres';

/** The settings that the harness passes to this process. */
export interface ContestantSettings {
  /** Port on 127.0.0.1; 0 lets the system choose. (Default: 0.) */
  port: number;
  storage: Storage;
  /** SQLite: the path of a file that does not exist yet, in its own folder. */
  databasePath: string;
  /** PostgreSQL: a separate empty database. */
  databaseUrl: string;
  /** The number of workspaces to create. (Default: 4.) */
  workspaces: number;
  /** The number of live keys to create, distributed over the workspaces in turn. (Default: 8.) */
  keys: number;
}

/** The line that a contestant prints once it listens. */
export interface Announcement {
  port: number;
  /** Secrets of the live keys that it created, scope `templates:send` and `workspace:read`. */
  keys: string[];
  /** Name of a row kind → SQL that returns the number of rows of that kind made by accepted sends. */
  counts?: Record<string, string>;
  /** The durability settings of the connection that writes, read from the connection and not from the configuration. */
  durability?: Record<string, string | number>;
}

/** Reads the settings. Throws if a required setting is missing. */
export function readSettings(): ContestantSettings {
  const storage = process.env.STORAGE ?? 'sqlite';
  if (storage !== 'sqlite' && storage !== 'postgres') throw new Error(`STORAGE is ${storage}, not sqlite or postgres`);
  return {
    port: Number(process.env.PORT ?? 0),
    storage,
    databasePath: process.env.DATABASE_PATH ?? '',
    databaseUrl: process.env.DATABASE_URL ?? '',
    workspaces: Number(process.env.WORKSPACES ?? 4),
    keys: Number(process.env.KEYS ?? 8),
  };
}

/** Tells the harness that the server listens. Call it once, as the last step. */
export function announce(announcement: Announcement): void {
  process.stdout.write(`ready ${JSON.stringify(announcement)}\n`);
}
