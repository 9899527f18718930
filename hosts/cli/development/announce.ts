// The text that `dev` prints when it is ready: the URLs, a key, and a command line that sends a mail. Text only; called by
// serve.ts.
import { relative } from 'node:path';
import type { Service } from '../../../core/index.ts';
import { release } from '../../../core/unstable.ts';
import { featuresOf, installLine, isInstalled, toolPeers } from '../peers.ts';
import type { TerminalOutput } from '../terminal.ts';
import { developmentDatabase } from './folder.ts';
import type { SeededService } from './seed.ts';
import type { StartPageLink } from './start-page.ts';

/** A server that is ready. */
export interface Serving {
  readonly service: Service;
  readonly cwd: string;
  readonly config: string | undefined;
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** The mount path of the service: empty, or such as `/messaging`. */
  readonly base: string;
  readonly wantedPort: number;
  readonly port: number;
  /** Such as `core/0001-core`. */
  readonly applied: readonly string[];
  /** Undefined in production, and if there are several workspaces to choose from. */
  readonly seeded: SeededService | undefined;
}

const pages = [
  {
    path: '/console',
    name: 'Console',
    text: 'Everything for your team: contacts, sends, broadcasts, sequences, social posts, links, approvals, webhooks, jobs',
  },
  { path: '/inbox', name: 'Inbox', text: 'Every mail that was sent here, as its reader sees it' },
  { path: '/qr-designer', name: 'QR codes', text: 'Designs of QR codes, with a preview that is scanned' },
  {
    path: '/connected-apps',
    name: 'Connected apps',
    text: 'Agents that signed in for you, and their rights, which you can revoke',
  },
  { path: '/docs', name: 'API reference', text: 'Every operation, with examples' },
] as const;

/** Links to the composed parts, for the start page and for the list. */
export function linksOf({ service, base }: Pick<Serving, 'service' | 'base'>): StartPageLink[] {
  const { publicRoutes } = service.core.registry;
  const visibleRoutes = publicRoutes.filter(({ hidden }) => hidden?.(service.core.ports) !== true);
  const routes = new Set(visibleRoutes.map(({ method, path }) => `${method} ${path}`));
  const presentPages = pages.filter(({ path }) => routes.has(`GET ${path}`));
  return [
    ...presentPages.map(({ path, name, text }) => ({ href: `${base}${path}`, name, text })),
    ...(service.core.settings.publicOpenapi
      ? [{ href: `${base}/v1/openapi.json`, name: 'OpenAPI', text: 'The same as a document for code generators' }]
      : []),
  ];
}

/** The names of the pages that the config does not enable. */
export function absentPages({ service }: Pick<Serving, 'service'>): string[] {
  const routes = new Set(service.core.registry.publicRoutes.map(({ path }) => path));
  return pages.filter(({ path }) => !routes.has(path)).map(({ name }) => name);
}

/** The names of the hidden pages: in production, these pages need the program's own sign-in. */
function closedPages({ service }: Pick<Serving, 'service'>): string[] {
  const { core } = service;
  const closed = core.registry.publicRoutes.filter(({ hidden }) => hidden?.(core.ports) === true);
  const paths = new Set(closed.map(({ path }) => path));
  return pages.filter(({ path }) => paths.has(path)).map(({ name }) => name);
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A command line that sends one mail. If there is no template to send, it reads the workspace instead. */
export const curlLine = (serving: Pick<Serving, 'origin' | 'base'>, seeded: SeededService): string =>
  curlParts(serving, seeded).join(' ');

/** Like `curlLine`, with one line for each option. */
export const curlLines = (serving: Pick<Serving, 'origin' | 'base'>, seeded: SeededService): string =>
  curlParts(serving, seeded).join(' \\\n  ');

function curlParts(
  { origin, base }: Pick<Serving, 'origin' | 'base'>,
  { key, sample, workspace }: SeededService,
): string[] {
  const authorization = `-H ${quoteForShell(`Authorization: Bearer ${key}`)}`;
  if (sample === undefined) return [`curl -i ${origin}${base}/v1/workspace`, authorization];
  const message = JSON.stringify({ to: 'ada@example.com', variables: sample.short });
  // On the plan pro and larger plans, each send needs its own idempotency key.
  const idempotencyHeader =
    workspace.plan.tier >= 2 && !workspace.plan.keyOptional ? ['-H "Idempotency-Key: $(date +%s)"'] : [];
  return [
    `curl -i ${origin}${base}/v1/templates/${sample.template}/send`,
    authorization,
    "-H 'Content-Type: application/json'",
    ...idempotencyHeader,
    `-d ${quoteForShell(message)}`,
  ];
}

function databaseOf({ service, config, cwd }: Serving, adapter: string): string {
  if (config === undefined) return relative(cwd, developmentDatabase(cwd));
  const { environment } = service.core.ports.service;
  return `${adapter}, as ${relative(cwd, config)} says${environment === 'production' ? ' (production)' : ''}`;
}

function migrationsOf({ applied, service }: Serving): string {
  if (service.core.ports.service.environment === 'production')
    return 'not applied in production. Run: postrider migrate';
  if (applied.length === 0) return 'up to date';
  return applied.length <= 3
    ? `applied ${applied.join(', ')}`
    : `applied ${applied.length}, ${applied[0]} to ${applied.at(-1)}`;
}

/** The same facts as JSON: the output of --json. */
export async function servingInfo(serving: Serving) {
  const { service, origin, base, port, applied, seeded } = serving;
  const { adapter } = await service.core.database();
  const pageOf = (path: string) => {
    const link = linksOf(serving).find(({ href }) => href === `${base}${path}`);
    return link === undefined ? null : `${origin}${link.href}`;
  };
  return {
    version: release,
    url: origin,
    port,
    api: `${origin}${base}/v1`,
    mcp: `${origin}${base}/v1/mcp`,
    openapi: `${origin}${base}/v1/openapi.json`,
    console: pageOf('/console'),
    inbox: pageOf('/inbox'),
    docs: pageOf('/docs'),
    database: databaseOf(serving, adapter.id),
    migrations: applied,
    workspace: seeded === undefined ? null : { id: seeded.workspace.id, name: seeded.workspace.name },
    key: seeded?.key ?? null,
    curl: seeded === undefined ? null : curlLine(serving, seeded),
  };
}

/** The features that do not work because packages are missing, and the command that installs the packages. */
function missingPackages({ service, cwd }: Serving): string[] {
  const missingFeatures = featuresOf(service).filter(({ peers }) => !peers.every(isInstalled));
  const install = installLine(
    missingFeatures.flatMap(({ peers }) => peers),
    cwd,
  );
  if (install === undefined) return [];
  const featureNames = missingFeatures
    .map((feature) => feature.name)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
  return [
    `Packages are missing for ${featureNames}. Stop this server, install them and start it again:`,
    '',
    install,
    '',
  ];
}

/** The remarks about a workspace: whether it has sample data, and whether its mail is simulated. */
function remarkOn({ workspace: { plan }, isNew }: SeededService): string {
  const remarks = [
    ...(isNew ? ['a sample: dev made it, with its data'] : []),
    ...(plan.name === 'sandbox' ? ['plan sandbox: everything it sends is simulated'] : []),
  ];
  return remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
}

/** The lines for the terminal. */
export async function announcement(serving: Serving, { colours }: Pick<TerminalOutput, 'colours'>): Promise<string[]> {
  const { wantedPort, port, seeded, service } = serving;
  const info = await servingInfo(serving);
  const [closed, absent] = [closedPages(serving), absentPages(serving)];
  const canServeTools = toolPeers.every(isInstalled);
  const rows: [name: string, value: string][] = [
    ['Start page', colours.cyan(info.url)],
    ...(info.console === null ? [] : [['Console', colours.cyan(info.console)] as [string, string]]),
    ...(info.inbox === null ? [] : [['Inbox', colours.cyan(info.inbox)] as [string, string]]),
    ...(info.docs === null ? [] : [['Reference', colours.cyan(info.docs)] as [string, string]]),
    ['API', colours.cyan(info.api)],
    ['OpenAPI', `${colours.cyan(info.openapi)}${service.core.settings.publicOpenapi ? '' : ' (asks for a key)'}`],
    ['MCP', canServeTools ? colours.cyan(info.mcp) : `${colours.cyan(info.mcp)} (needs more packages, see below)`],
    ...(closed.length === 0
      ? []
      : [['Closed', `${closed.join(', ')} (no access in the config, and this is production)`] as [string, string]]),
    ...(absent.length === 0
      ? []
      : [['Left out', `${absent.join(', ')} (the config does not ask for them)`] as [string, string]]),
    ['Database', info.database],
    ['Migrations', migrationsOf(serving)],
    ...(seeded === undefined
      ? []
      : ([
          ['Workspace', `${seeded.workspace.name}, ${seeded.workspace.id}${remarkOn(seeded)}`],
          ['Sandbox key', seeded.key],
        ] as [string, string][])),
  ];
  const lines = [
    ...(wantedPort !== 0 && port !== wantedPort
      ? [colours.yellow(`Port ${wantedPort} is taken, so this server uses ${port}.`), '']
      : []),
    colours.bold(`${service.core.ports.service.name} ${release}`),
    '',
    ...rows.map(([name, value]) => `  ${colours.dim(name.padEnd(12))}${value}`),
    '',
  ];
  lines.push(...missingPackages(serving));
  if (seeded === undefined) {
    const reason =
      service.core.ports.service.environment === 'production'
        ? 'In production, dev makes no key. Make one: postrider keys create'
        : 'There are several workspaces, so dev made no key. Choose one: postrider dev --workspace ID';
    lines.push(reason, '');
  } else {
    const command =
      seeded.sample === undefined
        ? 'Try it:'
        : `Send a mail${info.inbox === null ? '' : ', then look into the inbox'}:`;
    lines.push(command, '', curlLine(serving, seeded), '');
  }
  lines.push(colours.dim('Ctrl-C stops it.'));
  return lines;
}
