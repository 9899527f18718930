// The event families that are reserved for the service, whether their plugin is composed or not: a plugin that is added
// later must find its names free. The only list of them; the families of composed plugins are reserved too.

/** The first part of every name in the catalogue of events. */
export const reservedFamilies = [
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
] as const;
