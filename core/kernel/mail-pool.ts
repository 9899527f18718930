// The mail adapter of each workspace, resolved once and closed with the service.
import type { MailAdapter, MailResolver } from '../contract/ports/mail.ts';
import { MailError } from '../contract/ports/mail.ts';

/** Adapters by workspace. */
export interface MailPool {
  adapterOf(workspaceId: string): Promise<MailAdapter>;
  /** The adapter's id, or `pending` while nobody has asked for it. */
  providerOf(workspaceId: string): string;
  close(): Promise<void>;
}

const missing: MailAdapter = {
  id: 'none',
  capabilities: { idempotent: false, captures: false },
  async send() {
    throw new MailError(
      'rejected',
      'No mail adapter is configured: give createService a `mail`, such as smtpMail({ host }).',
    );
  },
  close: async () => undefined,
};

/** A pool over one adapter or a choice. A choice that throws is asked again at the next message. */
export function createMailPool(resolver: MailResolver | undefined): MailPool {
  const resolved = new Map<string, Promise<MailAdapter>>();
  const providers = new Map<string, string>();
  const adapterOf = (workspaceId: string): Promise<MailAdapter> => {
    if (typeof resolver !== 'function') return Promise.resolve(resolver ?? missing);
    let adapter = resolved.get(workspaceId);
    if (adapter === undefined) {
      adapter = Promise.resolve(resolver(workspaceId));
      adapter.then(
        ({ id }) => providers.set(workspaceId, id),
        () => resolved.delete(workspaceId),
      );
      resolved.set(workspaceId, adapter);
    }
    return adapter;
  };
  return {
    adapterOf,
    providerOf: (workspaceId) =>
      typeof resolver === 'function' ? (providers.get(workspaceId) ?? 'pending') : (resolver ?? missing).id,
    async close() {
      if (resolver !== undefined && typeof resolver !== 'function') return resolver.close();
      const adapters = new Set(
        (await Promise.allSettled(resolved.values())).flatMap((result) =>
          result.status === 'fulfilled' ? [result.value] : [],
        ),
      );
      await Promise.all([...adapters].map((adapter) => adapter.close()));
    },
  };
}
