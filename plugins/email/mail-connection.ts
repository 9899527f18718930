// Where a message is handed over: by one of the workspace's connectors, or by the program's mail adapter, and with which key
// it is signed. Called by the delivery job, outside of any transaction.
import { type JobContext, parseAddress, type TransactionContext } from '../../core/index.ts';
import type { ConnectorsService } from '../connectors/service.ts';
import type { DomainsService } from '../domains/service.ts';
import type { ResolvedTemplate } from '../templates/index.ts';
import { type Leave, Places } from './places.ts';
import {
  isForbiddenOnWire,
  isMailError,
  type MailAdapter,
  MailError,
  type MailReceipt,
  type OutgoingMail,
} from './port/index.ts';
import type { SendRow } from './tables.ts';

const freely: Leave = () => undefined;

/** One for each service of the process: connectors of two services have nothing in common. */
const placesOf = new WeakMap<ConnectorsService, Places>();

function placesFor(connectors: ConnectorsService): Places {
  const places = placesOf.get(connectors) ?? new Places();
  placesOf.set(connectors, places);
  return places;
}

/** The way out for one message. */
export interface MailConnection {
  /** The provider of the connector, or the id of the program's adapter. */
  readonly provider: string;
  /** What the log calls it. */
  readonly name: string;
  /** Whether the message stays in this process, where the inbox shows it. */
  readonly captures: boolean;
  /**
   * A place for one message, to be given back after its hand-over; undefined where the connector's server has stalled, and
   * the message is to wait elsewhere.
   */
  enter(): Promise<Leave | undefined>;
  /** @throws MailError */
  send(mail: OutgoingMail): Promise<MailReceipt>;
}

/** Accepting strips these headers, too, where it knows the adapter already. */
function withoutReserved(mail: OutgoingMail, { reservedHeaders }: MailAdapter): OutgoingMail {
  if (reservedHeaders === undefined) return mail;
  const kept = Object.entries(mail.headers).filter(([name]) => !isForbiddenOnWire(name, reservedHeaders));
  return { ...mail, headers: Object.fromEntries(kept) };
}

/** What an accepted send shows as its provider: that of its connector, or the program's adapter. */
export async function expectedProvider(
  { trx, services, ports, workspace }: TransactionContext,
  { category, key: template }: Pick<ResolvedTemplate, 'category' | 'key'>,
  sandbox: boolean,
): Promise<string> {
  if (sandbox) return 'sandbox';
  const connectors: ConnectorsService | undefined = services.connectors;
  const chosen = await connectors?.choose(trx, 'mail', { category, template });
  return chosen?.provider ?? ports.mail.idOf(workspace.id);
}

/** A connector that cannot be used took no message. */
function asMailError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ConnectorUnusable') return error;
  const { message, cause } = error;
  const smtpCode = isMailError(cause) ? cause.smtpCode : undefined;
  return new MailError('transient', message, { unavailable: true, ...(smtpCode === undefined ? {} : { smtpCode }) });
}

/**
 * Chooses the way out. A connector that waits for new credentials delays its own messages only.
 * @throws MailError where the chosen connector cannot be used now; what the program's function for adapters throws
 */
export async function connectMail(ctx: JobContext, send: SendRow): Promise<MailConnection> {
  const { workspace } = ctx;
  const connectors: ConnectorsService | undefined = ctx.services.connectors;
  const domains: DomainsService | undefined = ctx.services.domains;
  const purpose = { category: send.category, template: send.template_key };
  const domain = parseAddress(send.from_email)?.domain ?? '';
  const [chosen, dkim] = await ctx.read(({ trx }) =>
    Promise.all([connectors?.choose(trx, 'mail', purpose), domains?.signingKey(trx, domain)]),
  );
  const handOver = (adapter: MailAdapter, mail: OutgoingMail): Promise<MailReceipt> =>
    adapter.send(withoutReserved(mail, adapter), {
      signal: ctx.signal,
      idempotencyKey: send.id,
      workspaceId: workspace.id,
      sandbox: false,
      outgoing: ctx.ports.outgoing,
      ...(dkim === undefined ? {} : { dkim }),
    });
  if (chosen === undefined || connectors === undefined) {
    const adapter = await ctx.ports.mail.of(workspace.id);
    return {
      provider: adapter.id,
      name: adapter.id,
      captures: adapter.capabilities.captures,
      enter: async () => freely,
      send: (mail) => handOver(adapter, mail),
    };
  }
  const mapped = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asMailError(error);
    }
  };
  const ready = await mapped(() => connectors.ready(ctx, 'mail', chosen.id));
  return {
    provider: chosen.provider,
    name: `the connector ${chosen.id}`,
    captures: false,
    enter: () => placesFor(connectors).enter(chosen.id),
    send: (mail) => mapped(() => connectors.use(ctx, ready, (adapter) => handOver(adapter, mail))),
  };
}
