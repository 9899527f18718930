// The checks of `doctor`, one function each. They read and connect. They do not migrate, send anything or leave a row. Called by
// inspect.ts.
import type { MigrationStatus, Service, StorageAdapter } from '../../../core/index.ts';
import { counted, keyringFaults, overdueJobs, writeAndDeleteRow } from '../../../core/unstable.ts';
import { developmentStorageFault } from '../development/compose.ts';
import { isNewEnough, minNode } from '../node-version.ts';
import { featuresOf, installLine, isInstalled } from '../peers.ts';
import { bad, type Finding, good, note, reasonOf } from './finding.ts';
import { checkTrackingHost } from './tracking-checks.ts';

/** The version that package.json requires. */
export function checkNode(version: string): readonly Finding[] {
  return [
    isNewEnough(version)
      ? good('Node', version)
      : bad('Node', `This is ${version}; Postrider needs ${minNode} or later: https://nodejs.org`),
  ];
}

/**
 * The fault of the keyring; undefined if it opens. The keyring is opened before the database, so that the faults of both are
 * reported separately.
 */
function keyringFault(service: Service): boolean {
  try {
    return service.core.ports.keyring === undefined;
  } catch {
    return true;
  }
}

const skewLimitMs = 2_000;

/** Statements that read a server's clock, in milliseconds. SQLite uses this machine's clock. */
const clockQuestions: Readonly<Record<StorageAdapter['dialect'], string | undefined>> = {
  sqlite: undefined,
  postgres: 'select extract(epoch from clock_timestamp()) * 1000 as now',
  mysql: 'select unix_timestamp(now(3)) * 1000 as now',
};

/** Compares the database's clock with this machine's, if the database may run on another machine. */
async function checkClock(service: Service): Promise<readonly Finding[]> {
  const { adapter, driver } = await service.core.anyDatabase();
  const sql = clockQuestions[adapter.dialect];
  if (sql === undefined) return [];
  const startedAt = Date.now();
  const { rows } = await driver.read((connection) => connection.query({ sql, parameters: [] }));
  const skew = Number(rows[0]?.['now']) - (startedAt + Date.now()) / 2;
  const difference = `${(Math.abs(skew) / 1_000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine's`;
  return Math.abs(skew) <= skewLimitMs
    ? [good('Clock', "agrees with the database's")]
    : [
        bad(
          'Clock',
          `The database's clock is ${difference}. Set both by NTP: due times and expiries are compared across them.`,
        ),
      ];
}

function schemaFinding({ pending, unknown, incompatible }: MigrationStatus, lambda: boolean): Finding {
  if (incompatible !== undefined) return bad('Schema', incompatible);
  if (pending.length > 0) {
    const pendingText = `${pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`} pending`;
    return lambda
      ? note('Schema', `${pendingText}. The deployment runs them: invoke the function with { "action": "migrate" }`)
      : bad('Schema', `${pendingText}. Run: postrider migrate`);
  }
  return good('Schema', unknown.length === 0 ? 'up to date' : 'up to date, and expanded by a later release');
}

/** A finding if the database responds but rejects a row: its disk is full, or the role may not write. */
async function checkWriting({ core }: Service): Promise<readonly Finding[]> {
  try {
    await writeAndDeleteRow(await core.anyDatabase(), Date.now());
    return [];
  } catch (cause) {
    return [bad('Writing', `The database does not accept rows: ${reasonOf(cause)}`)];
  }
}

/** Notes about overdue jobs: if no process runs jobs, and if this program does not declare their kind. */
async function checkJobs({ core }: Service, lambda: boolean): Promise<readonly Finding[]> {
  const { since, unknownKinds } = await overdueJobs(await core.anyDatabase(), core.ports.now(), (kind) =>
    core.registry.jobs.has(kind),
  );
  const undeclaredKinds = [...unknownKinds].map(([kind, jobs]) =>
    note(
      'Jobs',
      `${counted(jobs, 'job')} of the kind ${kind} ${jobs === 1 ? 'waits' : 'wait'}, and no plugin of this program declares it. Compose its plugin, or start a process that has it`,
    ),
  );
  if (since === undefined) return undeclaredKinds;
  const due = `Jobs have been due since ${new Date(since).toISOString()}, and no process runs any`;
  const advice = lambda
    ? 'Check the schedule that invokes the function every minute'
    : 'Start one: await service.start() in your program, or postrider dev';
  return [note('Jobs', `${due}. ${advice}`), ...undeclaredKinds];
}

/** Checks the keyring, the database and the schema. @param lambda a function is deployed, which migrates by itself */
export async function checkDatabase(service: Service, lambda: boolean): Promise<readonly Finding[]> {
  const { environment } = service.core.ports.service;
  try {
    const { adapter, driver } = await service.core.anyDatabase();
    const driverDetails = await driver.describe();
    const version = driverDetails['server_version'] ?? driverDetails['sqlite_version'] ?? driverDetails['version'];
    const status = await service.migrationStatus();
    const schema = schemaFinding(status, lambda);
    const keys =
      environment === 'production'
        ? 'opened'
        : 'opened; run with NODE_ENV=production to check the keyring of production';
    const lostKeys =
      status.pending.length > 0
        ? []
        : await keyringFaults(await service.core.anyDatabase(), service.core.ports.keyring);
    return [
      ...(lostKeys.length > 0 ? lostKeys.map((fault) => bad('Keyring', fault)) : [good('Keyring', keys)]),
      good('Database', `${adapter.id}${version === undefined ? '' : ` ${version}`} answers`),
      schema,
      ...(schema.state === 'good' ? await checkWriting(service) : []),
      ...(await checkClock(service)),
      ...(schema.state === 'good' ? await checkJobs(service, lambda) : []),
    ];
  } catch (cause) {
    if (keyringFault(service))
      return [bad('Keyring', reasonOf(cause)), note('Database', 'skipped: fix the keyring first')];
    return [good('Keyring', 'opened'), bad('Database', reasonOf(cause))];
  }
}

/** Checks the mail adapter: the adapter of the whole service, or of the call's workspace. */
export async function checkMail(
  service: Service,
  workspaceId: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { ports } = service.core;
  const mail: typeof ports.mail | undefined = ports.mail;
  if (mail === undefined) return [note('Mail', 'No composed plugin sends any')];
  if (workspaceId === undefined && mail.idOf('') === 'pending')
    return [note('Mail', 'Each workspace has an adapter of its own. Check one with --workspace ID')];
  const adapter = await mail.of(workspaceId ?? '');
  const isProduction = ports.service.environment === 'production';
  if (adapter.id === 'none')
    return [bad('Mail', 'No mail adapter is configured: give createService a mail, such as smtpMail({ host }).')];
  if (adapter.capabilities.captures) {
    const text = `${adapter.id} stores mail and does not send it`;
    return [
      isProduction
        ? bad('Mail', `${text}, and this is production. Give createService an adapter that sends.`)
        : good('Mail', text),
    ];
  }
  if (adapter.verify === undefined) return [note('Mail', `${adapter.id} cannot be checked without sending`)];
  try {
    await adapter.verify(signal, { outgoing: ports.outgoing });
    return [good('Mail', `${adapter.id} responds, and accepts the credentials if there are any`)];
  } catch (cause) {
    return [bad('Mail', `${adapter.id}: ${reasonOf(cause)}`)];
  }
}

/** A finding if SMS are not sent in production. No finding if no plugin sends SMS. */
export async function checkSms(service: Service, workspaceId: string | undefined): Promise<readonly Finding[]> {
  const { ports } = service.core;
  const sms: typeof ports.sms | undefined = ports.sms;
  if (sms === undefined || (workspaceId === undefined && sms.idOf('') === 'pending')) return [];
  const { id, capabilities } = await sms.of(workspaceId ?? '');
  // Without an adapter, SMS are not used or are sent by connectors.
  if (id === 'none') return [];
  if (!capabilities.captures) return [note('SMS', `${id} cannot be checked without sending`)];
  const text = `${id} stores messages and does not send them`;
  return [
    ports.service.environment === 'production'
      ? bad('SMS', `${text}, and this is production. Give createService an adapter that sends.`)
      : good('SMS', text),
  ];
}

/** Checks whether links in mail point to the service. Without a public URL, nothing is tracked. */
export async function checkTracking({ core }: Service, signal: AbortSignal): Promise<readonly Finding[]> {
  const { features, publicUrl, environment } = core.ports.service;
  if (!features.includes('email')) return [];
  if (publicUrl !== undefined) {
    const hostFindings = await checkTrackingHost(publicUrl, { signal, environment });
    // If there are faults, no success is shown beside them.
    return hostFindings.every(({ state }) => state === 'good')
      ? [good('Tracking', `links in mail lead to ${publicUrl}`), ...hostFindings]
      : hostFindings;
  }
  const consequences = [
    'opens and clicks are not recorded, and mail has no one-click unsubscribing',
    ...(features.includes('links')
      ? [
          environment === 'production'
            ? 'short links on the default domain, and QR codes of them, are refused unless linksPlugin has a shortUrl'
            : 'short links on the default domain, and QR codes of them, begin with http://localhost',
        ]
      : []),
    ...(features.includes('lists')
      ? ['nobody is sent a confirmation mail, unless the workspace has a content host']
      : []),
  ];
  return [note('Tracking', `off, because createService has no publicUrl: ${consequences.join('; ')}`)];
}

/** Checks the store of the rate limits: whether all processes share it, and whether it responds. */
export async function checkLimits(service: Service): Promise<readonly Finding[]> {
  const { limits, settings } = service.core;
  if (limits.shared === false) {
    // SQLite suggests one process, a database server several. If the database does not open, another check reports it.
    const dialect = await service.core.anyDatabase().then(
      ({ adapter }) => adapter.dialect,
      () => 'sqlite',
    );
    if (dialect === 'sqlite') return [good('Limits', `${limits.id}: each process counts for itself`)];
    const advice =
      'If several processes run, pass createService the option limits: redisLimits({ url }) or sqlLimits()';
    return [note('Limits', `${limits.id}: each process counts for itself. ${advice}`)];
  }
  try {
    await limits.verify?.();
    return [good('Limits', limits.verify === undefined ? limits.id : `${limits.id} answers`)];
  } catch (cause) {
    const effect = settings.onStoreFailure === 'allow' ? 'requests pass unlimited' : 'requests are refused with 503';
    return [bad('Limits', `${reasonOf(cause)} Until then ${effect}.`)];
  }
}

/**
 * Checks that the development service could open its database. Called if there is neither a config nor a development database.
 */
export async function checkDevelopment(cwd: string): Promise<readonly Finding[]> {
  const fault = await developmentStorageFault(cwd);
  return [fault === undefined ? good('SQLite', 'better-sqlite3 loads') : bad('SQLite', reasonOf(fault))];
}

/**
 * One finding: the missing packages of the composed features, and how to install them. No finding if a config does not load,
 * because its features are then unknown, and its own finding names a missing package.
 */
export function checkPeers(service: Service | undefined, cwd: string, hasConfig: boolean): readonly Finding[] {
  if (service === undefined && hasConfig) return [];
  const features = featuresOf(service);
  const peersOfFeatures = features.flatMap(({ peers }) => peers);
  const install = installLine(peersOfFeatures, cwd);
  if (install === undefined) {
    const names = peersOfFeatures.map(({ name }) => name);
    return names.length === 0 ? [] : [good('Packages', `${names.join(', ')} are installed`)];
  }
  const missingByFeature = features.flatMap(({ name: what, peers }) => {
    const names = peers.filter((peer) => !isInstalled(peer)).map(({ name }) => name);
    return names.length === 0 ? [] : [`${names.join(', ')} for ${what}`];
  });
  return [note('Packages', `Not installed: ${missingByFeature.join('; ')}. To use these: ${install}`)];
}
