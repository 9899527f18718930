import { CommandError } from '../../../core/command-line.ts';
import { defineCliCommand } from '../command.ts';
import { endpointArguments } from '../mcp/arguments.ts';
import { type ClientName, clientNames, clients } from '../mcp/snippets.ts';
import { checkKey, isExposed, readEndpoint, variables } from '../mcp/target.ts';

export const mcpConfig = defineCliCommand({
  name: 'mcp config',
  summary: 'Print the configuration for an MCP client',
  description:
    'Prints the lines of its configuration, or a command that writes them. The API key is replaced by ' +
    `the environment variable ${variables.key}, or a placeholder if the client reads no variables. --key writes the key itself.`,
  examples: [
    ['postrider mcp config --client cursor', 'prints the lines for ~/.cursor/mcp.json'],
    ['postrider mcp config --client vscode --toolsets email,templates --readonly', 'offers fewer tools'],
    ['eval "$(postrider mcp config --client claude-code)"', 'configures Claude Code at once'],
  ],
  arguments: {
    client: { type: 'string', hint: 'CLIENT', required: true, choices: clientNames, description: 'The client' },
    ...endpointArguments,
    key: { type: 'string', hint: 'KEY', description: 'Write this API key into the configuration' },
    name: {
      type: 'string',
      hint: 'NAME',
      default: 'postrider',
      description: 'The name of the server in the client',
    },
  },

  async run({ env, print, warn }, { client, key, name, ...choice }) {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(name)) {
      throw new CommandError('--name must begin with a letter and have at most 60 letters, digits, - and _.', {
        exitCode: 2,
      });
    }
    const endpoint = readEndpoint(choice, env);
    const { title, snippet } = clients[client as ClientName];
    const configuration = snippet({
      name,
      url: endpoint.href,
      key: key === undefined ? undefined : checkKey(key, '--key'),
    });
    warn(
      configuration.location === 'command'
        ? `${title}: run this.`
        : `${title}: put this into ${configuration.location}.`,
    );
    print(configuration.text);
    warn(configuration.note);
    if (!endpoint.pathname.endsWith('/v1/mcp'))
      warn('The URL does not end in /v1/mcp. The MCP endpoint is there, below the path where the service is mounted.');
    if (isExposed(endpoint)) warn('The key would be sent to this host unencrypted. Use https.');
    return { client, ...configuration };
  },
});
