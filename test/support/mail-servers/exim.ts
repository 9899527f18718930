// Debian's Exim, unpacked, with its own configuration and queue. It relays all mail, runs as root and delivers as `mail`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findService } from '../services.ts';
import { debianProgram, type Mta, runServer } from './run-server.ts';

const start = (relayPort: number): Promise<Mta> =>
  runServer((folder, port) => {
    const program = debianProgram('usr/sbin/exim4');
    const config = join(folder, 'exim.conf');
    const spool = join(folder, 'spool');
    mkdirSync(spool);
    execFileSync('chown', ['-R', 'mail:mail', folder]);
    const lines = [
      'exim_user = mail',
      `exim_path = ${program}`,
      'exim_group = mail',
      'primary_hostname = mx.exim.example',
      `spool_directory = ${spool}`,
      `log_file_path = ${join(folder, '%slog')}`,
      'never_users =',
      'acl_smtp_rcpt = accept',
      'acl_smtp_data = accept',
      'host_lookup =',
      'rfc1413_query_timeout = 0s',
      'delay_warning = 1s',
      'delay_warning_condition = yes',
      'bounce_return_size_limit = 100K',
      'keep_environment =',
      'tls_advertise_hosts =',
      'begin routers',
      'out:',
      '  driver = manualroute',
      '  domains = *',
      '  transport = relay',
      '  route_list = * 127.0.0.1',
      '  self = send',
      'begin transports',
      'relay:',
      '  driver = smtp',
      `  port = ${relayPort}`,
      '  allow_localhost',
      '  hosts_avoid_tls = *',
      'begin retry',
      '* * F,1h,1s',
    ];
    writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o644 });
    const args = ['-C', config, '-bdf', '-q1s', '-oX', `127.0.0.1.${port}`, '-oP', join(folder, 'pid')];
    return { program, args };
  });

/** Starts Exim in front of a sink. If it cannot run, prints a line and returns undefined. */
export const startExim = (relayPort: number): Promise<Mta | undefined> =>
  findService('the tests with Exim', () => start(relayPort));
