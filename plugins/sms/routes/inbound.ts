// The public route to which providers send reports and the replies of recipients. The sending adapter checks the signature against
// the public URL, so changes that a proxy made to the request do not matter.
import {
  coreErrors,
  definePublicRoute,
  type HttpResponse,
  onSide,
  type PublicRequest,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { plainResponse } from '../../../core/unstable.ts';
import type { ConnectorsService } from '../../connectors/service.ts';
import { isSmsReportRefused, type SmsAdapter, type SmsReport } from '../port/index.ts';
import { recordInbound, recordStatus } from '../reports/record-reports.ts';
import { findReported, workspacesThatSent } from '../store.ts';

const limit = { perMinute: 6_000, burst: 2_000 };
const maxBodyBytes = 256 * 1_024;

const answer = (status: number, text: string, contentType = 'text/plain; charset=utf-8'): HttpResponse => ({
  ...plainResponse(contentType, text),
  status,
});

const notFound = () => coreErrors.route_not_found({ path: '/inbound/sms' });

/** An id as text; empty if it is missing. Adapters in plain JavaScript may omit fields, or pass a number. */
const idText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';

type Work<T> = (adapter: SmsAdapter) => Promise<T>;

/** Calls `work` with the adapter that the request names. @throws route_not_found */
async function withAdapter<T>(ctx: PublicRouteContext, request: PublicRequest, work: Work<T>): Promise<T> {
  const workspaceId = request.query.get('workspace') ?? undefined;
  const connectorId = request.query.get('connector') ?? undefined;
  const { provider = '' } = request.params;
  const workIfNamed = (adapter: SmsAdapter | undefined): Promise<T> => {
    if (adapter?.id !== provider || adapter.reports === undefined) throw notFound();
    return work(adapter);
  };
  if (workspaceId === undefined) return workIfNamed(ctx.ports.sms.known(''));
  const workspace = await ctx.workspace(workspaceId);
  if (workspace === undefined) throw notFound();
  if (connectorId === undefined) return workIfNamed(await ctx.ports.sms.of(workspaceId));
  const connectors: ConnectorsService | undefined = ctx.services.connectors;
  if (connectors === undefined) throw notFound();
  const caller = {
    workspace,
    read: <R>(work: Parameters<typeof ctx.read<R>>[1]) => ctx.read(workspaceId, work),
    checkpoint: <R>(write: Parameters<typeof ctx.transact<R>>[1]) => ctx.transact(workspaceId, write),
    signal: AbortSignal.timeout(15_000),
  };
  const readyConnector = await connectors.ready(caller, 'sms', connectorId).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ConnectorUnusable') throw notFound();
    throw error;
  });
  return connectors.use(caller, readyConnector, workIfNamed);
}

/** Records a report about a message. */
async function recordStatusReport(
  ctx: PublicRouteContext,
  request: PublicRequest,
  provider: string,
  report: Extract<SmsReport, { kind: 'status' }>,
): Promise<void> {
  const providerMessageId = idText(report.providerMessageId);
  const smsId = idText(report.smsId) || (request.query.get('sms') ?? '');
  if (providerMessageId === '' && smsId === '') {
    ctx.log.warn(
      { provider },
      'a report was ignored: the adapter returned neither its providerMessageId nor its smsId',
    );
    return;
  }
  const workspaceId = request.query.get('workspace') ?? undefined;
  const reference = { smsId, provider, providerMessageId, workspaceId };
  const sms = await ctx.readUnscoped('a report contains only the id of its message', (handle) =>
    findReported(handle, reference),
  );
  if (sms === undefined) {
    ctx.log.warn(
      { provider, providerMessageId },
      'a report was ignored: it does not identify exactly one SMS of this service',
    );
    return;
  }
  await ctx.transact(sms.workspaceId, (tx) =>
    recordStatus(onSide(tx, false), sms.id, { ...report, providerMessageId }),
  );
}

/** Records a reply in every workspace that sent to the number from this sender. Returns the first workspace's text to send back. */
async function recordReply(
  ctx: PublicRouteContext,
  request: PublicRequest,
  report: Extract<SmsReport, { kind: 'inbound' }>,
): Promise<string | undefined> {
  const workspaceInUrl = request.query.get('workspace');
  const workspaces =
    workspaceInUrl === null
      ? await ctx.readUnscoped('a reply contains only two numbers', (handle) =>
          workspacesThatSent(handle, report.from, report.to),
        )
      : [workspaceInUrl];
  let reply: string | undefined;
  for (const workspaceId of workspaces) {
    const text = await ctx.transact(workspaceId, (tx) => recordInbound(onSide(tx, false), report));
    reply ??= text;
  }
  return report.answered ? undefined : reply;
}

async function receive(ctx: PublicRouteContext, request: PublicRequest, adapter: SmsAdapter): Promise<HttpResponse> {
  const { reports } = adapter;
  if (reports === undefined) throw notFound();
  const { now, log, ports } = ctx;
  let received: readonly SmsReport[];
  try {
    const url = `${ports.service.publicUrl ?? ''}${request.url}`;
    received = await reports.read({ headers: request.headers, body: await request.bytes(), url, now });
  } catch (error) {
    if (isSmsReportRefused(error)) return answer(401, `${error.message}\n`);
    log.warn({ provider: adapter.id, cause: String(error) }, "an SMS provider's report could not be read");
    return answer(503, 'The report cannot be read now. Try again.\n');
  }
  let reply: string | undefined;
  for (const report of received) {
    if (report.kind === 'status') await recordStatusReport(ctx, request, adapter.id, report);
    else reply ??= await recordReply(ctx, request, report);
  }
  const providerResponse = reports.inboundResponse?.(reply);
  return providerResponse === undefined
    ? answer(200, 'Received.\n')
    : answer(200, providerResponse.body, providerResponse.contentType);
}

export const inboundRoute = definePublicRoute({
  http: 'POST /inbound/sms/{provider}',
  description: 'The signed reports of an SMS provider about messages, and the replies of recipients.',
  limit,
  maxBodyBytes,
  handler: (ctx, request) => withAdapter(ctx, request, (adapter) => receive(ctx, request, adapter)),
});
