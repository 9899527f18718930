// A service with the console, a sign-in that a test chooses, and two customers: one got the receipt, the other did not. For the tests of
// the console.
import type { Member, MemberAccess, SignInNeeded } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import type { DnsResolver } from '../../plugins/domains/index.ts';
import { connectorsPlugin, domainsPlugin, standardPlugins } from '../../plugins/index.ts';
import { pageRequester } from './page-requester.ts';

/** The headers of a browser that opens a page. */
export const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** The headers of a form that a page of the same site sends. */
export const formHeaders = {
  ...browserHeaders,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
};

interface ConsoleBenchOptions {
  /** True if the program has the option `access` (Default: true) */
  readonly hasAccess?: boolean;
  /** (Default: development) */
  readonly environment?: 'development' | 'production';
  /** The people of the workspace. (Default: nobody) */
  readonly members?: readonly Member[];
  /** The DNS of sending domains. (Default: that of this machine) */
  readonly resolver?: DnsResolver;
  /** The providers of connectors. (Default: none) */
  readonly providers?: NonNullable<Parameters<typeof connectorsPlugin>[0]>['providers'];
}

export type ConsoleBench = Awaited<ReturnType<typeof openConsoleBench>>;

/** Opens the service. `present` of `signIn` is the member who is signed in. */
export async function openConsoleBench({
  hasAccess = true,
  environment = 'development',
  members = [],
  providers = [],
  resolver,
}: ConsoleBenchOptions = {}) {
  const signIn: { present: MemberAccess | SignInNeeded | null } = { present: null };
  const bench = await createTestService({
    startAt: Date.UTC(2026, 10, 20, 12),
    plugins: standardPlugins.map((plugin) => {
      if (plugin.id === 'domains' && resolver !== undefined) return domainsPlugin({ resolver });
      return plugin.id === 'connectors' ? connectorsPlugin({ providers }) : plugin;
    }),
    environment,
    members: { list: async () => [...members] },
    ...(hasAccess ? { access: () => signIn.present } : {}),
  });
  const { service, workspaceId } = bench;
  const member = (scopes: MemberAccess['workspaces'][number]['scopes'] = 'full'): MemberAccess => ({
    member: 'u_sue',
    name: 'Sue',
    workspaces: [{ id: workspaceId, scopes }],
  });
  signIn.present = member();
  const calls = service.as(workspaceId);
  await calls.templates.create({
    key: 'order_receipt',
    name: 'Receipt',
    mode: 'html',
    subject: 'Your receipt {{ order }}',
    body: '<p>Thank you, {{ name }}. <img src="https://elsewhere.example/dot.png" alt=""></p>',
  });
  await calls.templates.publish({ key: 'order_receipt' });
  const ada = await calls.contacts.upsert({
    email: 'ada@example.com',
    external_id: 'user_1',
    attributes: { plan: 'pro' },
  });
  const grace = await calls.contacts.upsert({ email: 'grace@example.com' });
  await calls.suppressions.create({ email: 'grace@example.com', reason: 'hard_bounce' });
  const send = (to: string, more: object = {}) =>
    calls.email.send({ template: 'order_receipt', to, variables: { name: 'you', order: 'A-17' }, ...more });
  const deliveredSend = await send('ada@example.com');
  const suppressedSend = await send('grace@example.com');
  await bench.drain();
  return {
    ...bench,
    calls,
    send,
    signIn,
    member,
    ada,
    grace,
    delivered: deliveredSend,
    kept: suppressedSend,
    ask: pageRequester(service, '/console'),
    /** Requests a page of the workspace as a browser. */
    page: (path: string, headers: Record<string, string> = browserHeaders) =>
      pageRequester(service, `/console/${workspaceId}`)(path, headers),
    /** The address to which the earlier address of a page redirects, if the page has moved into the console */
    async movedTo(address: string): Promise<string | undefined> {
      const { headers } = await pageRequester(service, '')(address, browserHeaders);
      const pathInConsole = (headers['Location'] ?? '').replace(/^.*console/, '');
      return (await pageRequester(service, '/console')(pathInConsole, browserHeaders)).headers['Location'];
    },
    /** Sends a form of a page. */
    post: (path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = formHeaders) =>
      pageRequester(service, `/console/${workspaceId}`)(path, headers, 'POST', new URLSearchParams(fields).toString()),
  };
}
