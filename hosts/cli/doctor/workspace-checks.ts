// The checks of `doctor` for one workspace: its connectors and its sending domains. They read, look names up, and change
// nothing. Called by doctor.ts.
import type { Service } from '../../../core/index.ts';
import type { ConnectorProvisioning } from '../../../plugins/connectors/index.ts';
import type { DomainProvisioning } from '../../../plugins/domains/index.ts';
import type { Finding } from './finding.ts';
import { bad, good, note } from './finding.ts';

/** The members that plugins add, where those are composed. */
interface Provisioned {
  readonly connectors?: ConnectorProvisioning;
  readonly domains?: DomainProvisioning;
}

const provisionedOf = (service: Service): Provisioned => service as Provisioned;

/** A finding for each connector that delivers mail; none where there is no connector. */
export async function checkConnectors(service: Service, workspaceId: string): Promise<readonly Finding[]> {
  const { connectors } = provisionedOf(service);
  const all = connectors === undefined ? [] : await connectors.list(workspaceId);
  return all
    .filter(({ kind }) => kind === 'mail')
    .map(({ id, name, provider, status }) =>
      status === 'connected'
        ? good('Mail', `${name} (${id}): ${provider} is connected`)
        : bad(
            'Mail',
            `${name} (${id}): its credentials are ${status}. Give it new ones with service.connectors.update.`,
          ),
    );
}

const words = {
  found: 'is there',
  missing: 'is missing',
  different: 'has another value',
  unknown: 'could not be looked up',
} as const;

/** A finding for each sending domain, and for each of its records that DNS lacks. */
export async function checkDomains(
  service: Service,
  workspaceId: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { domains } = provisionedOf(service);
  const all = domains === undefined ? [] : await domains.check(workspaceId, { signal });
  return all.flatMap(({ domain, status, records }) => {
    const wrong = records.filter(({ state }) => state !== 'found');
    const findings = wrong.map(({ required, state, purpose, type, name, value }) => {
      const text = `${domain}: the ${purpose.toUpperCase()} record ${words[state]}. Publish ${type} ${name} ${value}`;
      return required ? bad('Domains', text) : note('Domains', text);
    });
    if (findings.length === 0)
      return [
        status === 'verified'
          ? good('Domains', `${domain}: every record is there`)
          : note('Domains', `${domain}: every record is there. Verify it with service.domains.verify`),
      ];
    return findings;
  });
}
