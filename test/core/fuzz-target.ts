// A whole service as the target of attacks: it has no rate limits, its log is stored, and every response is checked. Only the clock is
// simulated. Used by the fuzz-*.test.ts and attack-*.test.ts files.

import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import type { AdapterChoice } from '../../core/contract/declaration/port.ts';
import type { HttpRequest, HttpResponse } from '../../core/contract/http/http.ts';
import type { AccessFunction } from '../../core/contract/ports/access.ts';
import type { KeyringAdapter } from '../../core/contract/ports/keyring.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import type { AnyTestService } from '../../hosts/testing/test-service.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import type { TestDatabase } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { connectedStandardPlugins } from '../support/plugins.ts';
import { type CheckedResponse, createResponseCheck, type LogLine } from './response-check.ts';

/** The service, its log, and a function that sends requests and checks every response. */
export interface FuzzTarget {
  readonly test: AnyTestService;
  readonly kit: ReturnType<typeof createFixtureKit>;
  readonly log: readonly LogLine[];
  /** Sends a request with the given key. Returns the response and its faults. */
  ask(request: FuzzRequest): Promise<CheckedResponse>;
  /** The number of requests so far */
  readonly requestCount: number;
  close(): Promise<void>;
}

/** A request of a test, with headers in the form in which a host passes them on. An empty `key` sends no key. (Default: the live key) */
export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Options of a target. */
export interface TargetOptions {
  readonly plugins?: readonly Plugin[];
  readonly mail?: AdapterChoice<MailAdapter>;
  readonly keyring?: KeyringAdapter;
  readonly publicUrl?: string;
  readonly access?: AccessFunction;
  /** Changes a response before it is checked, so that tests can plant faults. */
  readonly tamper?: (request: HttpRequest, answer: HttpResponse) => HttpResponse | Promise<HttpResponse>;
}

const noRateLimits = {
  keyRate: Number.POSITIVE_INFINITY,
  keyBurst: Number.POSITIVE_INFINITY,
  workspacePerMinute: Number.POSITIVE_INFINITY,
  monthlySendBudget: Number.POSITIVE_INFINITY,
  monthlyCredits: Number.POSITIVE_INFINITY,
};

/** Opens a service with new tables. */
export async function openTarget(database: TestDatabase, options: TargetOptions = {}): Promise<FuzzTarget> {
  const log: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: Record<string, unknown>, message: string) => {
    log.push({ level, fields, message });
  };
  const test: AnyTestService = await migratedTestService<string>(database, {
    plugins: [...connectedStandardPlugins, ...(options.plugins ?? [])],
    plans: { pro: noRateLimits },
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    ...(options.mail === undefined ? {} : { mail: options.mail }),
    ...(options.keyring === undefined ? {} : { keyring: options.keyring }),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    ...(options.access === undefined ? {} : { access: options.access }),
  });
  const { tamper: spoil = (_request: HttpRequest, answer: HttpResponse) => answer } = options;
  const checkResponse = createResponseCheck(test.service.core.registry.errors, log);
  let sentCount = 0;
  return {
    test,
    kit: createFixtureKit(test),
    log,
    get requestCount() {
      return sentCount;
    },
    ask({ method, url, key = test.liveKey, headers = {}, body }) {
      sentCount += 1;
      const request: HttpRequest = {
        method,
        url,
        headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
        body,
        address: '127.0.0.1',
      };
      return checkResponse(request, async () => spoil(request, await test.service.dispatch(request)));
    },
    close: () => test.close(),
  };
}

/** Multiplier for the number of runs: `POSTRIDER_FUZZ_TIMES=100` for a long run. (Default: 1) */
export const fuzzTimes = Number(process.env.POSTRIDER_FUZZ_TIMES ?? 1);

/** The seed of the run. Another seed tries other values. (Default: 1, so that failures can be reproduced) */
export const fuzzSeed = Number(process.env.POSTRIDER_FUZZ_SEED ?? 1);
