// The event families that are reserved for the service, whether their plugin is composed or not: a plugin that is added
// later must find its names free. The only list of them; the families of composed plugins are reserved too.

/** The first part of every event name in the catalogue. */
export const reservedFamilies: ReadonlySet<string> = new Set([
  'send',
  'transactional',
  'sms',
  'sequence_run',
  'schema_contract',
  'social',
  'link',
  'page',
  'approval',
  'contact',
  'list_member',
  'creation',
  'content_plan',
  'lead_magnet',
  'blog_post',
  'budget',
  'webhook',
  'api',
]);
