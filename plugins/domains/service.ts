// `ctx.services.domains`: the keys that sign mail from verified domains, the DNS records of a domain, and their look-up. The private
// key is opened for one message at a time.
import {
  coreErrors,
  parseAddress,
  type ServiceContext,
  type TransactionContext,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { addSendingDomain } from '../../core/unstable.ts';
import type { DkimKey } from '../email/port/index.ts';
import { type CheckedRecord, checkRecords } from './dns/check-records.ts';
import { cnameTarget, type DnsRecord, recordsOf } from './dns/records.ts';
import { errors } from './errors.ts';
import type { DomainsOptions } from './options.ts';
import { type DomainRow, domainRows } from './tables.ts';

export interface DomainsService {
  /** The key that signs mail from this domain; undefined if the domain is not verified in this workspace. */
  signingKey(handle: WorkspaceHandle, domain: string): Promise<DkimKey | undefined>;
  /** The records to publish. */
  recordsFor(row: DomainRow): DnsRecord[];
  /** Looks the records up. Outside of any transaction. Never throws. */
  lookUp(row: DomainRow, signal?: AbortSignal): Promise<CheckedRecord[]>;
  /**
   * Stores what a look-up found. If every required record was found, the domain is verified, and joins the sending domains.
   * Returns the changed row, and whether the domain was verified just now. @throws domain_not_found
   */
  storeCheck(
    ctx: TransactionContext,
    found: Pick<DomainRow, 'id' | 'domain'>,
    records: readonly CheckedRecord[],
  ): Promise<{ readonly row: DomainRow; readonly isNew: boolean }>;
}

/** The domain in lower case, as ASCII. Accepts any value, because callers in plain JavaScript may pass anything. @throws validation_failed */
export function canonicalDomain(domain: unknown): string {
  const found = typeof domain === 'string' ? parseAddress(`postmaster@${domain.trim()}`)?.domain : undefined;
  if (found === undefined)
    throw coreErrors.validation_failed({ summary: 'domain: give a domain such as mail.example.com.' });
  return found;
}

export const createDomainsService =
  (options: DomainsOptions) =>
  ({ services, ports }: ServiceContext): DomainsService => {
    const { spf = ['a', 'mx'], dmarc = 'v=DMARC1; p=none', trackingLabel = 'track', timeoutMs = 5_000 } = options;
    const { publicUrl } = ports.service;
    const recordsFor = ({ domain, selector, public_key: publicKey }: DomainRow): DnsRecord[] => {
      const trackingTarget = publicUrl === undefined ? undefined : cnameTarget(new URL(publicUrl).hostname);
      return recordsOf({ domain, selector, publicKey, spf, dmarc, trackingLabel, trackingTarget });
    };
    return {
      async signingKey(handle, domain) {
        const row = await domainRows.findBy(handle, { domain });
        if (row === undefined || row.verified_at === null) return undefined;
        const sealed = await services.vault.find(handle, row.id);
        if (sealed === undefined) return undefined;
        const privateKey = String(services.vault.open(handle.workspaceId, sealed));
        return { domain, selector: row.selector, privateKey };
      },
      recordsFor,
      lookUp: (row, signal) => checkRecords(recordsFor(row), { resolver: options.resolver, timeoutMs, signal }),
      async storeCheck({ trx, now }, { id, domain }, records) {
        const row = await domainRows.lock(trx, id);
        if (row === undefined) throw errors.domain_not_found({ domain });
        const isVerified = records.every(({ required, state }) => !required || state === 'found');
        // Added each time, because the program may have replaced the list of sending domains meanwhile.
        if (isVerified) await addSendingDomain(trx, domain);
        const last_check = records.map(({ purpose, state, found }) => ({ purpose, state, found }));
        const verified_at = row.verified_at ?? (isVerified ? now : null);
        const after = await domainRows.change(trx, row, { verified_at, checked_at: now, last_check, updated_at: now });
        return { row: after, isNew: isVerified && row.verified_at === null };
      },
    };
  };
