// A service with short links for tests, and visits through dispatch, with browsers and addresses that the test chooses

import type { PortOptions, ServiceOptions } from '../../core/index.ts';
import { bodyBytes } from '../../hosts/testing/index.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { type LinksOptions, linksPlugin } from '../../plugins/links/index.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';

export const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
export const desktop =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
export const tablet =
  'Mozilla/5.0 (Linux; Android 13; SM-X900) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
export const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** One request to a short link. */
export interface LinkVisit {
  readonly method?: string;
  readonly host?: string;
  readonly address?: string;
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The password typed into the form. */
  readonly password?: string;
}

/** The answer to a visit. */
export interface VisitResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly location: string | undefined;
  readonly text: string;
}

/** Returns a function that visits URLs of a service. */
export const createVisitor =
  (service: Pick<TestService<never>['service'], 'dispatch'>) =>
  async (url: string, visit: LinkVisit = {}): Promise<VisitResponse> => {
    const { method, host = 'localhost', address = '192.0.2.1', userAgent = desktop, headers = {}, password } = visit;
    const answer = await service.dispatch({
      method: method ?? (password === undefined ? 'GET' : 'POST'),
      url,
      headers: {
        host,
        'user-agent': userAgent,
        ...(password === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: password === undefined ? undefined : Buffer.from(new URLSearchParams({ password }).toString()),
      address,
    });
    const text = (await bodyBytes(answer.body)).toString('utf8');
    return { status: answer.status, headers: answer.headers, location: answer.headers['Location'], text };
  };

/** Opens a service whose links plugin has these options. */
export async function openLinksBench(
  database: TestDatabase,
  options: LinksOptions = {},
  ports: PortOptions<'links'> & Pick<ServiceOptions<string>, 'publicUrl' | 'environment' | 'keyring'> = {},
) {
  const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'links' ? linksPlugin(options) : plugin));
  const test = await migratedTestService(database, { plugins, ...ports });
  return { test, links: test.service.as(test.workspaceId).links, visit: createVisitor(test.service) };
}

export type LinksBench = Awaited<ReturnType<typeof openLinksBench>>;
