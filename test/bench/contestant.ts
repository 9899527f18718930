/*
 * What the frame tells a contestant (environment variables) and what a contestant answers (one `ready` line on standard
 * output). Floors and contestants both import this; the rules in words stand in README.md.
 */

/** Databases that a workload can run on. */
export type Storage = 'sqlite' | 'postgres';

/** What the frame set for this process. */
export interface ContestantSettings {
  /** Port on 127.0.0.1; 0 lets the system choose. (Default: 0.) */
  port: number;
  storage: Storage;
  /** SQLite: a file that does not exist yet, in a folder of its own. */
  databasePath: string;
  /** PostgreSQL: an empty database of its own. */
  databaseUrl: string;
  /** How many workspaces to make. (Default: 4.) */
  workspaces: number;
  /** How many live keys to make, spread over the workspaces in turn. (Default: 8.) */
  keys: number;
}

/** What a contestant says once it listens. */
export interface Announcement {
  port: number;
  /** Secrets of the live keys that it made, scope `templates:send` and `workspace:read`. */
  keys: string[];
  /** Name of a row kind → SQL that counts the rows of that kind made by accepted sends, as one number. */
  counts?: Record<string, string>;
  /** What the connection that writes says of its own durability, read from it and not from the configuration. */
  durability?: Record<string, string | number>;
}

/** Reads the settings; throws when one that is needed is missing. */
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

/** Tells the frame that the server listens. Call it once, last. */
export function announce(announcement: Announcement): void {
  process.stdout.write(`ready ${JSON.stringify(announcement)}\n`);
}
