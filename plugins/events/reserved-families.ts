// The names and families of events that are reserved for the service, whether their plugin is composed or not: a plugin that is added
// later must find its names unused. This is the only such list. The events of composed plugins are reserved too.

/** The catalogue: the event names of each family, without the family. */
const catalogue = {
  send: 'queued scheduled sent delivered delivery_delayed bounced complained opened clicked unsubscribed failed canceled',
  transactional: 'suppressed',
  sms: 'queued sent delivered failed opted_out',
  sequence_run: 'enrolled completed exited cancelled failed step_skipped node_reached',
  schema_contract: 'changed',
  social:
    'post.created post.scheduled post.published post.partially_published post.failed post.deleted network.disconnected',
  link: 'clicked created updated archived abuse_flagged disabled_for_abuse reinstated',
  page: 'ready failed published unpublished form_submitted form_confirmed',
  approval: 'requested decided execution_failed',
  contact: 'created updated',
  list_member: 'added confirmed removed',
  creation: 'strategy_ready ready failed',
  content_plan: 'run.awaiting run.completed run.failed',
  lead_magnet: 'ready failed',
  blog_post: 'published unpublished',
  segment: 'entered left',
  topic: 'subscribed unsubscribed',
  broadcast: 'scheduled started paused resumed canceled sent',
  reputation: 'warned held',
  mail: 'received',
  budget: 'reached',
  webhook: 'disabled',
  api: 'deprecation changelog.published',
} as const;

/** The first part of every name in the catalogue of events. */
export const reservedFamilies = Object.keys(catalogue) as readonly (keyof typeof catalogue)[];

/** Every name in the catalogue of events. */
export const reservedNames: ReadonlySet<string> = new Set(
  Object.entries(catalogue).flatMap(([family, names]) => names.split(' ').map((name) => `${family}.${name}`)),
);
