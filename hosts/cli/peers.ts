// The optional packages, and what does not work without them. This file only looks for them and never loads them.
// Called by doctor and dev.

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

/** The packages needed by the tool endpoint. */
export const toolPeers = [
  peer('@modelcontextprotocol/sdk', 'the MCP endpoint', '@modelcontextprotocol/sdk/types.js'),
  peer('@modelcontextprotocol/server', 'the MCP endpoint'),
] as const;

/** The packages needed by the databases and the shared stores. */
export const storagePeers = [
  peer('better-sqlite3', 'SQLite'),
  peer('pg', 'PostgreSQL'),
  peer('mysql2', 'MariaDB and MySQL'),
  peer('ioredis', 'rate limits in Redis'),
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

/** The npm command that installs the missing packages; undefined when none is missing. */
export function installLine(peers: readonly OptionalPeer[]): string | undefined {
  const missing = peers.filter((found) => !isInstalled(found)).map(({ name }) => name);
  return missing.length === 0 ? undefined : `npm install ${missing.join(' ')}`;
}
