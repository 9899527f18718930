// For the test of statement plans, which needs a row in each table: pages and posts with a changed slug, and a submitted form.

import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { submissionRows } from '../../plugins/pages/tables.ts';
import { writePage } from '../support/fill-placeholders.ts';
import type { bareStandardPlugins } from '../support/plugins.ts';

type Service = TestService<(typeof bareStandardPlugins)[number]['id']>;

/** Publishes, moves and shows pages and posts. */
export async function runPages({ service, workspaceId, drain, request }: Service): Promise<void> {
  const { blog, pages } = service.as(workspaceId);
  await pages.create({ brief: 'A page about plans.', slug: 'plans', length: 'short' });
  await drain();
  await writePage({ pages }, 'plans');
  await pages.publish({ idOrSlug: 'plans' });
  await pages.update({ idOrSlug: 'plans', slug: 'plans-new' });
  await pages.publish({ idOrSlug: 'plans-new' });
  await blog.create({ title: 'Plans', body: 'Text.', tags: ['plans'] });
  await blog.publish({ idOrSlug: 'plans' });
  await blog.update({ idOrSlug: 'plans', slug: 'plans-new' });
  await blog.publish({ idOrSlug: 'plans-new' });
  for (const path of ['/p/plans', '/p/plans-new', '/blog', '/blog/plans-new', '/blog/tags/plans'])
    await request(`/p/${workspaceId}${path}`, { key: '' });
  await inWorkspace(service.core, await readWorkspace(service.core, workspaceId), async ({ trx, now }) => {
    await submissionRows.insert(trx.onSide(false), {
      ...{ id: 'sub_plans', sandbox: false, page_id: 'pg_plans', slug: 'plans', form_id: 'signup', fields: {} },
      ...{ status: 'received' },
      ...{ email: 'form@example.com', email_as_given: 'form@example.com', consent_text: null, list_id: null },
      ...{ sequence_key: null, lead_magnet_id: null, language: 'en', contact_id: null, confirmed: false },
      ...{ confirmed_at: null, kept_from: now, created_at: now },
    });
  });
}
