// The configuration of each MCP client, in the client's own format and with its own way to name a secret. Uses HTTP if the client
// can send headers, otherwise `postrider mcp` on stdio. Pure; called by commands/mcp-config.ts.
import { variables } from './target.ts';

/** The values of a snippet. */
export interface SnippetOptions {
  /** The server's name in the client. */
  readonly name: string;
  /** The URL with the options in its query. */
  readonly url: string;
  /** The secret itself, if the user passed it with --key. */
  readonly key: string | undefined;
}

/** The steps of the user in a client. */
export interface Snippet {
  readonly transport: 'http' | 'stdio';
  /** The file to which the text is added, or `command` for text that is run in a shell. */
  readonly location: string;
  readonly format: 'json' | 'toml' | 'shell';
  readonly text: string;
  /** Further steps. */
  readonly note: string;
}

/** A known client. */
interface KnownClient {
  readonly title: string;
  snippet(info: SnippetOptions): Snippet;
}

const placeholder = 'YOUR_API_KEY';
const environmentNote = `Set ${variables.key} in the environment that the client starts in.`;
const placeholderNote = `Put an API key in place of ${placeholder}.`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
/** A text quoted for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const keyNote = (key: string | undefined, noteWithoutKey: string): string =>
  key === undefined ? noteWithoutKey : 'The file contains the key: keep it out of version control.';

export const clients = {
  'claude-code': {
    title: 'Claude Code',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: 'command',
      format: 'shell',
      // .mcp.json contains the name of the variable, not its value. A literal key is stored in this machine's own scope.
      text: `claude mcp add --transport http --scope ${key === undefined ? 'project' : 'local'} ${name} ${quoted(url)} --header ${quoted(`Authorization: Bearer ${key ?? `\${${variables.key}}`}`)}`,
      note: keyNote(key, environmentNote),
    }),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    snippet: ({ name, url, key }) => ({
      transport: 'stdio',
      location:
        '~/Library/Application Support/Claude/claude_desktop_config.json (Windows: %APPDATA%\\Claude\\claude_desktop_config.json)',
      format: 'json',
      text: json({
        mcpServers: {
          [name]: {
            command: 'npx',
            args: ['-y', 'postrider', 'mcp', '--url', url],
            env: { [variables.key]: key ?? placeholder },
          },
        },
      }),
      note: `${keyNote(key, placeholderNote)} Then quit Claude Desktop and start it again.`,
    }),
  },
  codex: {
    title: 'Codex',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: '~/.codex/config.toml',
      format: 'toml',
      text: [
        `[mcp_servers.${name}]`,
        `url = ${JSON.stringify(url)}`,
        key === undefined
          ? `bearer_token_env_var = "${variables.key}"`
          : `http_headers = { Authorization = ${JSON.stringify(`Bearer ${key}`)} }`,
      ].join('\n'),
      note: keyNote(key, environmentNote),
    }),
  },
  cursor: {
    title: 'Cursor',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
      format: 'json',
      text: json({ mcpServers: { [name]: { url, headers: bearer(key ?? `\${env:${variables.key}}`) } } }),
      note: keyNote(key, environmentNote),
    }),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: '~/.gemini/settings.json, or .gemini/settings.json in a project',
      format: 'json',
      text: json({ mcpServers: { [name]: { httpUrl: url, headers: bearer(key ?? `$${variables.key}`) } } }),
      note: keyNote(key, environmentNote),
    }),
  },
  vscode: {
    title: 'VS Code',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: '.vscode/mcp.json in a project, or the one that “MCP: Open User Configuration” opens',
      format: 'json',
      text: json({
        ...(key === undefined
          ? { inputs: [{ type: 'promptString', id: `${name}-api-key`, description: 'API key', password: true }] }
          : {}),
        servers: { [name]: { type: 'http', url, headers: bearer(key ?? `\${input:${name}-api-key}`) } },
      }),
      note: keyNote(key, 'VS Code asks for the key once and keeps it.'),
    }),
  },
  windsurf: {
    title: 'Windsurf',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: '~/.codeium/windsurf/mcp_config.json',
      format: 'json',
      text: json({ mcpServers: { [name]: { serverUrl: url, headers: bearer(key ?? `\${env:${variables.key}}`) } } }),
      note: keyNote(key, environmentNote),
    }),
  },
  zed: {
    title: 'Zed',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      location: '~/.config/zed/settings.json',
      format: 'json',
      text: json({ context_servers: { [name]: { url, headers: bearer(key ?? placeholder) } } }),
      note: keyNote(key, placeholderNote),
    }),
  },
} as const satisfies Readonly<Record<string, KnownClient>>;

/** The name of a known client. */
export type ClientName = keyof typeof clients;

export const clientNames = Object.keys(clients) as readonly ClientName[];
