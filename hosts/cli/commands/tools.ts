import { defineCliCommand } from '../command.ts';

export const tools = defineCliCommand({
  name: 'tools',
  summary: 'Print the tools of the MCP endpoint',
  description:
    'Prints the result of tools/list with ?schemas=full for a key with every scope, before a workspace adds its templates. ' +
    'Uses the plugins of the config, or the standard ones without a config. Needs no server and no database.',
  examples: [['postrider tools --pretty', 'shows the name, description and schemas of each tool']],
  arguments: { pretty: { type: 'boolean', description: 'Indent it' } },

  async run({ project, print }, { pretty }) {
    const list = (await project.declared()).tools();
    print(JSON.stringify(list, null, pretty ? 2 : undefined));
    return list;
  },
});
