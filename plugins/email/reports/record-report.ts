// Records a report of a provider or of a mail: finds its send by the names that the service gave to the message, and puts the report
// on the timeline of that send. No other part of a report identifies its owner. Called by the route for provider reports, and by
// ingest-mail.ts.
import { createHash } from 'node:crypto';
import { isPostriderError, type PublicRouteContext, type TransactionContext } from '../../../core/index.ts';
import { repeatOnConflict } from '../../../core/unstable.ts';
import type { MailReport, ReportedFact } from '../port/index.ts';
import { findOwner } from '../store.ts';
import { storedFact } from '../timeline/foreign-texts.ts';
import type { TrackingClassifier } from '../tracking/classify.ts';
import { type Hit, recordHit } from '../tracking/record-hit.ts';
import { hideInReport } from './hide-in-report.ts';
import type { ReturnPathsService } from './return-paths.ts';
import type { ReportResult } from './send-reports.ts';

/** The parts of the context of a route, or of a call of the program, that recording needs. */
export type RecordingContext = Pick<PublicRouteContext, 'services' | 'log' | 'readUnscoped' | 'transact'>;

/** The send of a report, and the name that identified it. */
interface NamedSend {
  readonly sendId: string;
  readonly matchedBy: 'return_path' | 'message_id';
}

/** A report that was recorded, or that the timeline already had. */
export interface RecordedReport extends NamedSend {
  readonly workspaceId: string;
  /** The fact as it was recorded. */
  readonly fact: ReportedFact;
  /** Undefined for opens and clicks. */
  readonly result: ReportResult | undefined;
}

const ours = /^<?msg_([0-9A-Z]{26})(?:@[^<>\s]*)?>?$/i;

/** The send that a report names, or undefined. A return path comes first, because the service signed it. */
function namedSend({ messageIds, returnPaths = [] }: MailReport, paths: ReturnPathsService): NamedSend | undefined {
  for (const address of returnPaths) {
    const sendId = paths.read(address);
    if (sendId !== undefined) return { sendId, matchedBy: 'return_path' };
  }
  for (const messageId of messageIds) {
    const [, id] = ours.exec(messageId.trim()) ?? [];
    if (id !== undefined) return { sendId: `snd_${id.toUpperCase()}`, matchedBy: 'message_id' };
  }
  return undefined;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of the timeline item for an open, a click or an unsubscription. Repeated deliveries of a report get the same id. */
function itemIdOf(provider: string, sendId: string, { id }: MailReport): string {
  const hash = createHash('sha256').update(`${provider}\n${sendId}\n${id}`).digest();
  return `evt_${[...hash.subarray(0, 26)].map((byte) => digits[byte % 32]).join('')}`;
}

function hitOf(
  fact: Extract<ReportedFact, { kind: 'opened' | 'clicked' }>,
  { id, at }: { readonly id: string; readonly at: number | undefined },
): Hit {
  const { userAgent, address, isBot = false } = fact.client;
  const client = { userAgent, address, headers: {} };
  const hit = { client, id, at, isBot };
  return fact.kind === 'opened' ? { ...hit, kind: 'open' } : { ...hit, kind: 'click', url: fact.url };
}

/** Records one report in one transaction. Returns undefined if no workspace has the message. Such a report is dropped. */
export async function recordReport(
  context: RecordingContext,
  provider: string,
  report: MailReport,
  classify: TrackingClassifier,
): Promise<RecordedReport | undefined> {
  const namedMessage = namedSend(report, context.services.returnPaths);
  if (namedMessage === undefined) return undefined;
  const { sendId } = namedMessage;
  const workspaceId = await context.readUnscoped('a report names nothing but its message', (handle) =>
    findOwner(handle, sendId),
  );
  if (workspaceId === undefined) return undefined;
  const { at } = report;
  const reported = storedFact(report.fact);
  let recordedFact = reported;
  const { services, log } = context;
  const work = async (ctx: TransactionContext): Promise<ReportResult | undefined> => {
    const fact = await hideInReport(ctx, sendId, reported);
    recordedFact = fact;
    const id = itemIdOf(provider, sendId, report);
    if (fact.kind === 'opened' || fact.kind === 'clicked') {
      await recordHit(ctx, sendId, hitOf(fact, { id, at }), { classify, log });
      return undefined;
    }
    if (fact.kind === 'unsubscribed') return services.sendReports.report(ctx, sendId, { ...fact, id, at });
    return services.sendReports.report(ctx, sendId, { ...fact, at });
  };
  try {
    // Another report may suppress the address at the same moment. The retry finds that suppression.
    const result = await repeatOnConflict(() => context.transact(workspaceId, work));
    return { ...namedMessage, workspaceId, fact: recordedFact, result };
  } catch (error) {
    // The workspace was deleted in the meantime.
    if (isPostriderError(error, 'workspace_not_found')) return undefined;
    throw error;
  }
}
