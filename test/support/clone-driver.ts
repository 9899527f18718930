// Gives a clone the better-sqlite3 that its Node can load: the lock file holds one version, and none runs on all. npm
// runs it after `npm install` and `npm ci` (postprepare). Does nothing where the version of the lock file fits.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The last one for Node 20 and for 22 before 22.14, which is compiled where no binary can be downloaded. */
const forOldNode = '12.11.1';

const { version } = JSON.parse(readFileSync('node_modules/better-sqlite3/package.json', 'utf8')) as { version: string };
if (Number(process.versions.napi) < 10 && version !== forOldNode) {
  console.log(
    `Node ${process.versions.node} needs better-sqlite3 12: installing it, in a few minutes where it is compiled.`,
  );
  const args = ['install', '--no-save', '--no-audit', '--no-fund', `better-sqlite3@${forOldNode}`];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
}
