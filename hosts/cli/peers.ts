// The packages that a user may leave out, and what cannot be done without them. Only looked for, never loaded.
// Called by doctor and dev.

/** A package that only some need. */
export interface OptionalPeer {
  readonly name: string;
  /** What to resolve: some packages have no entry of their own name. */
  readonly entry: string;
  /** What does not work without it. */
  readonly feature: string;
}

const peer = (name: string, feature: string, entry = name): OptionalPeer => ({ name, entry, feature });

/** What publishing a template needs. */
export const templatePeers = [
  peer('mjml', 'publishing templates in MJML'),
  peer('juice', 'publishing templates in HTML'),
  peer('html-to-text', 'deriving the text part when a template is published'),
] as const;

/** What the tool endpoint needs. */
export const toolPeers = [
  peer('@modelcontextprotocol/sdk', 'the MCP endpoint', '@modelcontextprotocol/sdk/types.js'),
  peer('@modelcontextprotocol/server', 'the MCP endpoint'),
] as const;

/** What the databases and the shared stores need. */
export const storagePeers = [
  peer('better-sqlite3', 'SQLite'),
  peer('pg', 'PostgreSQL'),
  peer('mysql2', 'MariaDB and MySQL'),
  peer('ioredis', 'rate limits in Redis'),
] as const;

/** Whether postrider would find it. */
export function isInstalled({ entry }: OptionalPeer): boolean {
  try {
    import.meta.resolve(entry);
    return true;
  } catch {
    return false;
  }
}

/** The npm line for those that are missing; undefined when none is. */
export function installLine(peers: readonly OptionalPeer[]): string | undefined {
  const missing = peers.filter((found) => !isInstalled(found)).map(({ name }) => name);
  return missing.length === 0 ? undefined : `npm install ${missing.join(' ')}`;
}
