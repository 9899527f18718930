import { defineMigration } from '../../../core/index.ts';

const side = ['workspace_id', 'sandbox'] as const;

export const migration0001 = defineMigration({
  id: '0001-links',
  changes: [
    {
      create: 'links',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        domain: 'address',
        slug_owner: 'id',
        slug: 'key',
        destination_url: 'text',
        label: 'text?',
        campaign_id: 'key?',
        tags: 'json',
        utm: 'json',
        route_rules: 'json',
        password: 'bytes?',
        go_live_at: 'time?',
        expires_at: 'time?',
        archived_at: 'time?',
        abuse: 'id',
        abuse_by: 'id?',
        abuse_reason: 'text?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    // Slugs of the default domain are unique across all workspaces, because a visitor's request contains only a slug. A
    // domain may pass from one workspace to another. The links of the former workspace then do not block slugs of the
    // new one.
    { index: 'links_slug', on: 'links', columns: ['domain', 'slug', 'slug_owner'], unique: true },
    { index: 'links_list', on: 'links', columns: [...side, 'created_at', 'id'] },
    { index: 'links_campaign', on: 'links', columns: [...side, 'campaign_id', 'created_at', 'id'] },
    {
      create: 'link_totals',
      columns: {
        link_id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        clicks: 'integer',
        uniques: 'integer',
        bots: 'integer',
        last_at: 'time?',
        created_at: 'time',
      },
      primaryKey: [...side, 'link_id'],
    },
    {
      create: 'link_click_batches',
      columns: { id: 'id', workspace_id: 'id', sandbox: 'flag', clicks: 'json', created_at: 'time' },
      primaryKey: ['id'],
    },
    { index: 'link_click_batches_age', on: 'link_click_batches', columns: ['workspace_id', 'created_at'] },
    {
      create: 'link_pending_batches',
      columns: { id: 'id', workspace_id: 'id', sandbox: 'flag', clicks: 'integer', created_at: 'time' },
      primaryKey: [...side, 'id'],
      clustered: true,
    },
    {
      create: 'link_rollup_sets',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        batches: 'json',
        clicks: 'integer',
        done: 'integer',
        created_at: 'time',
      },
      primaryKey: [...side, 'id'],
      clustered: true,
    },
    {
      create: 'link_visitors',
      columns: { visitor: 'key', workspace_id: 'id', sandbox: 'flag', created_at: 'time' },
      primaryKey: ['workspace_id', 'sandbox', 'visitor'],
    },
    { index: 'link_visitors_age', on: 'link_visitors', columns: ['workspace_id', 'created_at'] },
    {
      create: 'link_rollups',
      columns: {
        link_id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        dimension: 'id',
        day: 'id',
        value: 'key',
        clicks: 'integer',
        uniques: 'integer',
        bots: 'integer',
        created_at: 'time',
      },
      primaryKey: [...side, 'link_id', 'dimension', 'day', 'value'],
      clustered: true,
    },
    {
      create: 'link_salts',
      columns: { day: 'id', workspace_id: 'id', salt: 'bytes', created_at: 'time' },
      primaryKey: ['workspace_id', 'day'],
    },
    { index: 'link_salts_age', on: 'link_salts', columns: ['created_at'] },
    {
      create: 'link_utm_values',
      columns: {
        name: 'key',
        workspace_id: 'id',
        sandbox: 'flag',
        field: 'id',
        value: 'key',
        uses: 'integer',
        created_at: 'time',
      },
      primaryKey: [...side, 'name'],
    },
    { index: 'link_utm_values_uses', on: 'link_utm_values', columns: [...side, 'field', 'uses', 'value'] },
    {
      create: 'link_domains',
      columns: { id: 'id', workspace_id: 'id', domain: 'address', created_at: 'time' },
      primaryKey: ['id'],
    },
    // A domain belongs to one workspace.
    { index: 'link_domains_name', on: 'link_domains', columns: ['domain'], unique: true },
    { index: 'link_domains_list', on: 'link_domains', columns: ['workspace_id', 'created_at', 'id'] },
  ],
});
