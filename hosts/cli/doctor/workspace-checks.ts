// The checks of `doctor` for one workspace: its connectors, sending domains, webhooks and sequences. They read, look names up,
// and change nothing. Called by inspect.ts.

import { readContextOf } from '../../../core/command-line.ts';
import { isOutgoingError, type Outgoing, type Service, type Services } from '../../../core/index.ts';
import type { ConnectorProvisioning } from '../../../plugins/connectors/index.ts';
import type { CheckedRecord, DomainDetails, DomainProvisioning } from '../../../plugins/domains/index.ts';
import { bad, type Finding, good, note } from './finding.ts';
import { checkTrackingHost } from './tracking-checks.ts';

/** The members that plugins add to the service, if they are composed. */
interface PluginMembers {
  readonly connectors?: ConnectorProvisioning;
  readonly domains?: DomainProvisioning;
}

const provisionedOf = (service: Service): PluginMembers => service as PluginMembers;

const states = { works: good, refused: bad, unreachable: bad, unchecked: note } as const;

/** A finding for each connector; none if there is no connector. Checks with its provider, and sends nothing. */
export async function checkConnectors(
  service: Service,
  workspaceId: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { connectors } = provisionedOf(service);
  if (connectors === undefined) return [];
  return Promise.all(
    (await connectors.list(workspaceId)).map(async ({ id, name }) => {
      const { outcome, text } = await connectors.test(workspaceId, id, { signal });
      return states[outcome]('Mail', `${name} (${id}): ${text}`);
    }),
  );
}

/** The host of tracked links under the domain, if its record exists. */
const trackingUrl = ({ records }: DomainDetails<CheckedRecord>, publicUrl: string | undefined): string | undefined => {
  const record = records.find(({ purpose, state }) => purpose === 'tracking' && state === 'found');
  if (record === undefined || publicUrl === undefined) return undefined;
  const url = new URL(publicUrl);
  url.hostname = record.name;
  return url.href;
};

/** A finding for each sending domain, for each of its missing records, and for its tracking host. */
export async function checkDomains(
  service: Service,
  workspaceId: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { domains } = provisionedOf(service);
  if (domains === undefined) return [];
  const [all, { sendingDomains }] = await Promise.all([
    domains.check(workspaceId, { signal }),
    service.workspaces.read(workspaceId),
  ]);
  const { publicUrl, environment } = service.core.ports.service;
  const knownDomains = new Set(all.map(({ domain }) => domain));
  const unsignedDomains = sendingDomains.filter((domain) => !knownDomains.has(domain));
  const findings = await Promise.all(
    all.map(async (details) => {
      const { domain, status, records } = details;
      const url = trackingUrl(details, publicUrl);
      const tracking = url === undefined ? [] : await checkTrackingHost(url, { signal, environment });
      const faults = records.flatMap(({ required, advice }) =>
        advice === null ? [] : [(required ? bad : note)('Domains', `${domain}: ${advice}`)],
      );
      const pending = note('Domains', `${domain}: every record is there. Verify it with service.domains.verify`);
      const completeText = status === 'verified' ? good('Domains', `${domain}: every record is there`) : pending;
      return [...(faults.length > 0 ? faults : [completeText]), ...tracking];
    }),
  );
  return [
    ...findings.flat(),
    ...unsignedDomains.map((domain) =>
      note(
        'Domains',
        `${domain} may send, but has no DKIM key of its own here. Create one with service.domains.create`,
      ),
    ),
  ];
}

/** The maximum number of webhooks with a line each. */
const maxWebhooks = 10;

/**
 * A note if production refuses the URL of a webhook. Names only its origin, because the path and the query may contain a secret.
 */
async function noteRefused(outgoing: Outgoing, { id, url }: { id: string; url: string }): Promise<readonly Finding[]> {
  try {
    await outgoing.check(url, 'production');
    return [];
  } catch (error) {
    // A name that is not found now may be found later.
    if (!isOutgoingError(error, 'url_refused') && !isOutgoingError(error, 'address_refused')) return [];
    return [note('Webhooks', `${id} (${new URL(url).origin}): production refuses its URL. ${error.message}`)];
  }
}

/** A note for each webhook to which production never delivers, such as a webhook of a program on this machine. */
export async function checkWebhooks({ core }: Service, workspaceIds: readonly string[]): Promise<readonly Finding[]> {
  const { webhooks }: Partial<Services> = core.services;
  if (webhooks === undefined || workspaceIds.length === 0) return [];
  const database = await core.database();
  const enabled = await Promise.all(
    workspaceIds.map((id) => database.read(id, (handle) => webhooks.listEnabled(handle))),
  );
  const { outgoing } = core.ports;
  const refused = (await Promise.all(enabled.flat().map((webhook) => noteRefused(outgoing, webhook)))).flat();
  const more = refused.length - maxWebhooks;
  return more > 0
    ? [...refused.slice(0, maxWebhooks), note('Webhooks', `production refuses the URLs of ${more} more`)]
    : refused;
}

/** A note for each sequence of the program's code that was never published in the workspace. */
export async function checkSequences({ core }: Service, workspaceId: string): Promise<readonly Finding[]> {
  const { codeSequences }: Partial<Services> = core.services;
  if (codeSequences === undefined) return [];
  const unpublished = await (await core.database()).read(workspaceId, (trx) =>
    codeSequences.listWaiting(readContextOf(core, trx, core.ports.now())),
  );
  return unpublished.map(({ key, reason }) => note('Sequences', `${key} ${reason}`));
}
