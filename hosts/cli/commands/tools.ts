import { defineCliCommand } from '../command.ts';

export const tools = defineCliCommand({
  name: 'tools',
  summary: 'Print the tools of the MCP endpoint',
  description:
    'The result of tools/list as a key with every scope gets it, before a workspace narrows it to its templates. ' +
    "Of the config's plugins, or of the standard ones without a config. Neither a server nor the database is needed.",
  examples: [['postrider tools --pretty', 'shows the name, description and schema of each tool']],
  arguments: { pretty: { type: 'boolean', description: 'Indent it' } },

  async run({ project, print }, { pretty }) {
    const list = (await project.declared()).tools();
    print(JSON.stringify(list, null, pretty ? 2 : undefined));
    return list;
  },
});
