import { CommandError, release } from '../../../core/command-line.ts';
import { defineCliCommand } from '../command.ts';
import { endpointArguments } from '../mcp/arguments.ts';
import { isExposed, readEndpoint, readKey, variables } from '../mcp/target.ts';

const defaultTimeLimit = 300;
/** The maximum time limit, in seconds. */
const maxTimeLimit = 86_400;

function readTimeLimit(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds <= maxTimeLimit) return seconds;
  throw new CommandError(`--timeout takes seconds, more than 0 and up to ${maxTimeLimit}, not ${text}.`, {
    exitCode: 2,
  });
}

export const mcp = defineCliCommand({
  name: 'mcp',
  summary: 'Connect an MCP client on stdio to the MCP endpoint',
  description:
    `For MCP clients that start a program instead of connecting to a server. Reads the API key from ${variables.key}, never from ` +
    'an option, which other users of the machine could see. Messages go over stdin and stdout, everything else to stderr. ' +
    'postrider mcp config prints the configuration for a client.',
  examples: [
    ['postrider mcp', `connects to the endpoint on this machine, or at ${variables.url}`],
    [
      'postrider mcp --url https://app.example.com/messaging/v1/mcp --readonly',
      'offers only tools that change nothing',
    ],
  ],
  arguments: {
    ...endpointArguments,
    timeout: {
      type: 'string',
      hint: 'SECONDS',
      default: String(defaultTimeLimit),
      description: 'How long one call may take, in seconds',
    },
  },

  async run({ env, globals, signal, terminal, warn }, { timeout, ...choice }) {
    if (globals.json) {
      throw new CommandError('postrider mcp prints JSON-RPC only. Leave out --json.', {
        exitCode: 2,
      });
    }
    const endpoint = readEndpoint(choice, env);
    const target = {
      endpoint,
      key: readKey(env),
      userAgent: `postrider-mcp/${release}`,
      timeLimit: readTimeLimit(timeout),
    };
    const log = (line: string) => warn(`postrider mcp: ${line}`);
    log(`serving ${endpoint.href}`);
    if (isExposed(endpoint)) log('the key is sent to this host unencrypted. Use https.');
    if (process.stdin.isTTY) log('waiting for messages on stdin, which an MCP client writes. Ctrl-D ends it.');
    const { runBridge } = await import('../mcp/bridge.ts');
    await runBridge(target, { input: process.stdin, write: terminal.out.write, log, signal });
    return undefined;
  },
});
