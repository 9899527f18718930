// All checks of `doctor`, in their order. Called by commands/doctor.ts, which loads it when the command runs.
import { relative } from 'node:path';
import type { Service } from '../../../core/index.ts';
import { workspacesOf } from '../all-workspaces.ts';
import type { CliContext } from '../command.ts';
import { otherConfigs } from '../config.ts';
import { hasDevelopmentDatabase } from '../development/folder.ts';
import {
  checkDatabase,
  checkDevelopment,
  checkLimits,
  checkMail,
  checkNode,
  checkPeers,
  checkSms,
  checkTracking,
} from './checks.ts';
import { bad, checkWithin, type Finding, good, note, reasonOf } from './finding.ts';
import { checkLambda } from './lambda-checks.ts';
import { checkSignIn } from './sign-in-checks.ts';
import { checkConnectors, checkDomains, checkSequences, checkWebhooks } from './workspace-checks.ts';

const composeLimitMs = 35_000;
const databaseLimitMs = 10_000;
const mailLimitMs = 10_000;
const limitsLimitMs = 10_000;
const domainsLimitMs = 15_000;
const trackingLimitMs = 10_000;
const lambdaLimitMs = 15_000;

/** The maximum number of workspaces whose webhooks are checked. */
const maxWorkspaces = 100;

interface FoundService {
  readonly service: Service | undefined;
  /** `nothing`: there is neither a config nor a development database yet. */
  readonly origin: 'config' | 'development' | 'nothing';
  readonly findings: readonly Finding[];
}

/** The service, and the origin of its composition. */
async function findService({ project, cwd, globals }: CliContext): Promise<FoundService> {
  let service: Service | undefined;
  let origin: FoundService['origin'] = 'config';
  const findings = await checkWithin('Config', composeLimitMs, async () => {
    const config = project.config();
    if (config === undefined) origin = hasDevelopmentDatabase(cwd) ? 'development' : 'nothing';
    if (origin === 'nothing')
      return [
        note('Config', 'No postrider.config here, and no development database. Run postrider init, or postrider dev'),
      ];
    service = await project.service();
    if (config === undefined) return [note('Config', 'No postrider.config: checking the development service')];
    const configName = relative(cwd, config);
    const configFinding = good('Config', `${configName}, for ${service.core.ports.service.environment}`);
    if (globals.config !== undefined) return [configFinding];
    const otherConfigFiles = otherConfigs(cwd, config).map((file) => relative(cwd, file));
    if (otherConfigFiles.length === 0) return [configFinding];
    return [
      configFinding,
      note(
        'Config',
        `${otherConfigFiles.join(', ')} is not looked at: ${configName} comes first. Name one with --config`,
      ),
    ];
  });
  return { service, origin, findings };
}

async function findWorkspaceId({ project, globals }: CliContext): Promise<string | undefined> {
  return globals.workspace === undefined ? undefined : (await project.workspace()).id;
}

const foundationNames = new Set(['Keyring', 'Database', 'Schema']);

/** Whether rows can be read. Checks of rows are skipped otherwise, because they would report the same fault again. */
const isReadable = (findings: readonly Finding[]): boolean =>
  !findings.some(({ name, state }) => state !== 'good' && foundationNames.has(name));

/** Runs all checks and returns their findings. */
export async function inspect(
  context: CliContext,
  { lambda }: { readonly lambda: boolean },
): Promise<readonly Finding[]> {
  const { service, origin, findings: found } = await findService(context);
  const findings: Finding[] = [...checkNode(process.versions.node), ...found];
  if (service !== undefined) {
    findings.push(...(await checkWithin('Database', databaseLimitMs, () => checkDatabase(service, lambda))));
    const mail = async (signal: AbortSignal) => {
      try {
        const workspaceId = await findWorkspaceId(context);
        const connectors = workspaceId === undefined ? [] : await checkConnectors(service, workspaceId, signal);
        // If there are connectors, the program's adapter is only the fallback.
        return connectors.length > 0 ? connectors : await checkMail(service, workspaceId, signal);
      } catch (cause) {
        return [bad('Mail', reasonOf(cause))];
      }
    };
    findings.push(...(await checkWithin('Mail', mailLimitMs, mail)));
    const sms = async () => checkSms(service, await findWorkspaceId(context).catch(() => undefined));
    findings.push(...(await checkWithin('SMS', mailLimitMs, sms)));
    findings.push(...(await checkWithin('Tracking', trackingLimitMs, (signal) => checkTracking(service, signal))));
    findings.push(...(await checkWithin('Sign-in', trackingLimitMs, (signal) => checkSignIn(service, signal))));
    findings.push(...(await checkWithin('Limits', limitsLimitMs, () => checkLimits(service))));
    const domains = async (signal: AbortSignal) => {
      // Another check reports why the workspace cannot be found.
      const workspaceId = await findWorkspaceId(context).catch(() => undefined);
      return workspaceId === undefined ? [] : checkDomains(service, workspaceId, signal);
    };
    findings.push(...(await checkWithin('Domains', domainsLimitMs, domains)));
    const sequences = async () => {
      const workspaceId = await findWorkspaceId(context).catch(() => undefined);
      return workspaceId === undefined ? [] : checkSequences(service, workspaceId);
    };
    findings.push(...(await checkWithin('Sequences', databaseLimitMs, sequences)));
    const webhooks = async () => {
      const { workspace } = context.globals;
      const ids = async () => (await workspacesOf(await context.project.ready(), maxWorkspaces)).map(({ id }) => id);
      return checkWebhooks(service, workspace === undefined ? await ids() : [workspace]);
    };
    if (isReadable(findings)) findings.push(...(await checkWithin('Webhooks', domainsLimitMs, webhooks)));
    if (lambda) findings.push(...(await checkWithin('Lambda', lambdaLimitMs, () => checkLambda(service))));
  }
  if (origin === 'nothing')
    findings.push(...(await checkWithin('SQLite', databaseLimitMs, () => checkDevelopment(context.cwd))));
  return [...findings, ...checkPeers(service, context.cwd, origin === 'config')];
}
