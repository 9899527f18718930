// Chooses how a message is handed over (by one of the workspace's connectors, or by the program's mail adapter), and the key that
// signs it. Called by the delivery job, outside any transaction.
import { type JobContext, parseAddress, type TransactionContext } from '../../../core/index.ts';
import type { ConnectorsService } from '../../connectors/service.ts';
import type { DomainsService } from '../../domains/service.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import {
  isForbiddenOnWire,
  isMailError,
  type MailAdapter,
  MailError,
  type MailReceipt,
  type OutgoingMail,
} from '../port/index.ts';
import type { SendRow } from '../tables.ts';
import { DeliverySlots, type ReleaseSlot } from './delivery-slots.ts';

const releaseNothing: ReleaseSlot = () => undefined;

/** One object for each service of the process: two services do not share connectors. */
const slotsByService = new WeakMap<ConnectorsService, DeliverySlots>();

function slotsFor(connectors: ConnectorsService): DeliverySlots {
  const slots = slotsByService.get(connectors) ?? new DeliverySlots();
  slotsByService.set(connectors, slots);
  return slots;
}

/** The connection that hands over one message. */
export interface MailConnection {
  /** The provider of the connector, or the id of the program's adapter. */
  readonly provider: string;
  /** The name of the connection in the log. */
  readonly name: string;
  /** Whether the message stays in this process. The inbox then shows it. */
  readonly captures: boolean;
  /**
   * Takes a slot for one message, to be released after its hand-over. Undefined if the connector's server has stalled: the message must
   * then wait in the queue.
   */
  takeSlot(): Promise<ReleaseSlot | undefined>;
  /** @throws MailError */
  send(mail: OutgoingMail): Promise<MailReceipt>;
}

/** Removes reserved headers. Accepting a send strips them too, if the adapter is already known then. */
function withoutReserved(mail: OutgoingMail, { reservedHeaders }: MailAdapter): OutgoingMail {
  if (reservedHeaders === undefined) return mail;
  const allowedHeaders = Object.entries(mail.headers).filter(([name]) => !isForbiddenOnWire(name, reservedHeaders));
  return { ...mail, headers: Object.fromEntries(allowedHeaders) };
}

/** The provider that an accepted send shows: the provider of its connector, or the program's adapter. */
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

/** Converts the error of an unusable connector: the connector has not accepted the message. */
function asMailError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ConnectorUnusable') return error;
  const { message, cause } = error;
  const smtpCode = isMailError(cause) ? cause.smtpCode : undefined;
  return new MailError('transient', message, { unavailable: true, ...(smtpCode === undefined ? {} : { smtpCode }) });
}

/**
 * Chooses the connection. A connector that waits for new credentials only delays its own messages.
 * @throws MailError if the chosen connector cannot be used now; any error of the program's function for adapters
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
  const returnPath = ctx.services.returnPaths.of(send.id);
  const handOver = (adapter: MailAdapter, mail: OutgoingMail): Promise<MailReceipt> =>
    adapter.send(
      { ...withoutReserved(mail, adapter), ...(returnPath === undefined ? {} : { returnPath }) },
      {
        signal: ctx.signal,
        idempotencyKey: send.id,
        workspaceId: workspace.id,
        sandbox: false,
        urgent: ctx.lane === 'urgent',
        outgoing: ctx.ports.outgoing,
        ...(dkim === undefined ? {} : { dkim }),
      },
    );
  if (chosen === undefined || connectors === undefined) {
    const adapter = await ctx.ports.mail.of(workspace.id);
    return {
      provider: adapter.id,
      name: adapter.id,
      captures: adapter.capabilities.captures,
      takeSlot: async () => releaseNothing,
      send: (mail) => handOver(adapter, mail),
    };
  }
  const withMailErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asMailError(error);
    }
  };
  const ready = await withMailErrors(() => connectors.ready(ctx, 'mail', chosen.id));
  return {
    provider: chosen.provider,
    name: `the connector ${chosen.id}`,
    captures: false,
    takeSlot: () => slotsFor(connectors).takeSlot(chosen.id, ctx.lane),
    send: (mail) => withMailErrors(() => connectors.use(ctx, ready, (adapter) => handOver(adapter, mail))),
  };
}
