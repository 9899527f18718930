// The areas of the source tree, and which of our files each may import. Called by layers.ts. A folder that is not named here is
// refused, so a change that adds a folder must name its area here.
import { posix } from 'node:path';

/** The area of a file. `owner` is the plugin, the host, or the port and vendor (`mail/smtp`) that it belongs to. */
export interface SourceArea {
  name:
    | 'contract'
    | 'internal'
    | 'core-index'
    | 'testing'
    | 'plugin'
    | 'plugin-kit'
    | 'plugin-index'
    | 'receiver'
    | 'browser'
    | 'page-browser'
    | 'adapter-kit'
    | 'adapter'
    | 'host'
    | 'outside'
    | 'unknown';
  owner: string;
}

const internalFolders = [
  'kernel',
  'pipeline',
  'projections',
  'mcp',
  'storage',
  'telemetry',
  'jobs',
  'webhooks',
  'outgoing',
  'resources',
  'pages',
  'threads',
  'pictures',
  'keyring',
  'limits',
];

/** The area of a path. Examples and tests are outside all areas: they may import anything. */
export function areaOf(path: string): SourceArea {
  const [top = '', second = '', ...deeper] = path.split('/');
  const area = (name: SourceArea['name'], owner = ''): SourceArea => ({ name, owner });
  if (top === 'core') {
    if (['index.ts', 'unstable.ts', 'command-line.ts'].includes(second)) return area('core-index');
    if (second === 'contract') return area('contract');
    if (second === 'pages' && deeper.length > 1 && deeper[0] === 'browser') return area('page-browser');
    return internalFolders.includes(second) ? area('internal', second) : area('unknown');
  }
  if (top === 'plugins') {
    if (deeper.length > 1 && deeper[0] === 'browser') return area('browser', second);
    if (second === 'kit' && deeper.length > 0) return area('plugin-kit');
    if (deeper.length > 0) return area('plugin', second);
    if (second === 'webhook-receiver.ts') return area('receiver');
    return second === 'index.ts' ? area('plugin-index') : area('unknown');
  }
  if (top === 'adapters') {
    if (second === 'kit.ts' || (second === 'kit' && deeper.length > 0)) return area('adapter-kit');
    const [file = ''] = deeper;
    return deeper.length === 1 ? area('adapter', `${second}/${vendorOf(file)}`) : area('unknown');
  }
  if (top === 'hosts' && second === 'testing') return area('testing');
  if (top === 'hosts') return deeper.length > 0 ? area('host', second) : area('unknown');
  return area('outside');
}

/** `smtp` for `smtp.ts` and `smtp-session.ts`: if a vendor's file is divided, the parts have its name as a prefix. */
export function vendorOf(path: string): string {
  return posix.basename(path, '.ts').split('-', 1).join('');
}

/** The files of ours that each area may import, as the end of a fault's sentence. */
export const allowedImports: Record<Exclude<SourceArea['name'], 'outside' | 'unknown'>, string> = {
  contract: 'core/contract imports nothing of ours but core/contract',
  internal: "the core's inner folders import core/contract and each other, and nothing above them",
  'core-index':
    "core/index.ts, core/unstable.ts and core/command-line.ts import the core's folders, and nothing outside the core",
  testing: 'hosts/testing imports the core, adapters and plugins',
  plugin:
    "a plugin imports plugins/kit, core/index.ts and core/unstable.ts (what its threads load: core/contract/errors/missing-package.ts, shorten.ts and core/pages/html-body-bounds.ts), its own files, adapters of the port that it brings, and types of other plugins' index, events, service and port",
  browser:
    "what a plugin bundles for browsers imports its own files, core/pages/browser, and types of its plugin's others",
  'page-browser': 'core/pages/browser imports nothing of ours but its own files',
  'plugin-kit': 'plugins/kit imports core/index.ts, core/unstable.ts and its own files',
  'plugin-index': 'plugins/index.ts imports core/index.ts and the index of each plugin',
  receiver: "plugins/webhook-receiver.ts imports core/webhooks/verify.ts, and types of plugins' events",
  'adapter-kit':
    'adapters/kit imports ports (core/contract/ports, plugins/*/port), core/contract/errors/errors.ts, check-options.ts, limit-rule.ts, missing-package.ts, parse-url.ts, text-links.ts and shorten.ts, core/outgoing/interim-responses.ts and core/pictures/picture-pool.ts',
  adapter:
    "an adapter imports ports (core/contract/ports, plugins/*/port), core/contract/errors/errors.ts, check-options.ts, limit-rule.ts, missing-package.ts, parse-url.ts, text-links.ts and shorten.ts, core/outgoing/interim-responses.ts, core/pictures/picture-pool.ts, adapters/kit and its vendor's own siblings",
  host: 'a host imports core/index.ts, core/unstable.ts, hosts/node and its own files; the command line imports core/command-line.ts, plugins and adapters, too',
};

/** Built-in implementations of the core that adapters re-export under the names of their port. */
const embeddedFiles: ReadonlySet<string> = new Set([
  'core/keyring/local-keyring.ts',
  'core/keyring/local-secret.ts',
  'core/limits/memory-limits.ts',
]);

/** A program's Kysely instance may use these databases: their files without an SDK define the translation. */
const throughKysely = /^adapters\/storage\/(postgres|mysql)-[\w-]+\.ts$/;

/** The capture adapter has the rules of every channel: data from the other vendors' adapters. */
const channelRules = /^adapters\/social\/[a-z]+-rules\.ts$/;

/** Adapters of a plugin's own port that the plugin loads when they are first used. */
const ownAdapters: Readonly<Record<string, string>> = { email: 'adapters/mail/' };

/** The port that a plugin defines and that its adapters implement. */
const pluginPort = /^plugins\/[^/]+\/port\/index\.ts$/;

/** The files of the core that adapters use in addition to ports. */
const sharedContract: ReadonlySet<string> = new Set([
  'core/pictures/picture-pool.ts',
  'core/outgoing/interim-responses.ts',
  'core/contract/errors/errors.ts',
  'core/contract/values/limit-rule.ts',
  'core/contract/errors/check-options.ts',
  'core/contract/errors/missing-package.ts',
  'core/contract/values/parse-url.ts',
  'core/contract/values/text-links.ts',
  'core/contract/values/shorten.ts',
]);

/** Files without imports, for code in worker threads, where core/unstable.ts would load the whole core. */
const forThreads: ReadonlySet<string> = new Set([
  'core/contract/errors/missing-package.ts',
  'core/contract/values/shorten.ts',
  'core/pages/html-body-bounds.ts',
]);

/** True if a file in the area `from` may import our file `path`. */
export function mayImport(from: SourceArea, path: string, typeOnly: boolean): boolean {
  const to = areaOf(path);
  const isPort = path.startsWith('core/contract/ports/') || sharedContract.has(path) || pluginPort.test(path);
  switch (from.name) {
    case 'contract':
      return to.name === 'contract';
    case 'internal':
    case 'core-index':
      return to.name === 'contract' || to.name === 'internal';
    case 'testing':
      return to.name !== 'host' && to.name !== 'outside' && to.name !== 'unknown';
    case 'plugin-kit':
      return to.name === 'core-index' || to.name === 'plugin-kit';
    case 'plugin':
      if (to.name === 'plugin' && to.owner !== from.owner) {
        return typeOnly && /^plugins\/[^/]+\/(index|events|service|port\/index)\.ts$/.test(path);
      }
      if (to.name === 'adapter') return path.startsWith(ownAdapters[from.owner] ?? 'none');
      return to.name === 'core-index' || to.name === 'plugin' || to.name === 'plugin-kit' || forThreads.has(path);
    case 'page-browser':
      return to.name === 'page-browser';
    case 'browser':
      if (to.name === 'page-browser') return true;
      return to.owner === from.owner && (to.name === 'browser' || (to.name === 'plugin' && typeOnly));
    case 'plugin-index':
      return to.name === 'core-index' || /^plugins\/[^/]+\/index\.ts$/.test(path);
    case 'receiver':
      return path === 'core/webhooks/verify.ts' || (typeOnly && /^plugins\/[^/]+\/events\.ts$/.test(path));
    case 'adapter-kit':
    case 'adapter':
      if (from.owner === 'storage/kysely' && throughKysely.test(path)) return true;
      if (from.owner === 'social/capture' && channelRules.test(path)) return true;
      return (
        isPort ||
        embeddedFiles.has(path) ||
        to.name === 'adapter-kit' ||
        (to.name === 'adapter' && to.owner === from.owner)
      );
    case 'host':
      if (to.name === 'core-index' || (to.name === 'host' && (to.owner === from.owner || to.owner === 'node')))
        return true;
      // The command line composes its own service for development.
      return from.owner === 'cli' && (to.name === 'adapter' || /^plugins\/([^/]+\/)?index\.ts$/.test(path));
    default:
      return true;
  }
}

/** True if `target` is an index in a folder above `path`. Internal files must never import one. */
export function isIndexAbove(path: string, target: string): boolean {
  if (posix.basename(target) !== 'index.ts' || path === target) return false;
  return `${posix.dirname(path)}/`.startsWith(`${posix.dirname(target)}/`);
}
