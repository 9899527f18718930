// Haraka, a mail server from npm, with its own configuration and queue. It relays all mail, and needs no account of its own.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findService } from '../services.ts';
import { type Mta, runServer, serversFolder } from './run-server.ts';

const start = (relayPort: number): Promise<Mta> =>
  runServer((folder, port) => {
    const packageFolder = join(serversFolder, 'haraka/node_modules/Haraka');
    const program = join(packageFolder, 'bin/haraka');
    if (!existsSync(program)) throw new Error(`there is no ${program}`);
    for (const name of ['config', 'plugins', 'queue']) mkdirSync(join(folder, name));
    // Haraka does not start without these settings, and has no defaults for them.
    copyFileSync(join(packageFolder, 'config/connection.ini'), join(folder, 'config/connection.ini'));
    const write = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    write('config/smtp.ini', `listen=127.0.0.1:${port}`, 'nodes=0');
    write('config/me', 'mx.haraka.example');
    write('config/plugins', 'sink');
    write('config/outbound.ini', 'disabled=false', 'temp_fail_intervals=5s', 'local_mx_ok=true', 'enable_tls=false');
    write('config/loglevel', 'WARN');
    // A delayed mail is returned after one more attempt. Haraka sends no warnings.
    write(
      'plugins/sink.js',
      `exports.hook_rcpt = (next, connection) => { connection.relaying = true; next(OK); };`,
      `exports.hook_get_mx = (next) => next(OK, { priority: 0, exchange: '127.0.0.1', port: ${relayPort} });`,
    );
    return { program: process.execPath, args: [program, '-c', folder] };
  });

/** Starts Haraka in front of a sink. If it is not installed, prints a line and returns undefined. */
export const startHaraka = (relayPort: number): Promise<Mta | undefined> =>
  findService('the tests with Haraka', () => start(relayPort));
