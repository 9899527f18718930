// dev: runs the service on one port of this machine, with an inbox, a key and a command line that sends a mail.
import { defineCliCommand } from '../command.ts';

const defaultPort = '3000';

export const dev = defineCliCommand({
  name: 'dev',
  summary: 'Serve everything on one port, for development',
  description:
    'Serves the API, the MCP endpoint, the inbox and the reference, and prints a sandbox key with a curl command to try. ' +
    'With a postrider.config it migrates the database first, unless it runs in production, and restarts when a file of the config changes. ' +
    'Without a config it works in .postrider/: the standard plugins on a SQLite file; mail is kept and not sent.',
  examples: [
    ['postrider dev', 'serves on port 3000, or the next free one'],
    ['PORT=8080 postrider dev', 'serves on another port'],
    ['postrider dev --json', 'prints the addresses and the key as JSON, for scripts'],
  ],
  arguments: {
    port: {
      type: 'string',
      hint: 'PORT',
      description: `The port (default: PORT, or ${defaultPort}, or the next free one)`,
    },
    host: { type: 'string', hint: 'ADDRESS', default: '127.0.0.1', description: 'The address to listen on' },
    watch: { type: 'boolean', default: true, description: 'Do not restart when a file of the config changes' },
  },

  async run(context, { port, host, watch }) {
    const { project, globals, env } = context;
    const { portOf } = await import('../development/listen.ts');
    const { restartVariable, supervise } = await import('../development/supervise.ts');
    const requestedPort = port === undefined ? portOf(env['PORT'] || defaultPort, 'PORT') : portOf(port, '--port');
    const config = project.config();
    if (watch && config !== undefined && !globals.json) {
      await supervise(context, config, (boundPort) => [
        'dev',
        '--no-watch',
        `--port=${boundPort ?? requestedPort}`,
        `--host=${host}`,
        `--cwd=${project.cwd}`,
        `--config=${config}`,
        ...(globals.workspace === undefined ? [] : [`--workspace=${globals.workspace}`]),
        ...(globals.verbose ? ['--verbose'] : []),
      ]);
      return undefined;
    }
    const { serve } = await import('../development/serve.ts');
    return serve(context, {
      port: requestedPort,
      host,
      supervised: env[restartVariable] !== undefined,
      listening: (boundPort) => process.send?.({ port: boundPort }),
      isRestart: (env[restartVariable] ?? '') !== '',
    });
  },
});
