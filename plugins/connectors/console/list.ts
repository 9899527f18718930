// The page of connectors in the console: the workspace's accounts with providers and whether they work. Never their credentials.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  conclusion,
  dataTable,
  emptyNotice,
  html,
  idOfRow,
  moment,
  type PillTone,
  pager,
  pill,
} from '../../../core/unstable.ts';
import type { ConnectorPublic } from '../schema.ts';

const path = 'connectors';
const pageSize = 50;
/** The maximum number of providers that the page names. */
const maxProviders = 100;

const states: Readonly<Record<ConnectorPublic['status'], readonly [words: string, tone: PillTone]>> = {
  connected: ['Connected', 'good'],
  expired: ['Expired', 'bad'],
  revoked: ['Refused by the provider', 'bad'],
};

const kinds: Readonly<Record<ConnectorPublic['kind'], string>> = { mail: 'Mail', sms: 'SMS', social: 'Social' };

export async function connectorList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.connectors.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const { data: providers } = await ctx.calls.connectors.catalog({ limit: maxProviders });
  const providerNames = new Map(providers.map(({ provider, name }) => [provider, name]));
  const rows = data.map((connector) => [
    html`<span class="name" dir="auto">${connector.name}</span><span class="below">${idOfRow(connector.id)}</span>`,
    pill(...states[connector.status]),
    html`${providerNames.get(connector.provider) ?? connector.provider}<span class="below">${kinds[connector.kind]}</span>`,
    connector.lastUsedAt === null ? 'Never' : moment(connector.lastUsedAt, ctx),
    moment(connector.createdAt, ctx),
  ]);
  const broken = data.filter(({ status }) => status !== 'connected').length;
  const warning =
    broken === 0
      ? null
      : conclusion(
          'bad',
          'Some connectors no longer work.',
          'Your program gives them new credentials: service.connectors.update.',
        );
  const table =
    rows.length === 0
      ? emptyNotice(
          "A connector is the workspace's own account with a provider. Your program connects it: service.connectors.create.",
        )
      : dataTable('Connectors', ['Connector', 'State', 'Provider', 'Last used', 'Created'], rows);
  const providerLine =
    providers.length === 0
      ? null
      : html`<p class="quiet">This service can connect: ${providers.map(({ name }) => name).join(', ')}.</p>`;
  return { heading: 'Connectors', body: html`${warning}${table}${providerLine}${pager(ctx, path, next)}` };
}
