// Loads the MCP SDKs at the first use. No other file of this package imports them, and importing this file loads
// neither. Their schemas decide which messages are valid; the endpoint writes the answers as bytes.

import { loadOptional, missingPackageMessage } from '../contract/errors/missing-package.ts';

/** Clients of both lines use one endpoint, so it needs both SDKs. */
const sdkPackages = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server'];

/** The maintained first line: messages and revisions up to 2025-11-25. */
export type LegacySdk = typeof import('@modelcontextprotocol/sdk/types.js');

/** The second line: revision 2026-07-28. */
export type ModernSdk = typeof import('@modelcontextprotocol/server');

/** The source of the SDKs; tests of a missing peer dependency pass their own. */
export interface SdkLoader {
  legacy(): Promise<LegacySdk>;
  modern(): Promise<ModernSdk>;
}

/** Thrown if a peer dependency of the MCP endpoint is not installed. */
export class MissingSdkError extends Error {
  constructor(name: string, cause: unknown) {
    super(missingPackageMessage(name, 'which the MCP endpoint needs', sdkPackages), { cause });
    this.name = 'MissingSdkError';
  }
}

const load = <T>(name: string, sdk: () => Promise<T>): Promise<T> =>
  loadOptional(sdk, (cause) => new MissingSdkError(name, cause));

/** The installed SDKs. */
export const installedSdks: SdkLoader = {
  legacy: () => load('@modelcontextprotocol/sdk', () => import('@modelcontextprotocol/sdk/types.js')),
  modern: () => load('@modelcontextprotocol/server', () => import('@modelcontextprotocol/server')),
};

/** Caches loaded SDKs; a failed load is retried. */
export function rememberSdks(loader: SdkLoader): SdkLoader {
  const remember = <T>(work: () => Promise<T>): (() => Promise<T>) => {
    let loaded: Promise<T> | undefined;
    return () => {
      loaded ??= work().catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
      return loaded;
    };
  };
  return { legacy: remember(() => loader.legacy()), modern: remember(() => loader.modern()) };
}
