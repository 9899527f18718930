// The families of events that are the service's own, from the start and whatever is composed: a plugin that comes later
// must find its names free. The one place that lists them; a composed plugin's families are reserved beside these.

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
