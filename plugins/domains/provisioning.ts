// `service.domains`: calls that only the embedding program may make. They are audited. Results never contain a private key.
import { coreErrors, type ProvisioningContext, toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import { removeSendingDomain } from '../../core/unstable.ts';
import type { CheckedRecord } from './dns/check-records.ts';
import type { DnsRecord } from './dns/records.ts';
import { errors } from './errors.ts';
import { createKeyPair } from './key-pair.ts';
import type { DomainsOptions } from './options.ts';
import { checkedRamp, type NewRamp, removeRampDays } from './ramp.ts';
import { canonicalDomain } from './service.ts';
import { type DomainRow, domainRows } from './tables.ts';

/** A domain to send from. */
export interface NewDomain {
  /** The domain, such as mail.example.com. */
  readonly domain: string;
  /** `selector`: the label of the DKIM record. (Default: a new one that no other service has) */
  readonly dkim?: { readonly selector?: string };
  /**
   * How much marketing mail may leave each day (UTC) until receivers know the domain. More of it waits for the next day. Other mail
   * is not limited. (Default: no limit)
   */
  readonly ramp?: NewRamp;
}

/** A domain with the records to publish. */
export interface DomainDetails<Record extends DnsRecord = DnsRecord> {
  readonly id: string;
  readonly domain: string;
  readonly selector: string;
  /** verified: the DKIM record was found, and mail from the domain is accepted and signed. */
  readonly status: 'pending' | 'verified';
  readonly records: readonly Record[];
  /** Null without a limit. */
  readonly ramp: { readonly startPerDay: number; readonly growth: number; readonly until: string } | null;
  readonly verifiedAt: string | null;
  /** The time of the last look-up by `verify`. */
  readonly checkedAt: string | null;
  readonly createdAt: string;
}

/** `service.domains`. */
export interface DomainProvisioning {
  /**
   * Creates a key pair and returns the DNS records. @throws validation_failed, state_conflict, limit_reached (100 for each
   * workspace)
   */
  create(workspaceId: string, domain: NewDomain): Promise<DomainDetails>;
  /**
   * Looks up the records. Once the DKIM record is found, the domain is verified: it joins the workspace's sending domains, and
   * stays verified even if a later look-up fails. @throws domain_not_found
   */
  verify(workspaceId: string, domain: string): Promise<DomainDetails<CheckedRecord>>;
  /** Only looks up the records of every domain. Changes nothing. */
  check(workspaceId: string, options?: { readonly signal?: AbortSignal }): Promise<DomainDetails<CheckedRecord>[]>;
  /** Oldest first. */
  list(workspaceId: string): Promise<readonly DomainDetails[]>;
  /**
   * Deletes a domain and its key. Mail from it is then refused, unless it is the domain of `defaultFrom`. @throws
   * domain_not_found
   */
  delete(workspaceId: string, domain: string): Promise<void>;
}

const maxDomains = 100;
/** Lower-case letters without vowels, so that no words appear, and digits. */
const selectorLetters = 'bcdfghjkmnpqrstvwxz23456789';

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary });
};

const label = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** @throws validation_failed */
const checkedSelector = (selector: unknown): string =>
  typeof selector === 'string' && label.test(selector)
    ? selector
    : refuse('dkim.selector: 1 to 40 characters of a–z, 0–9 and -, without a hyphen at the start or end.');

/** @throws TypeError for options that do not make a valid record */
function checkOptions({ spf = [], dmarc = 'v=DMARC1', trackingLabel = 'track' }: DomainsOptions): void {
  for (const text of [...spf, dmarc])
    if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text))
      throw new TypeError(`domainsPlugin: "${text}" is not a valid DNS text.`);
  if (!/^v=DMARC1\b/.test(dmarc)) throw new TypeError('domainsPlugin: `dmarc` begins with v=DMARC1.');
  if (!label.test(trackingLabel))
    throw new TypeError('domainsPlugin: `trackingLabel` must be one label of a host name.');
}

/** Creates `service.domains`. */
export const createDomainProvisioning = (options: DomainsOptions) => {
  checkOptions(options);
  return ({ services, ports, read, write }: ProvisioningContext): DomainProvisioning => {
    const present = <R extends DnsRecord>(row: DomainRow, records: readonly R[]): DomainDetails<R> => ({
      id: row.id,
      domain: row.domain,
      selector: row.selector,
      status: row.verified_at === null ? 'pending' : 'verified',
      records,
      ramp: row.ramp === null ? null : { ...row.ramp, until: toIsoTime(row.ramp.until) },
      verifiedAt: toIsoTimeOrNull(row.verified_at),
      checkedAt: toIsoTimeOrNull(row.checked_at),
      createdAt: toIsoTime(row.created_at),
    });
    const find = async (workspaceId: string, domain: string): Promise<DomainRow> => {
      const row = await read(workspaceId, ({ trx }) => domainRows.findBy(trx, { domain }));
      if (row === undefined) throw errors.domain_not_found({ domain });
      return row;
    };
    const listRows = (workspaceId: string): Promise<DomainRow[]> =>
      read(workspaceId, async ({ trx }) => (await domainRows.page(trx, { limit: maxDomains })).reverse());
    const newSelector = (): string =>
      [...ports.randomness.bytes(10)].map((byte) => selectorLetters[byte % selectorLetters.length]).join('');

    return {
      async create(workspaceId, { domain: given, dkim, ramp: limit }) {
        const domain = canonicalDomain(given);
        const ramp = limit === undefined || limit === null ? null : checkedRamp(limit, ports.now());
        const selector = dkim?.selector === undefined ? newSelector() : checkedSelector(dkim.selector);
        const { privateKey, publicKey } = await createKeyPair();
        return write(workspaceId, async (ctx) => {
          const { trx, now, newId, audit } = ctx;
          if ((await domainRows.count(trx, {}, maxDomains)) >= maxDomains)
            throw coreErrors.limit_reached({ limit: maxDomains, resources: 'domains' });
          const row: DomainRow = {
            id: newId('dom'),
            domain,
            selector,
            public_key: publicKey,
            ramp,
            verified_at: null,
            checked_at: null,
            last_check: null,
            created_at: now,
            updated_at: now,
          };
          if (!(await domainRows.insertUnlessTaken(trx, row)))
            throw coreErrors.state_conflict({ reason: `The workspace has the domain ${domain} already.` });
          await services.vault.put(ctx, row.id, privateKey);
          audit('domain.create', { kind: 'domain', id: row.id }, { domain });
          return present(row, services.domains.recordsFor(row));
        });
      },
      async verify(workspaceId, given) {
        const domain = canonicalDomain(given);
        const found = await find(workspaceId, domain);
        const records = await services.domains.lookUp(found);
        return write(workspaceId, async (ctx) => {
          const { row, isNew } = await services.domains.storeCheck(ctx, found, records);
          if (isNew) ctx.audit('domain.verify', { kind: 'domain', id: row.id }, { domain });
          return present(row, records);
        });
      },
      async check(workspaceId, { signal } = {}) {
        const rows = await listRows(workspaceId);
        return Promise.all(rows.map(async (row) => present(row, await services.domains.lookUp(row, signal))));
      },
      list: async (workspaceId) =>
        (await listRows(workspaceId)).map((row) => present(row, services.domains.recordsFor(row))),
      async delete(workspaceId, given) {
        const { id, domain } = await find(workspaceId, canonicalDomain(given));
        await write(workspaceId, async ({ trx, audit }) => {
          if (!(await domainRows.remove(trx, id))) throw errors.domain_not_found({ domain });
          await services.vault.remove(trx, id);
          await removeSendingDomain(trx, domain);
          await removeRampDays(trx, domain);
          audit('domain.delete', { kind: 'domain', id }, { domain });
        });
      },
    };
  };
};
