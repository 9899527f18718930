import { defineCliCommand } from '../command.ts';

export const openapi = defineCliCommand({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  description:
    'Uses the plugins of the config, or the standard ones without a config. Needs no server and no database.',
  examples: [
    ['postrider openapi > openapi.json', 'saves the document for a code generator'],
    ['postrider openapi --pretty | less', 'shows it page by page'],
  ],
  arguments: { pretty: { type: 'boolean', description: 'Indent it' } },

  async run({ project, print }, { pretty }) {
    const document = (await project.declared()).openapi();
    print(JSON.stringify(document, null, pretty ? 2 : undefined));
    return document;
  },
});

export const asyncapi = defineCliCommand({
  name: 'asyncapi',
  summary: 'Print the AsyncAPI 3.0 document of the events',
  description:
    'Uses the plugins of the config, or the standard ones without a config. Needs no server and no database.',
  examples: [['postrider asyncapi > asyncapi.json', 'saves the document for a code generator']],
  arguments: { pretty: { type: 'boolean', description: 'Indent it' } },

  async run({ project, print }, { pretty }) {
    const document = (await project.declared()).asyncapi();
    print(JSON.stringify(document, null, pretty ? 2 : undefined));
    return document;
  },
});
