// Finds the packages that a module loads when it is imported, measured in a separate process. Called by the guard of light
// imports. Detects ES modules through a resolve hook and CommonJS modules through require's cache, at any depth.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './sources.ts';

// Node before 22.15 has only asynchronous hooks; in later versions, they do not see the modules that tsx resolves.
// The list is a file, since a full pipe would refuse a synchronous write.
const hook = `import { appendFileSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  appendFileSync(process.env.LOADED_PACKAGES_LIST, found.url + '\\n');
  return found;
}`;

const script = `import { appendFileSync } from 'node:fs';
import * as modules from 'node:module';
const note = (location) => appendFileSync(process.env.LOADED_PACKAGES_LIST, location + '\\n');
if (modules.registerHooks) {
  modules.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      note(found.url);
      return found;
    },
  });
} else {
  modules.register('data:text/javascript,' + encodeURIComponent(process.env.LOADED_PACKAGES_HOOK));
}
await import(process.env.LOADED_PACKAGES_ENTRY);
for (const path of Object.keys(modules.createRequire(import.meta.url).cache)) note(path);
note('import ended');
process.exit(0);`;

/** The names of the packages that importing `entry` (a file URL) loads, sorted. Throws if the import fails. */
export function loadedPackages(entry: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-loaded-'));
  try {
    const list = join(folder, 'list');
    const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
      env: {
        ...process.env,
        LOADED_PACKAGES_HOOK: hook,
        LOADED_PACKAGES_ENTRY: entry,
        LOADED_PACKAGES_LIST: list,
      },
    });
    const locations = readFileSync(list, { encoding: 'utf8', flag: 'a+' }).trimEnd().split('\n');
    if (locations.at(-1) !== 'import ended') throw new Error(`Importing ${entry} failed:\n${child.stderr}`);
    return packagesAt(locations);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packagesAt(locations: readonly string[]): string[] {
  const names = locations.flatMap((location) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(location.replaceAll('\\', '/')) ?? [];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}
