// What `dev` says when it is ready: where everything is, a key, and a line that sends. Text only; called by serve.ts.
import { relative } from 'node:path';
import type { Service } from '../../../core/index.ts';
import { release } from '../../../core/index.ts';
import { installLine, templatePeers, toolPeers } from '../peers.ts';
import type { Output } from '../terminal.ts';
import { developmentDatabase } from './compose.ts';
import type { Furniture } from './furnish.ts';
import type { StartLink } from './start-page.ts';

/** A server that is ready. */
export interface Serving {
  readonly service: Service;
  readonly cwd: string;
  readonly config: string | undefined;
  /** `http://127.0.0.1:3000` */
  readonly origin: string;
  /** The mount of the service: empty, or `/messaging`. */
  readonly base: string;
  readonly wantedPort: number;
  readonly port: number;
  /** `core/0001-core` */
  readonly applied: readonly string[];
  /** Missing in production, and where there are several workspaces to choose from. */
  readonly furniture: Furniture | undefined;
}

const pages = [
  { path: '/inbox', name: 'Inbox', text: 'Every mail that was sent here, as its reader sees it' },
  { path: '/docs', name: 'API reference', text: 'Every operation, with examples' },
] as const;

/** Links for the start page and for the list, of what is composed. */
export function linksOf({ service, base }: Pick<Serving, 'service' | 'base'>): StartLink[] {
  const routes = new Set(service.core.registry.publicRoutes.map(({ method, path }) => `${method} ${path}`));
  const found = pages.filter(({ path }) => routes.has(`GET ${path}`));
  return [
    ...found.map(({ path, name, text }) => ({ href: `${base}${path}`, name, text })),
    ...(service.core.settings.publicOpenapi
      ? [{ href: `${base}/v1/openapi.json`, name: 'OpenAPI', text: 'The same as a document for code generators' }]
      : []),
  ];
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A line that sends one mail when it is pasted; a read where there is no template to send. */
export function curlLine(
  { origin, base }: Pick<Serving, 'origin' | 'base'>,
  { key, sample, workspace }: Furniture,
): string {
  const authorization = `-H ${quoteForShell(`Authorization: Bearer ${key}`)}`;
  if (sample === undefined) return `curl -i ${origin}${base}/v1/workspace ${authorization}`;
  const message = JSON.stringify({ to: 'ada@example.com', variables: sample.short });
  // From the plan pro up a send needs a key of its own for each message.
  const once = workspace.plan.tier >= 2 ? ' -H "Idempotency-Key: $(date +%s)"' : '';
  return `curl -i ${origin}${base}/v1/templates/${sample.template}/send ${authorization} -H 'Content-Type: application/json'${once} -d ${quoteForShell(message)}`;
}

function databaseOf({ service, config, cwd }: Serving, adapter: string): string {
  if (config === undefined) return relative(cwd, developmentDatabase(cwd));
  const { environment } = service.core.ports.service;
  return `${adapter}, as ${relative(cwd, config)} says${environment === 'production' ? ' (production)' : ''}`;
}

function migrationsOf({ applied, service }: Serving): string {
  if (service.core.ports.service.environment === 'production') return 'not in production: postrider migrate';
  if (applied.length === 0) return 'none to apply';
  return applied.length <= 3
    ? `applied ${applied.join(', ')}`
    : `applied ${applied.length}, ${applied[0]} to ${applied.at(-1)}`;
}

/** The same facts for programs: what --json prints. */
export async function servingFacts(serving: Serving) {
  const { service, origin, base, port, applied, furniture } = serving;
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
    inbox: pageOf('/inbox'),
    docs: pageOf('/docs'),
    database: databaseOf(serving, adapter.id),
    migrations: applied,
    workspace: furniture === undefined ? null : { id: furniture.workspace.id, name: furniture.workspace.name },
    key: furniture?.key ?? null,
    curl: furniture === undefined ? null : curlLine(serving, furniture),
  };
}

/** The lines on the terminal. */
export async function announcement(serving: Serving, { colours }: Pick<Output, 'colours'>): Promise<string[]> {
  const { wantedPort, port, furniture, service } = serving;
  const facts = await servingFacts(serving);
  const tools = installLine(toolPeers);
  const rows: [name: string, value: string][] = [
    ['Start page', colours.cyan(facts.url)],
    ...(facts.inbox === null ? [] : [['Inbox', colours.cyan(facts.inbox)] as [string, string]]),
    ...(facts.docs === null ? [] : [['Reference', colours.cyan(facts.docs)] as [string, string]]),
    ['API', colours.cyan(facts.api)],
    ['OpenAPI', colours.cyan(facts.openapi)],
    ['MCP', tools === undefined ? colours.cyan(facts.mcp) : `${colours.cyan(facts.mcp)} (needs: ${tools})`],
    ['Database', facts.database],
    ['Migrations', migrationsOf(serving)],
    ...(furniture === undefined
      ? []
      : ([
          ['Workspace', `${furniture.workspace.name}, ${furniture.workspace.id}`],
          ['Sandbox key', furniture.key],
        ] as [string, string][])),
  ];
  const lines = [
    ...(wantedPort !== 0 && port !== wantedPort
      ? [colours.yellow(`Port ${wantedPort} is taken; this is on ${port}.`), '']
      : []),
    colours.bold(`${service.core.ports.service.name} ${release}`),
    '',
    ...rows.map(([name, value]) => `  ${colours.dim(name.padEnd(12))}${value}`),
    '',
  ];
  const publishing = service.core.registry.operations.has('templates.publish') ? installLine(templatePeers) : undefined;
  if (publishing !== undefined) lines.push(`Publishing templates of your own needs more packages: ${publishing}`, '');
  if (furniture === undefined) {
    const why =
      service.core.ports.service.environment === 'production'
        ? 'In production, keys are made with: postrider keys create'
        : 'There are several workspaces, so no key was made. Choose one: postrider dev --workspace ID';
    lines.push(why, '');
  } else {
    const what =
      furniture.sample === undefined
        ? 'Ask it something:'
        : `Send one${facts.inbox === null ? '' : ', then look into the inbox'}:`;
    lines.push(what, '', curlLine(serving, furniture), '');
  }
  lines.push(colours.dim('Ctrl-C stops it.'));
  return lines;
}
