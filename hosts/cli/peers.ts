// The optional packages: what does not work without them, and the command that installs them. This file only looks for
// them and never loads them. Called by doctor and dev.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installCommand } from './init/detect.ts';

/** An optional package. */
export interface OptionalPeer {
  readonly name: string;
  /** The name to resolve: some packages have no entry point under their own name. */
  readonly entry: string;
  /** What does not work without it. */
  readonly feature: string;
}

const peer = (name: string, feature: string, entry = name): OptionalPeer => ({ name, entry, feature });

/** The packages needed to publish a template. */
export const templatePeers = [
  peer('mjml', 'publishing templates in MJML'),
  peer('juice', 'publishing templates in HTML'),
  peer('html-to-text', 'deriving the text part when a template is published'),
] as const;

/** The packages needed to render QR codes. */
export const qrPeers = [
  peer('qrcode', 'rendering QR codes'),
  peer('sharp', 'rendering QR codes and pictures of posts'),
  peer('zxing-wasm', 'reading QR codes before they are answered', 'zxing-wasm/reader'),
] as const;

/** The packages needed by the tool endpoint. */
export const toolPeers = [
  peer('@modelcontextprotocol/sdk', 'the MCP endpoint', '@modelcontextprotocol/sdk/types.js'),
  peer('@modelcontextprotocol/server', 'the MCP endpoint'),
] as const;

/** The database driver of the development service, which `dev` uses where there is no config. */
export const developmentPeer = peer('better-sqlite3', 'SQLite');

/** The packages needed by other databases and by the shared stores. */
export const storagePeers = [
  peer('pg', 'PostgreSQL'),
  peer('mysql2', 'MariaDB and MySQL'),
  peer('ioredis', 'rate limits in Redis'),
] as const;

/** The packages of the composers that write with a model. The embedded composer needs none. */
export const composerPeers = [
  peer('ai', 'composing templates with the AI SDK'),
  peer('@anthropic-ai/sdk', 'composing templates with Claude'),
] as const;

/** Whether postrider can resolve it. */
export function isInstalled({ entry }: OptionalPeer): boolean {
  try {
    import.meta.resolve(entry);
    return true;
  } catch {
    return false;
  }
}

/** Whether the project has postrider itself. `npx` alone puts it elsewhere, where it finds none of the project's packages. */
function hasPostrider(cwd: string): boolean {
  try {
    createRequire(join(cwd, 'package.json')).resolve('postrider/package.json');
    return true;
  } catch {
    return false;
  }
}

/**
 * The command that installs the missing packages into the project in `cwd`, and postrider beside them where it is not
 * there: it finds only packages that are installed together with it. Undefined when none is missing.
 */
export function installLine(peers: readonly OptionalPeer[], cwd: string): string | undefined {
  const missing = peers.filter((found) => !isInstalled(found)).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  return [installCommand(cwd), ...(hasPostrider(cwd) ? [] : ['postrider']), ...missing].join(' ');
}
