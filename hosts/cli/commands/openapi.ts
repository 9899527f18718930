import { defineCliCommand } from '../command.ts';

export const openapi = defineCliCommand({
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  description:
    "Of the config's plugins, or of the standard ones without a config. Neither a server nor the database is needed.",
  examples: [
    ['postrider openapi > openapi.json', 'keeps the document for a code generator'],
    ['postrider openapi --pretty | less', 'reads it'],
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
    "Of the config's plugins, or of the standard ones without a config. Neither a server nor the database is needed.",
  examples: [['postrider asyncapi > asyncapi.json', 'keeps the document for a generator of receivers']],
  arguments: { pretty: { type: 'boolean', description: 'Indent it' } },

  async run({ project, print }, { pretty }) {
    const document = (await project.declared()).asyncapi();
    print(JSON.stringify(document, null, pretty ? 2 : undefined));
    return document;
  },
});
