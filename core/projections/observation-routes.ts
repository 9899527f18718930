// Health, readiness and metrics: for load balancers, orchestrators and Prometheus. Health and readiness are public and return
// only one word. Called by compose.ts.
import { timingSafeEqual } from 'node:crypto';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isPostriderError } from '../contract/errors/errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { jobCounts } from '../jobs/job-counts.ts';
import { OutageLog } from '../jobs/outage-log.ts';
import type { Core } from '../pipeline/core.ts';
import type { RawRoute } from './routing.ts';

/** The condition under which a request may read the metrics: it sends the token, or the guard accepts it. */
export type MetricsAccess =
  | { readonly token: string }
  | { readonly guard: (request: HttpRequest) => boolean | Promise<boolean> };

export const healthPath = '/v1/health';
export const readinessPath = '/v1/health/ready';
export const metricsPath = '/metrics';

/** A check that takes longer counts as failed. */
const checkMs = 3_000;

const wordResponse = (status: number, text: string, requestId: string): HttpResponse => ({
  status,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  },
  body: JSON.stringify({ status: text }),
});

/** Runs a check within its time limit. @throws the error of the check, or an error if the check takes too long */
async function runCheck(check: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer came within ${checkMs / 1_000} s.`)), checkMs);
  });
  try {
    await Promise.race([check(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const isSameToken = (input: string | undefined, token: string): boolean => {
  const [inputHash, tokenHash] = [Buffer.from(input ?? ''), Buffer.from(`Bearer ${token}`)];
  return inputHash.length === tokenHash.length && timingSafeEqual(inputHash, tokenHash);
};

async function mayRead(access: MetricsAccess, request: HttpRequest): Promise<boolean> {
  return 'token' in access ? isSameToken(request.headers.authorization, access.token) : access.guard(request);
}

/** The checks of readiness: each throws if it fails. */
export type ReadinessChecks = readonly (() => Promise<unknown>)[];

/** The routes. The metrics route exists only if `access` is given. */
export function createObservationRoutes(
  core: Core,
  access: MetricsAccess | undefined,
  checks: ReadinessChecks,
): RawRoute[] {
  const health: RawRoute = {
    method: 'GET',
    path: healthPath,
    handle: async (_, requestId) => wordResponse(200, 'ok', requestId),
  };
  // Readiness is requested often and without a key: concurrent requests share one check.
  let checking: Promise<boolean> | undefined;
  const outages = new OutageLog(core.log);
  const readinessCheck = 'the readiness check';
  const readiness: RawRoute = {
    method: 'GET',
    path: readinessPath,
    async handle(_, requestId) {
      checking ??= Promise.all(checks.map(runCheck))
        .then(
          () => {
            outages.reportRecovery(readinessCheck);
            return true;
          },
          (cause: unknown) => {
            // A stopped service has already logged its own line.
            if (!isPostriderError(cause, 'service_unavailable')) outages.report(readinessCheck, cause);
            return false;
          },
        )
        .finally(() => {
          checking = undefined;
        });
      return (await checking) ? wordResponse(200, 'ready', requestId) : wordResponse(503, 'not_ready', requestId);
    },
  };
  const countingTask = 'counting jobs for the metrics';
  /** The jobs by state. Empty while the database is unavailable: then the counts of the process itself matter most. */
  const countJobs = async (): Promise<Awaited<ReturnType<typeof jobCounts>>> => {
    try {
      const counts = await jobCounts(await core.database());
      outages.reportRecovery(countingTask);
      return counts;
    } catch (cause) {
      if (!isPostriderError(cause, 'service_unavailable')) outages.report(countingTask, cause);
      return [];
    }
  };
  const { metrics } = core.telemetry;
  if (access === undefined || metrics === undefined) return [health, readiness];
  return [
    health,
    readiness,
    {
      method: 'GET',
      path: metricsPath,
      async handle(request, requestId) {
        // Without the right to read, the route does not exist.
        if (!(await mayRead(access, request))) throw coreErrors.route_not_found({ path: metricsPath });
        const counts = await countJobs();
        const gauges = counts.map(({ state, jobs }) => ({
          name: 'ready' as const,
          labels: { 'postrider.job.state': state },
          value: jobs,
        }));
        return {
          status: 200,
          headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'X-Request-Id': requestId },
          body: metrics.render(gauges),
        };
      },
    },
  ];
}
