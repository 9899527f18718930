// Sending domains: their DNS records, their verification, and the keys that sign their mail.
export type { CheckedRecord } from './dns/check-records.ts';
export type { DnsRecord, DnsRecordState } from './dns/records.ts';
export type { DnsResolver } from './dns/resolver.ts';
export type { DomainsOptions } from './options.ts';
export { domainsPlugin } from './plugin.ts';
export type { DomainDetails, DomainProvisioning, NewDomain } from './provisioning.ts';
export type { NewRamp } from './ramp.ts';
export type { DomainsService } from './service.ts';
