// Chooses how a message is sent: by one of the workspace's connectors or by the program's adapter, and from which sender.
// `originOf` finds the provider and the sender for a new message. `connectSms` opens the connection for the delivery job, outside any
// transaction.
import type { JobContext, OperationContext, WorkspaceHandle } from '../../../core/index.ts';
import { isLoopbackUrl } from '../../../core/unstable.ts';
import type { ConnectorRow, ConnectorsService } from '../../connectors/service.ts';
import type { KitTemplate } from '../kit/kit.ts';
import { isSmsError, type OutgoingSms, type SmsAdapter, SmsError, type SmsReceipt } from '../port/index.ts';
import { loadSettings, type WorkspaceSmsSettings } from '../settings.ts';
import type { SmsRow } from '../tables.ts';

/** The provider and the sender of a connection that is not open yet. */
export interface SmsOrigin {
  readonly provider: string;
  /** Null if only the provider knows it. */
  readonly sender: string | null;
}

/** The category for choosing a connector: codes count as system messages of the program, all others as regular traffic. */
const categoryOf = (kind: KitTemplate['class']) => (kind === 'authentication' ? 'system' : 'transactional');

const choose = (
  connectors: ConnectorsService | undefined,
  handle: WorkspaceHandle,
  { class: kind, templateKey: template }: Pick<KitTemplate, 'class' | 'templateKey'>,
) => connectors?.choose(handle, 'sms', { category: categoryOf(kind), template });

/** The sender from the connector's options. */
function senderOf({ options }: ConnectorRow): string | null {
  const { sender } = (options ?? {}) as { readonly sender?: unknown };
  return typeof sender === 'string' ? sender : null;
}

/** The provider and sender that a message would use now. */
export async function originOf(
  { trx, services, ports, workspace, sandbox }: OperationContext,
  settings: WorkspaceSmsSettings,
  template: KitTemplate,
): Promise<SmsOrigin> {
  const connectors: ConnectorsService | undefined = services.connectors;
  const connector = await choose(connectors, trx, template);
  const adapter = ports.sms.known(workspace.id);
  const sender = settings.sender ?? (connector === undefined ? (adapter?.sender ?? null) : senderOf(connector));
  if (sandbox) return { provider: 'sandbox', sender };
  return { provider: connector?.provider ?? ports.sms.idOf(workspace.id), sender };
}

/** The connection that hands over one message. */
export interface SmsConnection {
  readonly provider: string;
  /** The name of the connection in the log. */
  readonly name: string;
  readonly captures: boolean;
  /** The sender of the message; null if only the provider knows it. */
  readonly sender: string | null;
  /** @throws SmsError */
  send(sms: OutgoingSms): Promise<SmsReceipt>;
}

/** The URL for the provider's reports about a message; undefined if no provider can reach the service. */
function callbackUrl(ctx: JobContext, adapter: SmsAdapter, sms: SmsRow, connectorId?: string): string | undefined {
  const { publicUrl } = ctx.ports.service;
  if (adapter.reports === undefined || publicUrl === undefined || isLoopbackUrl(publicUrl)) return undefined;
  const query = new URLSearchParams({ workspace: ctx.workspace.id, sms: sms.id });
  if (connectorId !== undefined) query.set('connector', connectorId);
  return `${publicUrl}/inbound/sms/${adapter.id}?${query}`;
}

/** Converts the error of an unusable connector: the provider has accepted nothing, and the message waits for new credentials. */
function asSmsError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ConnectorUnusable') return error;
  const { message, cause } = error;
  if (isSmsError(cause) && cause.fault === 'unknown') return cause;
  return new SmsError('busy', message, { reason: 'account' });
}

/**
 * Chooses the connection. A connector that waits for new credentials only delays its own messages.
 * @throws SmsError if the chosen connector cannot be used now; any error of the program's function for adapters
 */
export async function connectSms(ctx: JobContext, sms: SmsRow): Promise<SmsConnection> {
  const connectors: ConnectorsService | undefined = ctx.services.connectors;
  const template = { class: sms.class, templateKey: sms.template_key };
  const [connector, settings] = await ctx.read(({ trx }) =>
    Promise.all([choose(connectors, trx, template), loadSettings(trx)]),
  );
  const handOver = (adapter: SmsAdapter, outgoingSms: OutgoingSms, connectorId?: string): Promise<SmsReceipt> => {
    const callback = callbackUrl(ctx, adapter, sms, connectorId);
    return adapter.send(
      {
        ...outgoingSms,
        ...(settings.sender === null ? {} : { from: settings.sender }),
        ...(callback === undefined ? {} : { callbackUrl: callback }),
      },
      { signal: ctx.signal, idempotencyKey: sms.id, workspaceId: ctx.workspace.id, outgoing: ctx.ports.outgoing },
    );
  };
  if (connector === undefined || connectors === undefined) {
    const adapter = await ctx.ports.sms.of(ctx.workspace.id);
    const { captures } = adapter.capabilities;
    const sender = settings.sender ?? adapter.sender ?? null;
    return {
      provider: adapter.id,
      name: adapter.id,
      captures,
      sender,
      send: (outgoingSms) => handOver(adapter, outgoingSms),
    };
  }
  const withSmsError = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asSmsError(error);
    }
  };
  const readyConnector = await withSmsError(() => connectors.ready(ctx, 'sms', connector.id));
  return {
    provider: connector.provider,
    name: `the connector ${connector.id}`,
    captures: false,
    sender: settings.sender ?? senderOf(connector),
    send: (outgoingSms) =>
      withSmsError(() =>
        connectors.use(ctx, readyConnector, (adapter) => handOver(adapter, outgoingSms, connector.id)),
      ),
  };
}
