// templates preview: shows the files in a browser, rendered again at every change. Needs no running service and
// no database, and shows the result that publishing and sending would give.
import { resolve } from 'node:path';
import { CommandError, defineCommand } from '../../../core/index.ts';
import { folderArgument } from './arguments.ts';

export const previewTemplates = defineCommand({
  name: 'templates preview',
  summary: 'Preview template files in a browser, updated at every change',
  description:
    'Shows each mail on desktop and phone, in dark mode and as text, in every language, filled with the examples of its contract. Needs the files only.',
  examples: [
    ['postrider templates preview', 'shows templates/ on a free port and prints the address'],
    ['postrider templates preview --dir mails --port 4000', 'shows another folder, on a port of your choice'],
  ],
  arguments: {
    dir: folderArgument,
    port: {
      type: 'string',
      default: '0',
      hint: 'PORT',
      description: 'The port on 127.0.0.1; 0 is any free one',
    },
  },

  async run(context, { dir, port }) {
    const portNumber = Number(port);
    if (!Number.isInteger(portNumber) || portNumber < 0 || portNumber > 65_535)
      throw new CommandError(`--port must be a port, 0 to 65535, not ${port}.`, { exitCode: 2 });
    const { startPreviewServer } = await import('../folder/preview-server.ts');
    const { readTemplateFolder } = await import('../folder/read-folder.ts');
    const { watchFolder } = await import('../folder/watch-folder.ts');
    const folder = resolve(context.cwd, dir);
    const { templates } = await readTemplateFolder(folder);
    const server = await startPreviewServer(folder, portNumber);
    context.print(`${templates.length} ${templates.length === 1 ? 'template' : 'templates'} of ${dir}: ${server.url}`);
    context.print('Ctrl-C ends it.');
    try {
      await watchFolder(folder, context.signal, server.changed);
    } finally {
      await server.close();
    }
    return { url: server.url };
  },
});
