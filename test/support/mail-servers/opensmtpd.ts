// Debian's OpenSMTPD with its own configuration. It relays all mail, needs root, and only one can run on a machine. If it cannot run, the
// tests are skipped, or this throws an error if POSTRIDER_TEST_SERVICES is `required`.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findService } from '../services.ts';
import { type Mta, runServer } from './run-server.ts';

const program = '/usr/sbin/smtpd';

const start = (relayPort: number): Promise<Mta> =>
  runServer((folder, port) => {
    if (!existsSync(program)) throw new Error(`there is no ${program}`);
    if (process.getuid?.() !== 0) throw new Error('it needs root');
    const config = join(folder, 'smtpd.conf');
    const lines = [
      `listen on 127.0.0.1 port ${port} hostname mx.opensmtpd.example`,
      'bounce warn-interval 1s',
      `action "out" relay host smtp://127.0.0.1:${relayPort}`,
      'match from any for any action "out"',
    ];
    writeFileSync(config, `${lines.join('\n')}\n`);
    // OpenSMTPD refuses a configuration that other users may write.
    chmodSync(config, 0o644);
    return { program, args: ['-d', '-f', config] };
  });

/** Starts the server in front of a sink, to which it relays. If it cannot run, prints a line and returns undefined. */
export const startOpenSmtpd = (relayPort: number): Promise<Mta | undefined> =>
  findService('the tests with OpenSMTPD', () => start(relayPort));
