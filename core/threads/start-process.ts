// Starts a program of the package in its own process. Used if a thread is not enough, because native code in a thread
// cannot be ended. The new process does not get the secrets of this process.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The environment variables that programs, fonts and native libraries need to be found. */
const inheritedNames =
  /^(?:PATH|HOME|USERPROFILE|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|NODE_PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|XDG_\w+|FONTCONFIG_\w+)$/i;

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => inheritedNames.test(name)));

/** Starts the program, with its standard input and output as pipes; undefined if its file is missing. */
export function startProcess(file: URL | string | undefined): ChildProcess | undefined {
  const location = String(file ?? '');
  const path = location.startsWith('file:') ? fileURLToPath(location) : location;
  if (!existsSync(path)) return undefined;
  // Bun runs TypeScript by itself.
  const isBun = process.versions['bun'] !== undefined;
  const loader = path.endsWith('.ts') && !isBun ? ['--import', import.meta.resolve('tsx')] : [];
  return spawn(process.execPath, [...loader, path], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
}
