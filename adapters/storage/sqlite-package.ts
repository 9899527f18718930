// Checks whether the installed better-sqlite3 runs on this Node. Called by sqlite.ts before it opens a database, because a wrong
// pair ends the process without a message. Reads package.json only, and never loads the driver.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StorageError } from '../../core/contract/ports/storage.ts';

/** The installed package. */
export interface InstalledDriver {
  readonly version: string;
  /** Whether its binary was compiled on this machine, not downloaded. */
  readonly isCompiledHere: boolean;
}

/** The versions of the running program, as in `process.versions`. */
export type RuntimeVersions = Readonly<Record<string, string | undefined>>;

/** The installed package. Undefined if there is no folder of the package, as in some bundles. */
function installedDriver(): InstalledDriver | undefined {
  try {
    const manifest = fileURLToPath(import.meta.resolve('better-sqlite3/package.json'));
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    // node-gyp writes this file beside the binary; a downloaded binary has none.
    return { version, isCompiledHere: existsSync(join(dirname(manifest), 'build/config.gypi')) };
  } catch {
    return undefined;
  }
}

/** The reason why this driver would crash this program, and the version to install; undefined if driver and program fit. */
export function incompatibleDriver(driver: InstalledDriver, versions: RuntimeVersions): string | undefined {
  if (versions['bun'] !== undefined) return undefined;
  const [node = 0, minor = 0] = (versions['node'] ?? '').split('.').map(Number);
  const major = Number.parseInt(driver.version, 10);
  // Version 13 uses version 10 of Node's own binary interface, and does not check it.
  if (major >= 13 && Number(versions['napi']) < 10)
    return `better-sqlite3 ${driver.version} crashes on Node ${versions['node']}: it needs Node 22.14 or later. Run: npm install better-sqlite3@12`;
  if (major <= 12 && driver.isCompiledHere && (node > 24 || (node === 24 && minor >= 19)))
    return `better-sqlite3 ${driver.version}, compiled on this machine, crashes on Node ${versions['node']}. Run: npm install better-sqlite3@13`;
  return undefined;
}

/** @throws StorageError with both versions and the solution */
export function assertDriverFits(): void {
  const driver = installedDriver();
  const fault = driver === undefined ? undefined : incompatibleDriver(driver, process.versions);
  if (fault !== undefined) throw new StorageError('other', fault);
}
