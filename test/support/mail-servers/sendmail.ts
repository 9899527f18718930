// Debian's Sendmail, unpacked, with its own minimal configuration: every address is delivered by one mailer, which relays to one port.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findService } from '../services.ts';
import { debianProgram, type Mta, runServer } from './run-server.ts';

const start = (relayPort: number): Promise<Mta> =>
  runServer((folder, port) => {
    const program = debianProgram('usr/libexec/sendmail/sendmail');
    const queue = join(folder, 'queue');
    mkdirSync(queue, { mode: 0o700 });
    const lines = [
      'V10/Berkeley',
      'Djmx.sendmail.example',
      'DnMAILER-DAEMON',
      `O QueueDirectory=${queue}`,
      `O DaemonPortOptions=Name=MTA, Addr=127.0.0.1, Port=${port}, Family=inet`,
      `O PidFile=${join(folder, 'pid')}`,
      `O StatusFile=${join(folder, 'statistics')}`,
      `O ServiceSwitchFile=${join(folder, 'switch')}`,
      'O AliasFile=',
      'O DeliveryMode=background',
      'O Timeout.queuewarn=1s',
      'O Timeout.queuereturn=5d',
      'O Timeout.ident=0s',
      'O MinQueueAge=0s',
      'O SendMimeErrors=True',
      'O DontBlameSendmail=groupwritabledirpathsafe',
      'O DefaultUser=nobody',
      'O LogLevel=0',
      'O QueueLA=1000',
      'O RefuseLA=1000',
      'O DontProbeInterfaces=True',
      'Troot',
      'Tdaemon',
      'HReceived: by $j with SMTP id $i; $b',
      'H?D?Date: $a',
      'H?F?From: $g',
      'H?M?Message-Id: <$t.$i@$j>',
      // Addresses lose their angle brackets, and all of them are delivered by the mailer `relay`.
      'S3',
      'R$* < $* > $*\t$2',
      'S0',
      'R$*\t$#relay $@ [127.0.0.1] $: $1',
      'S1',
      'S2',
      'S4',
      `Mrelay, P=[IPC], F=mDFMuXk, S=0, R=0, E=\\r\\n, L=990, T=DNS/RFC822/SMTP, A=TCP $h ${relayPort}`,
      'Mlocal, P=/bin/false, F=lsDFM, S=0, R=0, T=DNS/RFC822/X-Unix, A=false',
      'Mprog, P=/bin/false, F=lsDFM, S=0, R=0, T=X-Unix, A=false',
    ];
    // The names of this machine and of the sink are not looked up in the DNS.
    writeFileSync(join(folder, 'switch'), 'hosts files\n');
    const config = join(folder, 'sendmail.cf');
    writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o644 });
    const env = { RES_OPTIONS: 'timeout:1 attempts:1' };
    const command = [program, `-C${config}`, '-bD', '-q1s'];
    // Sendmail sleeps for a minute if the name of its machine has no dot. So it gets another name, if that is allowed.
    if (spawnSync('unshare', ['--uts', 'true']).status !== 0)
      return { program, args: command.slice(1), env, startMs: 90_000 };
    const shellCommand = `hostname mx.sendmail.example && exec ${command.join(' ')}`;
    return { program: 'unshare', args: ['--uts', 'sh', '-c', shellCommand], env };
  });

/** Starts Sendmail in front of a sink. If it cannot run, prints a line and returns undefined. */
export const startSendmail = (relayPort: number): Promise<Mta | undefined> =>
  findService('the tests with Sendmail', () => start(relayPort));
