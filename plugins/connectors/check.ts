// Whether a connector's credentials work: asked of its provider, without sending or changing anything. Called by the program's
// `connectors.test`, and so by `postrider doctor`. It uses an adapter of its own, which it closes.
import type { Outgoing, ProvisioningContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { type ConnectorRow, connectorRows } from './tables.ts';

/** What a provider says of a connector's credentials. */
export interface ConnectorTest {
  /**
   * `works`: they were accepted. `refused`: the provider refuses them, or they are of no use any more. `unreachable`: the
   * provider did not answer, or refuses its service for another reason. `unchecked`: its adapter cannot ask without sending.
   */
  readonly outcome: 'works' | 'refused' | 'unreachable' | 'unchecked';
  /** A sentence with the way out. Holds no credentials. */
  readonly text: string;
}

/** What adapters have that can be asked. */
interface Asked {
  readonly verify?: (signal: AbortSignal, ports: { readonly outgoing: Outgoing }) => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** Every text in a value that may be a secret. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 4 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const wayOut = 'Give it new ones with service.connectors.update.';

/** What is known without asking. */
function knownOf({ provider, status }: ConnectorRow, expiresAt: number | null, now: number): ConnectorTest | undefined {
  if (status !== 'connected') return { outcome: 'refused', text: `The credentials are ${status}. ${wayOut}` };
  if (expiresAt === null || expiresAt > now) return undefined;
  return {
    outcome: 'unchecked',
    text: `The credentials for ${provider} have expired; the next message refreshes them.`,
  };
}

/** Asks the provider within `timeoutMs`. @throws connector_not_found */
export async function testConnector(
  { services, ports, read }: ProvisioningContext,
  workspaceId: string,
  id: string,
  { timeoutMs, signal: given }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ConnectorTest> {
  const { connectors, vault } = services;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = given === undefined ? limit : AbortSignal.any([given, limit]);
  const [row, sealed] = await read(workspaceId, ({ trx }) =>
    Promise.all([connectorRows.find(trx, id), vault.find(trx, id)]),
  );
  if (row === undefined || sealed === undefined) throw errors.connector_not_found({ id });
  const provider = connectors.providers.find(row.kind, row.provider);
  if (provider === undefined)
    return { outcome: 'refused', text: `The provider ${row.provider} is not composed: see connectorsPlugin.` };
  const known = knownOf(row, sealed.expires_at, ports.now());
  if (known !== undefined) return known;
  let secrets: readonly string[] = [];
  let adapter: Asked | undefined;
  try {
    const credentials = vault.open(workspaceId, sealed);
    secrets = textsIn(credentials);
    adapter = provider.connect({ credentials, options: row.options }, { outgoing: ports.outgoing }) as Asked;
    if (adapter.verify === undefined)
      return { outcome: 'unchecked', text: `${row.provider} cannot be asked without sending.` };
    await adapter.verify(signal, { outgoing: ports.outgoing });
    return { outcome: 'works', text: `${row.provider} accepts the credentials.` };
  } catch (error) {
    if (signal.aborted) return { outcome: 'unreachable', text: `${row.provider} did not answer in time.` };
    // The provider's words may repeat what it was given.
    const words = error instanceof Error ? error.message : `${row.provider} did not answer.`;
    const plain = secrets.reduce((kept, secret) => kept.replaceAll(secret, '[secret]'), words);
    if (provider.faultOf?.(error) === undefined) return { outcome: 'unreachable', text: plain };
    return { outcome: 'refused', text: `${row.provider} refuses the credentials: ${plain} ${wayOut}` };
  } finally {
    await adapter?.close?.().catch(() => undefined);
  }
}
