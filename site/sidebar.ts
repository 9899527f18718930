// The order of the pages of the documentation site. Read by its configuration and by the test of the site.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages by group: the names of files in docs/, or the paths of pages outside of it. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['/', 'installing', 'sending-email', 'embedding', 'testing', 'concepts'],
  Tasks: [
    'templates',
    'approvals',
    'starters',
    'brand',
    'assets',
    'composing',
    'pages',
    'blog',
    'lead-magnets',
    'tracking',
    'providers',
    'bounces',
    'sandbox',
    'inbox',
    'console',
    'console-pages',
    'contacts',
    'lists',
    'topics',
    'reputation',
    'segments',
    'broadcasts',
    'sequences',
    'connectors',
    'domains',
    'links',
    'qr',
    'designs',
    'sms',
    'social',
    'social-x',
    'social-linkedin',
    'social-bluesky',
    'social-reddit',
    'social-facebook',
    'social-instagram',
    'social-threads',
    'social-youtube',
    'social-pinterest',
    'social-tiktok',
    'social-events',
    'marketing',
    'who-gets-what',
    'planned-emails',
    'creations',
    'content-plan',
    'subscribers',
    'webhooks',
    'transactions',
    'idempotency',
    'keys-and-scopes',
    'http-clients',
    'mcp',
    'agents',
    'oauth',
    'moving-over',
    'troubleshooting',
  ],
  Reference: ['configuration', 'command-line', 'operations', 'errors', 'events'],
  Operations: [
    'hosts',
    'lambda',
    'bundlers',
    'databases',
    'scaling',
    'queues',
    'observability',
    'plans-and-limits',
    'retention',
    'upgrading',
    '/CHANGELOG',
    '/SECURITY',
  ],
  Extending: [
    'writing-a-plugin',
    'extending',
    'public-routes',
    'representations',
    'jobs',
    'writing-an-adapter',
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
