// Short links in the console with sixty days of clicks. For the tests of the pages of links.
import type { MemberAccess } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { consolePlugin } from '../../plugins/console/index.ts';
import { linksPlugin, writeSampleClicks } from '../../plugins/links/index.ts';
import { browserHeaders, formHeaders } from './console-bench.ts';
import { pageRequester } from './page-requester.ts';

/** A service with one link that has clicks and another that has none. At first the person at the console may do everything. */
export async function openLinksConsole() {
  const person: { scopes: MemberAccess['workspaces'][number]['scopes'] } = { scopes: 'full' };
  const ids: string[] = [];
  const bench = await createTestService({
    plugins: [linksPlugin(), consolePlugin()],
    startAt: Date.UTC(2026, 4, 20, 12),
    access: () => ({ member: 'u_sue', name: 'Sue', workspaces: ids.map((id) => ({ id, scopes: person.scopes })) }),
  });
  const { service, workspaceId } = bench;
  ids.push(workspaceId);
  const { links } = service.as(workspaceId);
  const plain = await links.create({ destinationUrl: 'https://example.com/try', slug: 'try' });
  bench.advanceClock(1_000);
  const link = await links.create({
    destinationUrl: `https://example.com/spring-sale?${'long'.repeat(40)}`,
    slug: 'spring',
    label: '<b>Spring</b> sale',
    utm: { source: 'newsletter', campaign: 'spring' },
  });
  const workspace = await service.workspaces.read(workspaceId);
  await inWorkspace(service.core, workspace, async (ctx) =>
    writeSampleClicks(ctx, { id: link.linkId, utm: link.utm, sandbox: false }, 60, 6),
  );
  await bench.drain();
  const ask = pageRequester(service, `/console/${workspaceId}`);
  return {
    ...bench,
    links,
    link,
    plain,
    person,
    page: (path: string) => ask(path, browserHeaders),
    post: (path: string, fields: Readonly<Record<string, string>>) =>
      ask(path, formHeaders, 'POST', new URLSearchParams(fields).toString()),
  };
}
