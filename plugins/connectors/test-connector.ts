// Checks with the provider whether a connector's credentials work, without sending or changing anything. Called by the program's
// `connectors.test`, and through it by `postrider doctor`. Uses a separate adapter, and closes it.
import type { Outgoing, ProvisioningContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { type ConnectorRow, connectorRows } from './tables.ts';

/** The result of checking a connector's credentials. */
export interface ConnectorTest {
  /**
   * `works`: the provider accepted the credentials. `refused`: the provider refuses them, or they no longer work. `unreachable`:
   * the provider did not answer, or refuses service for another reason. `unchecked`: the adapter cannot check without sending.
   */
  readonly outcome: 'works' | 'refused' | 'unreachable' | 'unchecked';
  /** A sentence with the solution. Contains no credentials. */
  readonly text: string;
}

/** The methods of adapters that support a check. */
interface CheckableAdapter {
  readonly verify?: (signal: AbortSignal, ports: { readonly outgoing: Outgoing }) => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** All texts in a value, each of which may be a secret. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 4 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const renewalAdvice = 'Give it new ones with service.connectors.update.';

/** The result that is known without a call of the provider; undefined if it is not known. */
function resultWithoutCall(
  { provider, status }: ConnectorRow,
  expiresAt: number | null,
  now: number,
): ConnectorTest | undefined {
  if (status !== 'connected') return { outcome: 'refused', text: `The credentials are ${status}. ${renewalAdvice}` };
  if (expiresAt === null || expiresAt > now) return undefined;
  return {
    outcome: 'unchecked',
    text: `The credentials for ${provider} have expired; the next message refreshes them.`,
  };
}

/** Checks with the provider within `timeoutMs`. @throws connector_not_found */
export async function testConnector(
  { services, ports, read }: ProvisioningContext,
  workspaceId: string,
  id: string,
  { timeoutMs, signal: callerSignal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ConnectorTest> {
  const { connectors, vault } = services;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = callerSignal === undefined ? limit : AbortSignal.any([callerSignal, limit]);
  const [row, sealed] = await read(workspaceId, ({ trx }) =>
    Promise.all([connectorRows.find(trx, id), vault.find(trx, id)]),
  );
  if (row === undefined || sealed === undefined) throw errors.connector_not_found({ id });
  const provider = connectors.providers.find(row.kind, row.provider);
  if (provider === undefined)
    return { outcome: 'refused', text: `The provider ${row.provider} is not composed: see connectorsPlugin.` };
  const knownResult = resultWithoutCall(row, sealed.expires_at, ports.now());
  if (knownResult !== undefined) return knownResult;
  let secrets: readonly string[] = [];
  let adapter: CheckableAdapter | undefined;
  try {
    const credentials = vault.open(workspaceId, sealed);
    secrets = textsIn(credentials);
    adapter = provider.connect({ credentials, options: row.options }, { outgoing: ports.outgoing }) as CheckableAdapter;
    if (adapter.verify === undefined)
      return { outcome: 'unchecked', text: `${row.provider} cannot be asked without sending.` };
    await adapter.verify(signal, { outgoing: ports.outgoing });
    return { outcome: 'works', text: `${row.provider} accepts the credentials.` };
  } catch (error) {
    if (signal.aborted) return { outcome: 'unreachable', text: `${row.provider} did not answer in time.` };
    // The provider's message may repeat the credentials.
    const message = error instanceof Error ? error.message : `${row.provider} did not answer.`;
    const plain = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
    if (provider.faultOf?.(error) === undefined) return { outcome: 'unreachable', text: plain };
    return { outcome: 'refused', text: `${row.provider} refuses the credentials: ${plain} ${renewalAdvice}` };
  } finally {
    await adapter?.close?.().catch(() => undefined);
  }
}
