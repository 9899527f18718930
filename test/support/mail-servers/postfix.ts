// Debian's Postfix, unpacked, with its own configuration and queue. It relays all mail. Its master must run as root.
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findService } from '../services.ts';
import { debianProgram, debianRoot, type Mta, runServer } from './run-server.ts';

/** Accounts that every Debian has, in place of the accounts of the package */
const [owner, group] = ['news', 'uucp'];
const idOf = (kind: 'passwd' | 'group', name: string): number =>
  Number(execFileSync('getent', [kind, name], { encoding: 'utf8' }).split(':')[2]);

const queues = 'active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace'.split(
  ' ',
);

/** Service, type, and the command, in the columns of master.cf. */
const services = [
  'pickup unix n - n 60 1 pickup',
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 1 1 qmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'verify unix - - n - 1 verify',
  'flush unix n - n 1000? 0 flush',
  'proxymap unix - - n - - proxymap',
  'smtp unix - - n - - smtp',
  'relay unix - - n - - smtp',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'anvil unix - - n - 1 anvil',
  'scache unix - - n - 1 scache',
  'postlog unix-dgram n - n - 1 postlogd',
];

const start = (relayPort: number): Promise<Mta> =>
  runServer((folder, port) => {
    const program = debianProgram('usr/lib/postfix/sbin/master');
    const [uid, gid] = [idOf('passwd', owner ?? ''), idOf('group', group ?? '')];
    const [config, spool, data] = ['config', 'spool', 'data'].map((name) => join(folder, name));
    if (config === undefined || spool === undefined || data === undefined) throw new Error('no folders');
    for (const path of [config, spool, join(spool, 'pid'), data]) mkdirSync(path, { mode: 0o755 });
    for (const name of queues) {
      const path = join(spool, name);
      mkdirSync(path, { mode: name === 'maildrop' || name === 'public' ? 0o770 : 0o700 });
      chownSync(path, uid, name === 'maildrop' || name === 'public' ? gid : 0);
    }
    chownSync(data, uid, 0);
    const settings = {
      compatibility_level: '3.6',
      command_directory: join(debianRoot, 'usr/sbin'),
      daemon_directory: join(debianRoot, 'usr/lib/postfix/sbin'),
      shlib_directory: join(debianRoot, 'usr/lib/postfix'),
      data_directory: data,
      queue_directory: spool,
      mail_owner: owner,
      setgid_group: group,
      default_privs: 'nobody',
      import_environment: 'MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LD_LIBRARY_PATH',
      export_environment: 'TZ MAIL_CONFIG LD_LIBRARY_PATH',
      maillog_file: join(folder, 'maillog'),
      maillog_file_prefixes: folder,
      myhostname: 'mx.postfix.example',
      mydestination: '',
      local_recipient_maps: '',
      alias_maps: '',
      mynetworks: '127.0.0.0/8',
      inet_interfaces: '127.0.0.1',
      inet_protocols: 'ipv4',
      disable_dns_lookups: 'yes',
      relayhost: `[127.0.0.1]:${relayPort}`,
      smtpd_relay_restrictions: 'permit_mynetworks, reject',
      delay_warning_time: '1s',
      queue_run_delay: '1s',
      minimal_backoff_time: '1s',
      maximal_backoff_time: '2s',
      smtp_tls_security_level: 'none',
      notify_classes: '',
    };
    const main = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(join(config, 'main.cf'), `${main.join('\n')}\n`);
    const listener = `127.0.0.1:${port} inet n - n - - smtpd`;
    writeFileSync(join(config, 'master.cf'), `${[listener, ...services].join('\n')}\n`);
    const env = { LD_LIBRARY_PATH: join(debianRoot, 'usr/lib/postfix'), MAIL_CONFIG: config };
    return { program, args: ['-c', config, '-d'], env };
  });

/** Starts Postfix in front of a sink. If it cannot run, prints a line and returns undefined. */
export const startPostfix = (relayPort: number): Promise<Mta | undefined> =>
  findService('the tests with Postfix', () => start(relayPort));
