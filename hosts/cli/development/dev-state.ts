// The state that `dev` stores between two starts, in .postrider/dev.json: its workspace, and the secret of its sandbox key. The
// key gives access to a sandbox on this machine only. The database stores only the secret's hash.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CommandError } from '../../../core/index.ts';
import { developmentFolder, makeDevelopmentFolder } from './folder.ts';

/** The content of the file. */
export interface DevState {
  readonly workspaceId?: string;
  readonly key?: string;
  /** Whether `dev` created the workspace, and may therefore add sample data. */
  readonly isCreatedByDev?: boolean;
}

const fileIn = (cwd: string): string => join(developmentFolder(cwd), 'dev.json');

/** The state that the last start stored. @throws CommandError if the file is damaged */
export async function readDevState(cwd: string): Promise<DevState> {
  const file = fileIn(cwd);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DevState;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandError(`${relative(cwd, file)} cannot be read. Delete it to start with a new key.`, { cause });
  }
}

/** Stores the state for the next start, readable for this user only. */
export async function writeDevState(cwd: string, state: DevState): Promise<void> {
  await makeDevelopmentFolder(cwd);
  const file = fileIn(cwd);
  await writeFile(file, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}
