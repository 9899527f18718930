// A mail bench whose workspaces have connectors: real SMTP servers, each with a login, and providers that the test defines
import { smtpConnector } from '../../adapters/mail/smtp-connector.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import type { ConnectorProvider } from '../../plugins/connectors/port/index.ts';
import type { DnsResolver } from '../../plugins/domains/index.ts';
import { connectorsPlugin, domainsPlugin, type standardPlugins } from '../../plugins/index.ts';
import type { TestDatabase } from './databases.ts';
import { type MailBench, openMailBench } from './mail-bench.ts';
import { bareStandardPlugins } from './plugins.ts';
import { SmtpSink } from './smtp-sink.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

/** The differences from a bench with the standard plugins. */
export interface ConnectorBenchOptions {
  /** Providers in addition to SMTP. (Default: none) */
  readonly providers?: readonly ConnectorProvider[];
  /** (Default: a resolver without any record) */
  readonly resolver?: DnsResolver;
  readonly service?: Partial<ServiceOptions<StandardIds>>;
}

/** A submission server with one account, as a connector names it. */
export interface SubmissionAccount {
  readonly sink: SmtpSink;
  readonly credentials: { readonly user: string; readonly pass: string };
  readonly options: { readonly host: string; readonly port: number };
}

/** The bench with its accounts. */
export interface ConnectorBench extends MailBench {
  /** Starts a server that accepts only this password. */
  account(pass: string): Promise<SubmissionAccount>;
  /** The recipients of the mail that a server accepted. */
  reached(sink: SmtpSink): readonly string[];
}

const noRecords: DnsResolver = {
  resolveTxt: async () => [],
  resolveCname: async () => [],
};

/** The standard plugins with these providers. */
export const pluginsWith = ({ providers = [], resolver = noRecords }: ConnectorBenchOptions) => {
  const smtp = smtpConnector({ tls: { rejectUnauthorized: false } });
  return bareStandardPlugins.map((plugin) => {
    if (plugin.id === 'connectors') return connectorsPlugin({ providers: [smtp, ...providers] });
    if (plugin.id === 'domains') return domainsPlugin({ resolver });
    return plugin;
  });
};

/** Opens the bench with the template `receipt`. */
export async function openConnectorBench(
  database: TestDatabase,
  options: ConnectorBenchOptions = {},
): Promise<ConnectorBench> {
  const bench = await openMailBench(database, { ...options.service, plugins: pluginsWith(options) });
  await bench.publish('receipt');
  const sinks: SmtpSink[] = [];
  return {
    ...bench,
    async account(pass) {
      const credentials = { user: 'post', pass };
      const sink = await SmtpSink.start({ credentials });
      sinks.push(sink);
      return { sink, credentials, options: { host: sink.host, port: sink.port } };
    },
    reached: (sink) => sink.messages.flatMap(({ recipients }) => recipients),
    async close() {
      await bench.close();
      for (const sink of sinks) await sink.stop();
    },
  };
}
