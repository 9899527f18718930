// Looks up all records of a domain at once, within a time limit. Called outside of any transaction.
import { adviceFor, type RecordInDns } from './advice.ts';
import { type DnsRecord, type DnsRecordState, stateOf } from './records.ts';
import { type DnsResolver, queryDns, systemResolver } from './resolver.ts';

/** A record and its state in DNS. */
export interface CheckedRecord extends DnsRecord {
  readonly state: DnsRecordState;
  /** The values in DNS; empty if there are none. At most ten texts of 500 characters. */
  readonly found: readonly string[];
  /** What the owner of the domain should do; null if the record is right. */
  readonly advice: string | null;
}

/** A record with its state, and the advice for it. */
export const withAdvice = (record: RecordInDns): CheckedRecord => ({ ...record, advice: adviceFor(record) });

/** Options of the look-ups. */
export interface CheckRecordsOptions {
  readonly resolver: DnsResolver | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The records with their states. Never throws: a record without a DNS response is `unknown`. */
export async function checkRecords(
  records: readonly DnsRecord[],
  { resolver, timeoutMs, signal }: CheckRecordsOptions,
): Promise<CheckedRecord[]> {
  const dns = resolver ?? systemResolver(timeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  return Promise.all(
    records.map(async (record) => {
      const lookUp =
        record.type === 'TXT'
          ? dns.resolveTxt(record.name).then((texts) => texts.map((parts) => parts.join('')))
          : dns.resolveCname(record.name);
      const answer = await queryDns(lookUp, until);
      const found = 'failed' in answer ? [] : answer.records.slice(0, 10).map((text) => text.slice(0, 500));
      return withAdvice({ ...record, state: stateOf(record, answer), found });
    }),
  );
}
