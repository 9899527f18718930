// The sending domains of a workspace in the console, with the result of the last DNS check.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  counted,
  dataTable,
  emptyNotice,
  type Html,
  html,
  moment,
  nameCell,
  pager,
  pill,
} from '../../../core/unstable.ts';
import type { DomainSummary } from '../schema.ts';

const path = 'domains';
const pageSize = 50;
/** The maximum number of domains of a workspace. */
const maxDomains = 100;

/** The state of a domain. */
export function domainPill({ status, faults }: Pick<DomainSummary, 'status' | 'faults'>): Html {
  if (status === 'pending') return pill('Not verified', 'wait');
  return faults === null || faults === 0 ? pill('Verified', 'good') : pill('Records missing', 'bad');
}

/** The domains that a search of the console finds. */
export async function findDomains({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.domains.list({ limit: maxDomains });
  return data
    .filter(({ domain, id }) => beginsWith(text, domain) || id === text)
    .map(({ domain }) => ({ title: domain, path: `${path}/${domain}` }));
}

function recordWords({ faults, checkedAt }: DomainSummary): string {
  if (checkedAt === null) return 'Not checked yet';
  if (faults === 0) return 'All right';
  return faults === null ? '' : `${counted(faults, 'record')} to set`;
}

/** The list. */
export async function domainList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.domains.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map((domain) => [
    nameCell(ctx.link(`${path}/${domain.domain}`), domain.domain),
    domainPill(domain),
    recordWords(domain),
    domain.checkedAt === null ? '' : moment(domain.checkedAt, ctx),
  ]);
  const table =
    rows.length === 0
      ? emptyNotice(
          'A sending domain has DNS records that let receivers trust its mail. Your program adds it: service.domains.create.',
        )
      : dataTable('Domains', ['Domain', 'State', 'DNS records', 'Checked'], rows);
  return { heading: 'Domains', body: html`${table}${pager(ctx, path, next)}` };
}
