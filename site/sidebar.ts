// The order of the pages of the documentation site. Read by its configuration and by the test of the site.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages by group: the names of files in docs/, or the paths of pages outside of it. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['/', 'installing', 'sending-email', 'embedding', 'testing', 'concepts', 'sandbox', 'inbox', 'moving-over'],
  'Write and send mail': [
    ...['templates', 'starters', 'composing', 'brand', 'providers', 'domains', 'tracking', 'bounces', 'reputation'],
    ...['who-gets-what', 'transactions', 'idempotency'],
  ],
  'Contacts and lists': ['contacts', 'lists', 'topics', 'segments'],
  'Campaigns and sequences': [
    ...['broadcasts', 'sequences', 'marketing', 'planned-emails', 'creations', 'content-plan'],
  ],
  'Pages and content': ['pages', 'blog', 'lead-magnets', 'designs', 'assets', 'links', 'qr'],
  'SMS and social networks': [
    ...['sms', 'social', 'social-events', 'connectors', 'social-x', 'social-linkedin', 'social-bluesky'],
    ...['social-reddit', 'social-facebook', 'social-instagram', 'social-threads', 'social-youtube'],
    ...['social-pinterest', 'social-tiktok'],
  ],
  'Work as a team': ['console', 'console-pages', 'approvals'],
  'Programs and agents': [
    ...['keys-and-scopes', 'http-clients', 'webhooks', 'subscribers', 'mcp', 'agents', 'oauth', 'troubleshooting'],
  ],
  Reference: ['configuration', 'command-line', 'operations', 'errors', 'events'],
  'Run it': [
    ...['hosts', 'lambda', 'bundlers', 'databases', 'scaling', 'queues', 'observability', 'plans-and-limits'],
    ...['retention', 'upgrading', '/CHANGELOG', '/SECURITY'],
  ],
  'Extend it': [
    ...['writing-a-plugin', 'extending', 'public-routes', 'representations', 'jobs', 'writing-an-adapter'],
    '/CONTRIBUTING',
  ],
};

/** A group of links. */
export interface SidebarGroup {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

/** The first heading of a Markdown file. */
const titleOf = (file: string): string => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file;

/** The sidebar of the project in `root`. Pages of docs/ that no group names stand in a group of their own, at the end. */
export function readSidebar(root: string): SidebarGroup[] {
  const named = new Set(Object.values(groups).flat());
  const others = readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !named.has(file.slice(0, -3)))
    .map((file) => file.slice(0, -3));
  const all = { ...groups, ...(others.length === 0 ? {} : { More: others }) };
  return Object.entries(all).map(([text, names]) => ({
    text,
    items: names.map((name) => {
      if (name === '/') return { text: 'Overview', link: '/' };
      const path = name.startsWith('/') ? name : `/docs/${name}`;
      return { text: titleOf(join(root, `${path}.md`)), link: path };
    }),
  }));
}
