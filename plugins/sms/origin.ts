// Where a message leaves: one of the workspace's connectors or the program's adapter, and from which sender. `originOf` reads
// what accepting shows of it; `connectSms` opens it for the delivery job, outside of any transaction.
import type { JobContext, OperationContext, WorkspaceHandle } from '../../core/index.ts';
import { isLoopbackUrl } from '../../core/unstable.ts';
import type { ConnectorRow, ConnectorsService } from '../connectors/service.ts';
import type { KitTemplate } from './kit/kit.ts';
import { isSmsError, type OutgoingSms, type SmsAdapter, SmsError, type SmsReceipt } from './port/index.ts';
import { loadSettings, type Settings } from './settings.ts';
import type { SmsRow } from './tables.ts';

/** What is known of the way out before it is opened. */
export interface SmsOrigin {
  readonly provider: string;
  /** Null where only the provider knows. */
  readonly sender: string | null;
}

/** Codes belong to the program's own mail and SMS, reminders to its regular traffic: as connectors tell them apart. */
const categoryOf = (kind: KitTemplate['class']) => (kind === 'authentication' ? 'system' : 'transactional');

const choose = (
  connectors: ConnectorsService | undefined,
  handle: WorkspaceHandle,
  { class: kind, templateKey: template }: Pick<KitTemplate, 'class' | 'templateKey'>,
) => connectors?.choose(handle, 'sms', { category: categoryOf(kind), template });

/** A connector says in its options what it sends from. */
function senderOf({ options }: ConnectorRow): string | null {
  const { sender } = (options ?? {}) as { readonly sender?: unknown };
  return typeof sender === 'string' ? sender : null;
}

/** The way out that a message would take now. */
export async function originOf(
  { trx, services, ports, workspace, sandbox }: OperationContext,
  settings: Settings,
  template: KitTemplate,
): Promise<SmsOrigin> {
  const connectors: ConnectorsService | undefined = services.connectors;
  const chosen = await choose(connectors, trx, template);
  const adapter = ports.sms.known(workspace.id);
  const sender = settings.sender ?? (chosen === undefined ? (adapter?.sender ?? null) : senderOf(chosen));
  if (sandbox) return { provider: 'sandbox', sender };
  return { provider: chosen?.provider ?? ports.sms.idOf(workspace.id), sender };
}

/** The way out for one message. */
export interface SmsConnection {
  readonly provider: string;
  /** What the log calls it. */
  readonly name: string;
  readonly captures: boolean;
  /** What it will be sent from; null where only the provider knows. */
  readonly sender: string | null;
  /** @throws SmsError */
  send(sms: OutgoingSms): Promise<SmsReceipt>;
}

/** The address of the provider's reports about a message; undefined where no provider can reach the service. */
function callbackUrl(ctx: JobContext, adapter: SmsAdapter, sms: SmsRow, connectorId?: string): string | undefined {
  const { publicUrl } = ctx.ports.service;
  if (adapter.reports === undefined || publicUrl === undefined || isLoopbackUrl(publicUrl)) return undefined;
  const query = new URLSearchParams({ workspace: ctx.workspace.id, sms: sms.id });
  if (connectorId !== undefined) query.set('connector', connectorId);
  return `${publicUrl}/inbound/sms/${adapter.id}?${query}`;
}

/** The provider that refused the credentials has taken nothing: the message waits for new ones. */
function asSmsError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ConnectorUnusable') return error;
  const { message, cause } = error;
  if (isSmsError(cause) && cause.fault === 'unknown') return cause;
  return new SmsError('busy', message, { reason: 'account' });
}

/**
 * Chooses the way out. A connector that waits for new credentials delays its own messages only.
 * @throws SmsError where the chosen connector cannot be used now; what the program's function for adapters throws
 */
export async function connectSms(ctx: JobContext, sms: SmsRow): Promise<SmsConnection> {
  const connectors: ConnectorsService | undefined = ctx.services.connectors;
  const template = { class: sms.class, templateKey: sms.template_key };
  const [chosen, settings] = await ctx.read(({ trx }) =>
    Promise.all([choose(connectors, trx, template), loadSettings(trx)]),
  );
  const handOver = (adapter: SmsAdapter, given: OutgoingSms, connectorId?: string): Promise<SmsReceipt> => {
    const callback = callbackUrl(ctx, adapter, sms, connectorId);
    return adapter.send(
      {
        ...given,
        ...(settings.sender === null ? {} : { from: settings.sender }),
        ...(callback === undefined ? {} : { callbackUrl: callback }),
      },
      { signal: ctx.signal, idempotencyKey: sms.id, workspaceId: ctx.workspace.id, outgoing: ctx.ports.outgoing },
    );
  };
  if (chosen === undefined || connectors === undefined) {
    const adapter = await ctx.ports.sms.of(ctx.workspace.id);
    const { captures } = adapter.capabilities;
    const sender = settings.sender ?? adapter.sender ?? null;
    return { provider: adapter.id, name: adapter.id, captures, sender, send: (given) => handOver(adapter, given) };
  }
  const mapped = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asSmsError(error);
    }
  };
  const ready = await mapped(() => connectors.ready(ctx, 'sms', chosen.id));
  return {
    provider: chosen.provider,
    name: `the connector ${chosen.id}`,
    captures: false,
    sender: settings.sender ?? senderOf(chosen),
    send: (given) => mapped(() => connectors.use(ctx, ready, (adapter) => handOver(adapter, given, chosen.id))),
  };
}
