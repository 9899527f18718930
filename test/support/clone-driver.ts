// Installs a version of better-sqlite3 that works with the Node.js version of this clone: the lock file names one version, and no version
// works with every Node.js version. npm runs this after `npm install` and `npm ci` (postprepare). It does nothing if the locked version
// works.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The last version for Node 20 and for 22 before 22.14. npm compiles it if there is no binary to download. */
const forOldNode = '12.11.1';

const { version } = JSON.parse(readFileSync('node_modules/better-sqlite3/package.json', 'utf8')) as { version: string };
if (Number(process.versions.napi) < 10 && version !== forOldNode) {
  console.log(
    `Node ${process.versions.node} needs better-sqlite3 12: installing it, which takes a few minutes if it must be compiled.`,
  );
  const args = ['install', '--no-save', '--no-audit', '--no-fund', `better-sqlite3@${forOldNode}`];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
}
