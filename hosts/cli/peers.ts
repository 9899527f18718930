// The optional packages: the features that need them, and the command that installs them. This file only looks for the packages
// and never loads them. Called by doctor, and by the development service.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Service } from '../../core/index.ts';
import { installCommand } from './init/detect.ts';

/** An optional package. */
export interface OptionalPeer {
  readonly name: string;
  /** The name to resolve. Some packages have no entry point under their own name. */
  readonly entry: string;
}

const peer = (name: string, entry = name): OptionalPeer => ({ name, entry });

/** The packages for publishing a template. */
const templatePeers = [peer('mjml'), peer('juice'), peer('html-to-text')] as const;

/** The database driver of the development service, which `dev` uses if there is no config. */
export const developmentPeer = peer('better-sqlite3');

/** The packages for drawing and reading QR codes. */
const qrPeers = [peer('qrcode'), peer('sharp'), peer('zxing-wasm', 'zxing-wasm/reader')] as const;

/** The package that writes lead magnets as PDF. */
const pdfPeers = [peer('pdfkit')] as const;

/** The packages that the MCP endpoint needs. */
export const toolPeers = [
  peer('@modelcontextprotocol/sdk', '@modelcontextprotocol/sdk/types.js'),
  peer('@modelcontextprotocol/server'),
] as const;

/** A feature, and the packages that it needs. */
export interface Feature {
  readonly name: string;
  readonly peers: readonly OptionalPeer[];
}

/** The composed features that need packages; without a service, the features of the development service. */
export function featuresOf(service: Service | undefined): readonly Feature[] {
  const { operations, tools } = service?.core.registry ?? {};
  return [
    ...(operations?.has('templates.publish') === false ? [] : [{ name: 'publishing templates', peers: templatePeers }]),
    ...(operations?.has('qr.render') === false ? [] : [{ name: 'QR codes', peers: qrPeers }]),
    ...(operations?.has('lead_magnets.export') === false ? [] : [{ name: 'PDFs of lead magnets', peers: pdfPeers }]),
    ...(tools?.size === 0 ? [] : [{ name: 'the MCP endpoint', peers: toolPeers }]),
  ];
}

/** Whether postrider can resolve the package. */
export function isInstalled({ entry }: OptionalPeer): boolean {
  try {
    import.meta.resolve(entry);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether postrider is installed in the project. `npx` alone installs it elsewhere, where it does not find the project's packages.
 */
function hasPostrider(cwd: string): boolean {
  try {
    createRequire(join(cwd, 'package.json')).resolve('postrider/package.json');
    return true;
  } catch {
    return false;
  }
}

/**
 * The command that installs the missing packages into the project in `cwd`. It includes postrider if the project lacks it,
 * because postrider finds only packages that are installed together with it. Undefined if no package is missing.
 */
export function installLine(peers: readonly OptionalPeer[], cwd: string): string | undefined {
  const missing = peers.filter((peer) => !isInstalled(peer)).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  return [installCommand(cwd), ...(hasPostrider(cwd) ? [] : ['postrider']), ...missing].join(' ');
}
