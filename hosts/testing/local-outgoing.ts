// Outgoing requests that reach this machine only. For tests of adapters against a server that imitates the provider.
import type { Outgoing } from '../../core/contract/ports/outgoing.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';

const isLocal = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);

function checkLocal(host: string): void {
  if (!isLocal(host))
    throw new Error(
      `This test reaches 127.0.0.1 only, not ${host}. Give the adapter the address of the test's server.`,
    );
}

/** The `outgoing` of an adapter in a test whose server listens on 127.0.0.1. Every other host is refused. Close it at the end. */
export function localOutgoing(): Outgoing {
  const outgoing = createOutgoing({ environment: 'development' });
  return {
    async check(url) {
      checkLocal(new URL(url).hostname);
      await outgoing.check(url);
    },
    async request(request) {
      checkLocal(new URL(request.url).hostname);
      return outgoing.request(request);
    },
    async connect(target) {
      checkLocal(target.host);
      return outgoing.connect(target);
    },
    close: () => outgoing.close(),
  };
}
