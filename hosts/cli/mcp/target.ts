// The launcher's endpoint and key. They are read from options and the environment, and rejected with an explanation if unusable.
// The key is never repeated, not even in an error. Called by the commands mcp and mcp config, and by the other files
// of this folder.

import { CommandError } from '../../../core/command-line.ts';
import { parseUrl } from '../../../core/unstable.ts';

/** The default endpoint: a service in development on this machine. */
export const defaultUrl = 'http://127.0.0.1:3000/v1/mcp';

/** Names of environment variables. */
export const variables = { key: 'POSTRIDER_API_KEY', url: 'POSTRIDER_MCP_URL' } as const;

/** The options of a call about the endpoint. */
export interface EndpointChoice {
  readonly url: string | undefined;
  readonly toolsets: string | undefined;
  readonly readonly: boolean;
  readonly compact: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const usageError = (message: string): CommandError => new CommandError(message, { exitCode: 2 });

/** The endpoint's URL with the options in its query. @throws CommandError with exit code 2 */
export function readEndpoint({ url, toolsets, readonly, compact }: EndpointChoice, env: Environment): URL {
  const [text, source] = url === undefined ? [env[variables.url] || defaultUrl, variables.url] : [url, '--url'];
  const endpoint = parseUrl(text);
  if (endpoint === undefined || !/^https?:$/.test(endpoint.protocol)) {
    throw usageError(
      `${source} is not an http or https URL. Give the address of the MCP endpoint, such as ${defaultUrl}.`,
    );
  }
  if (endpoint.username !== '' || endpoint.password !== '')
    throw usageError(
      `${source} contains a user name or a password. Remove them: only the key in ${variables.key} is used.`,
    );
  endpoint.hash = '';
  if (toolsets !== undefined) endpoint.searchParams.set('toolsets', toolsets);
  if (readonly) endpoint.searchParams.set('readonly', '1');
  if (compact) endpoint.searchParams.set('templates', 'compact');
  // A comma needs no encoding here, and users read this URL.
  endpoint.search = endpoint.search.replaceAll('%2C', ',');
  return endpoint;
}

/** A well-formed key, trimmed, without characters that users often copy along with it. @throws CommandError with exit code 2 */
export function checkKey(input: string, source: string): string {
  const key = input.trim();
  const fault = (what: string) => usageError(`${source} ${what}. Give an API key of the service.`);
  if (key === '') throw fault('is not set');
  if (/^(\$|<|YOUR_)/i.test(key)) throw fault('is still a placeholder');
  if (/^bearer\s/i.test(key)) throw fault('begins with Bearer, which does not belong to a key');
  if (!/^[!-~]+$/.test(key)) throw fault('contains a character that no key has');
  return key;
}

/** The key in the environment. @throws CommandError with exit code 2 */
export const readKey = (env: Environment): string => checkKey(env[variables.key] ?? '', variables.key);

/** Whether the key would be sent unencrypted to another machine. */
export const isExposed = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
