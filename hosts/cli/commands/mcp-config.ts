import { CommandError } from '../../../core/index.ts';
import { defineCliCommand } from '../command.ts';
import { endpointArguments } from '../mcp/arguments.ts';
import type { ClientName } from '../mcp/snippets.ts';
import { clientNames, clients } from '../mcp/snippets.ts';
import { checkKey, isExposed, readEndpoint, variables } from '../mcp/target.ts';

export const mcpConfig = defineCliCommand({
  name: 'mcp config',
  summary: 'Print what an MCP client is to be told of the tool endpoint',
  description:
    'The lines of its configuration, or the command that writes them. The key is named and not written: by a variable of ' +
    `the environment (${variables.key}) where the client knows those, by a placeholder where it does not. --key writes it.`,
  examples: [
    ['postrider mcp config --client cursor', 'prints the lines for ~/.cursor/mcp.json'],
    ['postrider mcp config --client vscode --toolsets email,templates --readonly', 'connects it to less'],
    ['eval "$(postrider mcp config --client claude-code)"', 'tells Claude Code at once'],
  ],
  arguments: {
    client: { type: 'string', hint: 'CLIENT', required: true, choices: clientNames, description: 'Which client' },
    ...endpointArguments,
    key: { type: 'string', hint: 'KEY', description: 'Write this API key, instead of where to find it' },
    name: {
      type: 'string',
      hint: 'NAME',
      default: 'postrider',
      description: 'How the client calls the server',
    },
  },

  async run({ env, print, warn }, { client, key, name, ...choice }) {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(name)) {
      throw new CommandError('--name takes up to 60 letters, digits, - and _, a letter first.', { exitCode: 2 });
    }
    const endpoint = readEndpoint(choice, env);
    const { title, snippet } = clients[client as ClientName];
    const made = snippet({ name, url: endpoint.href, key: key === undefined ? undefined : checkKey(key, '--key') });
    warn(made.place === 'command' ? `${title}: run this.` : `${title}: put this into ${made.place}.`);
    print(made.text);
    warn(made.note);
    if (isExposed(endpoint)) warn('The key would travel in the clear to this host. Use https.');
    return { client, ...made };
  },
});
