// `service.ingestMail`: the program passes on a mail that came back, and the reader among `reports` says what it reports. It is recorded
// in the same way as a report that a provider posts. Other mails are not stored.
import { types } from 'node:util';
import { coreErrors, type ProvisioningContext } from '../../../core/index.ts';
import type { EmailPluginOptions } from '../options.ts';
import type { NothingReported, ReportedFact } from '../port/index.ts';
import type { SendStatus } from '../tables.ts';
import { storedFact } from '../timeline/foreign-texts.ts';
import { classifyHit } from '../tracking/classify.ts';
import { recordReport } from './record-report.ts';
import { reportFault } from './report-faults.ts';

/** A returned mail with the largest attachments, encoded and wrapped in a report, is about half as large. */
export const maxMailBytes = 36 * 1_048_576;

/** The reasons for which a mail is ignored. `unmatched`: it names no message of this service. */
export type IgnoredReason = NothingReported | 'unmatched';

/** The effect of a mail. */
export type IngestedMail =
  | {
      /** `repeated`: the timeline already had this report, or one that takes precedence over it, and stays as it is. */
      readonly outcome: 'recorded' | 'repeated';
      readonly workspaceId: string;
      readonly sendId: string;
      /** The name that identified the send: a signed return path, or a Message-ID, which each recipient of the message knows. */
      readonly matchedBy: 'return_path' | 'message_id';
      /** The fact that the mail reports, such as `{ kind: 'bounced', bounce }`. */
      readonly report: ReportedFact;
      /** The status of the send after the report. */
      readonly status: SendStatus;
    }
  | {
      /** Nothing was stored. */
      readonly outcome: 'ignored';
      readonly reason: IgnoredReason;
      /** The reason as a sentence. */
      readonly message: string;
      /** The fact that an `unmatched` mail reports. */
      readonly report?: ReportedFact;
    };

/**
 * Records a bounce, a delay, a complaint or another report that arrived as mail. All other mail is ignored, with the reason.
 *
 * The send is found by its signed return path, then by the Message-ID of the returned message, then by a Message-ID that the mail
 * quotes. So it may be in any workspace. A mail may be passed on again at any time, such as after an error: it has its effect once.
 *
 * The call makes its own transaction. On a platform that freezes processes, call `service.settle()` afterwards.
 * @param raw the whole mail as it arrived: bytes, or a text that is encoded as UTF-8; at most 36 MiB
 * @throws validation_failed for anything else, and if no adapter of `reports` reads mail; payload_too_large. Never because of the
 *   content of the mail
 */
export type IngestMail = (raw: string | Uint8Array) => Promise<IngestedMail>;

const reasons: Readonly<Record<IgnoredReason, string>> = {
  unreadable: 'The mail is empty, or its header is too long.',
  auto_reply: 'A robot of the recipient answered. This says nothing about the delivery.',
  read_receipt: 'The mail says that a message was read or deleted.',
  no_outcome:
    'The mail is a report, but it says neither that a message failed, was delayed or delivered, nor that the recipient complained.',
  no_report: 'The mail is not a report of a mail server or a feedback loop.',
  unmatched: 'The mail names no message of this service.',
};

const ignored = (reason: IgnoredReason, report?: ReportedFact): IngestedMail => ({
  outcome: 'ignored',
  reason,
  message: reasons[reason],
  ...(report === undefined ? {} : { report }),
});

/** Accepts any value, because callers in plain JavaScript may pass anything. @throws validation_failed, payload_too_large */
function bytesOf(raw: unknown): Uint8Array {
  const isText = typeof raw === 'string';
  if (!isText && !types.isUint8Array(raw))
    throw coreErrors.validation_failed({ summary: 'ingestMail: pass the whole mail as bytes or as a text.' });
  const size = isText ? Buffer.byteLength(raw) : raw.byteLength;
  if (size > maxMailBytes) throw coreErrors.payload_too_large({ limit: maxMailBytes });
  return isText ? Buffer.from(raw) : raw;
}

/** Makes `service.ingestMail`. */
export const createIngestMail = ({ reports = [], classify = classifyHit }: EmailPluginOptions) => {
  const reader = reports.find(({ readMail }) => readMail !== undefined);
  return ({ services, log, readUnscoped, write }: ProvisioningContext): IngestMail => {
    const context = { services, log, readUnscoped, transact: write };
    return async (raw) => {
      const bytes = bytesOf(raw);
      if (reader?.readMail === undefined)
        throw coreErrors.validation_failed({
          summary: 'ingestMail: no adapter reads mail. Pass emailPlugin({ reports: [mailboxReports()] }).',
        });
      const read = await reader.readMail(bytes);
      if ('nothing' in read) return ignored(read.nothing);
      const fault = reportFault(read.report);
      if (fault !== undefined) throw new TypeError(`The adapter of the reports ${reader.id} is wrong: ${fault}`);
      const recorded = await recordReport(context, reader.id, read.report, classify);
      if (recorded?.result === undefined) return ignored('unmatched', storedFact(read.report.fact));
      const { workspaceId, sendId, matchedBy, fact, result } = recorded;
      const outcome = result.recorded ? 'recorded' : 'repeated';
      return { outcome, workspaceId, sendId, matchedBy, report: fact, status: result.status };
    };
  };
};
