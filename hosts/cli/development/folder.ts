// The location of the development composition's data. Every call of the command line imports this file, so it loads no service.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the development composition. */
export const developmentFolder = (cwd: string): string => join(cwd, '.postrider');

/** The database of the development composition. */
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
