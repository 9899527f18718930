// What each MCP client is to be told, in the client's own format, with its own way to name a secret. Over HTTP where the
// client sends headers, through `postrider mcp` on stdio where it does not. Pure; called by commands/mcp-config.ts.
import { variables } from './target.ts';

/** What a snippet is about. */
export interface SnippetOptions {
  /** How the client calls the server. */
  readonly name: string;
  /** With the options in its query. */
  readonly url: string;
  /** The secret itself, where somebody asked for it to be written. */
  readonly key: string | undefined;
}

/** What is to be done in a client. */
export interface Snippet {
  readonly transport: 'http' | 'stdio';
  /** The file that it belongs into, or `command` for what is run in a shell. */
  readonly place: string;
  readonly format: 'json' | 'toml' | 'shell';
  readonly text: string;
  /** What to do beside it. */
  readonly note: string;
}

/** A client that we know. */
interface KnownClient {
  readonly title: string;
  snippet(info: SnippetOptions): Snippet;
}

const placeholder = 'YOUR_API_KEY';
const inEnvironment = `Set ${variables.key} in the environment that the client starts in.`;
const inPlace = `Put an API key in place of ${placeholder}.`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });
/** A text as a shell takes it word for word. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const done = (key: string | undefined, otherwise: string): string =>
  key === undefined ? otherwise : 'The key stands in it: keep it out of version control.';

export const clients = {
  'claude-code': {
    title: 'Claude Code',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: 'command',
      format: 'shell',
      // The name of the variable goes into .mcp.json, and its value stays out; a key itself stays on this machine.
      text: `claude mcp add --transport http --scope ${key === undefined ? 'project' : 'local'} ${name} ${quoted(url)} --header ${quoted(`Authorization: Bearer ${key ?? `\${${variables.key}}`}`)}`,
      note: done(key, inEnvironment),
    }),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    snippet: ({ name, url, key }) => ({
      transport: 'stdio',
      place:
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
      note: `${done(key, inPlace)} Then quit Claude Desktop and start it again.`,
    }),
  },
  codex: {
    title: 'Codex',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: '~/.codex/config.toml',
      format: 'toml',
      text: [
        `[mcp_servers.${name}]`,
        `url = ${JSON.stringify(url)}`,
        key === undefined
          ? `bearer_token_env_var = "${variables.key}"`
          : `http_headers = { Authorization = ${JSON.stringify(`Bearer ${key}`)} }`,
      ].join('\n'),
      note: done(key, inEnvironment),
    }),
  },
  cursor: {
    title: 'Cursor',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: '~/.cursor/mcp.json, or .cursor/mcp.json in a project',
      format: 'json',
      text: json({ mcpServers: { [name]: { url, headers: bearer(key ?? `\${env:${variables.key}}`) } } }),
      note: done(key, inEnvironment),
    }),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: '~/.gemini/settings.json, or .gemini/settings.json in a project',
      format: 'json',
      text: json({ mcpServers: { [name]: { httpUrl: url, headers: bearer(key ?? `$${variables.key}`) } } }),
      note: done(key, inEnvironment),
    }),
  },
  vscode: {
    title: 'VS Code',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: '.vscode/mcp.json in a project, or the one that “MCP: Open User Configuration” opens',
      format: 'json',
      text: json({
        ...(key === undefined
          ? { inputs: [{ type: 'promptString', id: `${name}-api-key`, description: 'API key', password: true }] }
          : {}),
        servers: { [name]: { type: 'http', url, headers: bearer(key ?? `\${input:${name}-api-key}`) } },
      }),
      note: done(key, 'VS Code asks for the key once and keeps it.'),
    }),
  },
  windsurf: {
    title: 'Windsurf',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: '~/.codeium/windsurf/mcp_config.json',
      format: 'json',
      text: json({ mcpServers: { [name]: { serverUrl: url, headers: bearer(key ?? `\${env:${variables.key}}`) } } }),
      note: done(key, inEnvironment),
    }),
  },
  zed: {
    title: 'Zed',
    snippet: ({ name, url, key }) => ({
      transport: 'http',
      place: '~/.config/zed/settings.json',
      format: 'json',
      text: json({ context_servers: { [name]: { url, headers: bearer(key ?? placeholder) } } }),
      note: done(key, inPlace),
    }),
  },
} as const satisfies Readonly<Record<string, KnownClient>>;

/** The name of a client that we know. */
export type ClientName = keyof typeof clients;

/** All of them. */
export const clientNames = Object.keys(clients) as readonly ClientName[];
