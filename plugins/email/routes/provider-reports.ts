// The public route to which providers send reports. The provider's adapter checks the signature and translates the report;
// reports/record-report.ts finds its message and records it.
import {
  coreErrors,
  definePublicRoute,
  type HttpResponse,
  isPostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from '../../../core/index.ts';
import { hasTooManyValues, plainResponse } from '../../../core/unstable.ts';
import type { EmailPluginOptions } from '../options.ts';
import { isReportRefused, type MailReport, type MailReports } from '../port/index.ts';
import { maxMailBytes } from '../reports/ingest-mail.ts';
import { recordReport } from '../reports/record-report.ts';
import { reportFault } from '../reports/report-faults.ts';
import { classifyHit, type TrackingClassifier } from '../tracking/classify.ts';

const limit = { perMinute: 6_000, burst: 2_000 };
/** The maximum size of a body, whose sender is not known yet. A provider sends many events in one request, and a mail may come back whole. */
const maxBodyBytes = { json: 1_048_576, mail: maxMailBytes };
const maxValues = 100_000;

const answer = (status: number, text: string): HttpResponse => ({
  ...plainResponse('text/plain; charset=utf-8', `${text}\n`),
  status,
});

/** Providers by the last segment of their address. @throws TypeError if an id is not a valid segment, or is used twice */
function byId(reports: readonly MailReports[]): ReadonlyMap<string, MailReports> {
  const reportsById = new Map(reports.map((adapter) => [adapter.id, adapter]));
  const bad = reports.find(({ id }) => !/^[a-z0-9-]{1,40}$/.test(id));
  if (bad !== undefined)
    throw new TypeError(`emailPlugin: the reports "${bad.id}" need an id of the characters a–z, 0–9 and hyphen.`);
  if (reportsById.size !== reports.length) throw new TypeError('emailPlugin: two `reports` have the same id.');
  return reportsById;
}

/** Handles one request of one provider. */
async function receive(
  context: PublicRouteContext,
  request: PublicRequest,
  adapter: MailReports,
  classify: TrackingClassifier,
): Promise<HttpResponse> {
  const { headers } = request;
  const { now, log, ports } = context;
  let readReports: readonly MailReport[];
  try {
    adapter.checkHeaders?.(headers);
    const body = await request.bytes();
    if (adapter.body !== 'mail' && hasTooManyValues(body, maxValues))
      return answer(413, 'The report has too many values.');
    readReports = await adapter.read({ headers, body, now, outgoing: ports.outgoing });
  } catch (error) {
    if (isReportRefused(error)) {
      // If the adapter checks headers first, they have proved the sender. Only the body is malformed: the response is 400 instead of 401.
      const isKnown = error.malformed && adapter.checkHeaders !== undefined;
      return answer(isKnown ? 400 : 401, error.message);
    }
    // The body is too long, or the program has already read it. The core responds to these errors.
    if (isPostriderError(error)) throw error;
    log.warn({ provider: adapter.id, cause: String(error) }, "a provider's report could not be checked");
    return answer(503, 'The report cannot be checked now. Try again.');
  }
  // One after the other, because several reports may concern the same message.
  const provider = adapter.id;
  const faults = new Set<string>();
  let unmatched = 0;
  for (const report of Array.isArray(readReports) ? readReports : [readReports]) {
    const fault = reportFault(report);
    if (fault !== undefined) faults.add(fault);
    else if ((await recordReport(context, provider, report, classify)) === undefined) unmatched += 1;
  }
  if (unmatched > 0)
    log.info(
      { provider, reports: unmatched },
      'reports of a provider are about messages that this service did not send',
    );
  if (faults.size === 0) return answer(200, 'Received.');
  for (const fault of faults)
    log.error({ provider, fault }, `the adapter of the reports ${provider} is wrong: ${fault}`);
  return answer(503, 'The report cannot be read now. Try again.');
}

/** The option that enables a provider's reports, for an error message. */
const option = 'emailPlugin({ reports: […] }), such as sesReports({ topics })';

/** One route for all providers that report in JSON, and one for each that sends mail. The first handles unknown providers, too. */
export function providerReportRoutes({ reports = [], classify = classifyHit }: EmailPluginOptions): PublicRoute[] {
  const providers = byId(reports);
  const route = (path: string, body: 'json' | 'mail', find: (request: PublicRequest) => MailReports | undefined) =>
    definePublicRoute({
      http: `POST /inbound/mail/${path}`,
      description: 'Receives the reports of a mail provider about sent messages, which the provider signs.',
      limit: { ...limit, name: 'email.reports' },
      maxBodyBytes: maxBodyBytes[body],
      async handler(context, request) {
        const adapter = find(request);
        if (adapter === undefined)
          throw coreErrors.route_not_found({ path: `/inbound/mail/${request.params.provider?.slice(0, 40)}`, option });
        return receive(context, request, adapter, classify);
      },
    });
  const mails = reports.filter(({ body }) => body === 'mail');
  return [
    ...mails.map((adapter) => route(adapter.id, 'mail', () => adapter)),
    route('{provider}', 'json', ({ params }) => providers.get(params.provider ?? '')),
  ];
}
