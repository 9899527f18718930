// doctor: checks that everything the service needs is present and answers.
import { relative } from 'node:path';
import type { Service } from '../../../core/index.ts';
import type { CliContext } from '../command.ts';
import { defineCliCommand } from '../command.ts';
import { hasDevelopmentDatabase } from '../development/compose.ts';
import {
  checkDatabase,
  checkDevelopment,
  checkLimits,
  checkMail,
  checkNode,
  checkPeers,
  checkTracking,
} from '../doctor/checks.ts';
import type { Finding } from '../doctor/finding.ts';
import { bad, checkWithin, good, note, reasonOf } from '../doctor/finding.ts';
import { checkConnectors, checkDomains } from '../doctor/workspace-checks.ts';

const composeLimitMs = 35_000;
const databaseLimitMs = 10_000;
const mailLimitMs = 10_000;
const limitsLimitMs = 10_000;
const domainsLimitMs = 15_000;

interface Found {
  readonly service: Service | undefined;
  /** `nothing`: neither a config nor a development database yet. */
  readonly origin: 'config' | 'development' | 'nothing';
  readonly findings: readonly Finding[];
}

/** The service, and where its composition comes from. */
async function findService({ project, cwd }: CliContext): Promise<Found> {
  let service: Service | undefined;
  let origin: Found['origin'] = 'config';
  const findings = await checkWithin('Config', composeLimitMs, async () => {
    const config = project.config();
    if (config === undefined) origin = hasDevelopmentDatabase(cwd) ? 'development' : 'nothing';
    if (origin === 'nothing')
      return [
        note('Config', 'No postrider.config here, and no development database. Run postrider init, or postrider dev'),
      ];
    service = await project.service();
    if (config === undefined) return [note('Config', 'No postrider.config: checking the development service')];
    return [good('Config', `${relative(cwd, config)}, for ${service.core.ports.service.environment}`)];
  });
  return { service, origin, findings };
}

async function findWorkspaceId({ project, globals }: CliContext): Promise<string | undefined> {
  return globals.workspace === undefined ? undefined : (await project.workspace()).id;
}

async function inspect(context: CliContext): Promise<readonly Finding[]> {
  const { service, origin, findings: found } = await findService(context);
  const findings: Finding[] = [...checkNode(process.versions.node), ...found];
  if (service !== undefined) {
    findings.push(...(await checkWithin('Database', databaseLimitMs, () => checkDatabase(service))));
    const mail = async (signal: AbortSignal) => {
      try {
        const workspaceId = await findWorkspaceId(context);
        const connectors = workspaceId === undefined ? [] : await checkConnectors(service, workspaceId);
        // With connectors, the program's adapter is only what remains.
        return connectors.length > 0 ? connectors : await checkMail(service, workspaceId, signal);
      } catch (cause) {
        return [bad('Mail', reasonOf(cause))];
      }
    };
    findings.push(...(await checkWithin('Mail', mailLimitMs, mail)));
    findings.push(...checkTracking(service));
    findings.push(...(await checkWithin('Limits', limitsLimitMs, () => checkLimits(service))));
    const domains = async (signal: AbortSignal) => {
      // What keeps the workspace from being found is the finding of another check.
      const workspaceId = await findWorkspaceId(context).catch(() => undefined);
      return workspaceId === undefined ? [] : checkDomains(service, workspaceId, signal);
    };
    findings.push(...(await checkWithin('Domains', domainsLimitMs, domains)));
  }
  if (origin === 'nothing')
    findings.push(...(await checkWithin('SQLite', databaseLimitMs, () => checkDevelopment(context.cwd))));
  return [...findings, ...checkPeers(service, context.cwd, origin === 'config')];
}

export const doctor = defineCliCommand({
  name: 'doctor',
  summary: 'Check Node, config, keyring, database, mail, limits and packages',
  description:
    'Changes nothing and sends nothing; each check has a time limit. The exit code is 1 when a check fails (✗). Notes (!) do not count.',
  examples: [
    ['NODE_ENV=production postrider doctor', 'before a deploy, with the environment of production'],
    ['postrider doctor --workspace ws_01J…', 'also checks the mail adapter, connectors and domains of that workspace'],
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
    print(wrong === 0 ? 'No problems found.' : `${wrong === 1 ? '1 problem' : `${wrong} problems`} found.`);
    return { ok: wrong === 0, findings };
  },
});
