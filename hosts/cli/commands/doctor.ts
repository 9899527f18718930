// doctor: checks that everything the service needs is present and answers.
import { relative } from 'node:path';
import type { Service } from '../../../core/index.ts';
import type { CliContext } from '../command.ts';
import { defineCliCommand } from '../command.ts';
import { hasDevelopmentDatabase } from '../development/compose.ts';
import { checkDatabase, checkLimits, checkMail, checkNode, checkPeers } from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';
import { bad, checkWithin, good, note, reasonOf } from '../doctor/finding.ts';

const composeLimitMs = 35_000;
const databaseLimitMs = 10_000;
const mailLimitMs = 10_000;
const limitsLimitMs = 10_000;

/** The service, and a note on where its composition comes from. */
async function findService({
  project,
  cwd,
}: CliContext): Promise<{ service: Service | undefined; found: readonly Finding[] }> {
  let service: Service | undefined;
  const found = await checkWithin('Config', composeLimitMs, async () => {
    const config = project.config();
    if (config === undefined && !hasDevelopmentDatabase(cwd))
      return [
        note('Config', 'There is none here, and no development database. Begin with postrider dev, or postrider init'),
      ];
    service = await project.service();
    if (config === undefined)
      return [note('Config', 'There is none here: this is the development service in .postrider/')];
    return [good('Config', `${relative(cwd, config)}, for ${service.core.ports.service.environment}`)];
  });
  return { service, found };
}

async function findWorkspaceId({ project, globals }: CliContext): Promise<string | undefined> {
  return globals.workspace === undefined ? undefined : (await project.workspace()).id;
}

async function inspect(context: CliContext): Promise<readonly Finding[]> {
  const { service, found } = await findService(context);
  const findings: Finding[] = [...checkNode(process.versions.node), ...found];
  if (service !== undefined) {
    findings.push(...(await checkWithin('Database', databaseLimitMs, () => checkDatabase(service))));
    const mail = async (signal: AbortSignal) => {
      try {
        return await checkMail(service, await findWorkspaceId(context), signal);
      } catch (cause) {
        return [bad('Mail', reasonOf(cause))];
      }
    };
    findings.push(...(await checkWithin('Mail', mailLimitMs, mail)));
    findings.push(...(await checkWithin('Limits', limitsLimitMs, () => checkLimits(service))));
  }
  return [...findings, ...checkPeers(service)];
}

export const doctor = defineCliCommand({
  name: 'doctor',
  summary: 'Check Node, config, keyring, database, mail, limits and packages',
  description:
    'Nothing is changed and nothing is sent; each check has a time limit. The exit code is 1 when something is wrong; what is only worth knowing does not count.',
  examples: [
    ['NODE_ENV=production postrider doctor', 'before a deploy: with the environment that it will have'],
    ['postrider doctor --workspace ws_01J…', "checks that workspace's mail adapter"],
  ],
  arguments: {},

  async run(context) {
    const { print, terminal, fail } = context;
    const findings = await inspect(context);
    const { colours } = terminal.out;
    const marks = { good: colours.green('✓'), note: colours.yellow('!'), bad: colours.red('✗') };
    const width = Math.max(...findings.map(({ name }) => name.length));
    for (const { state, name, text } of findings) print(`${marks[state]} ${name.padEnd(width)}  ${text}`);
    const wrong = findings.filter(({ state }) => state === 'bad').length;
    if (wrong > 0) fail();
    print('');
    print(wrong === 0 ? 'Nothing is wrong.' : `${wrong === 1 ? '1 thing is' : `${wrong} things are`} wrong.`);
    return { ok: wrong === 0, findings };
  },
});
