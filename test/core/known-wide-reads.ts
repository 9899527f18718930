// Statements that read many rows on purpose, for the test of statement plans

/** Statements that may read many rows, each with the reason */
export const knownWideReads: readonly (readonly [RegExp, string])[] = [
  [
    /select count\(\*\) as .total. from \S*contacts. as .person.|from \S*contacts. as .person. where .*created_at. <= /,
    'a segment checks every contact of one side, 1,000 at a time',
  ],
  [
    /select .id.(, .created_at.)? from \S*contacts. where .*(any_case|like|lower).*limit|select .id. from \S*contacts. where \S*workspace_id. = \S+ and \S*sandbox. = \S+ limit/,
    'looks through a side that has at most 10,000 contacts',
  ],
  [
    /select .person...id., .person...email., .person...created_at. from \S*contacts. as .person. where .* order by .* limit/,
    'an audience is stored 2,000 contacts at a time',
  ],
  [/select .last_at. from \S*contact_activity. where .*limit/, 'counts 1,000 contacts at most'],
  [/count\(\*\).*from \S*inbox_messages|"size".*from \S*inbox_messages/, 'an inbox keeps 1,000 messages'],
  [/sum\(.bytes.\).*from \S*assets/, 'the sum is read from an index; 5 GB are some thousand files'],
  [/from \S*(list_counts|lists). where .*(unconfirmed|visibility)/, 'a workspace has 1,000 lists'],
  [
    /from \S*(sms_wordings|marketing_icps|social_refreshes|approval_policies). where/,
    'a workspace has at most 50 rows',
  ],
  [/from \S*inbox_texts. where .*to_number/, 'an inbox keeps 1,000 messages'],
  [/templates. inner join .*order by .*limit/, 'prompts list a limited number of templates in the order of their keys'],
  [/from \S*pages. where .*(list_ids|compose_status|published_at)/, 'a side has 1,000 pages'],
  [
    /select .id. from \S*(compositions|lead_magnets|blog_posts|creations|segments|lists). where .*limit/,
    'counts up to a limit',
  ],
  [/from \S*creation_items. where .*creation_id/, 'a creation has 60 items; all test rows belong to one creation'],
  [/from \S*segment_watches. where/, 'a side has at most 500 segments to watch'],
  [/from \S*topics. where/, 'a workspace has 100 topics'],
  [/select distinct .topic_key. from \S*sends. where .*to_normalised/, 'counts only the sends to one address'],
  [/from \S*social_accounts. where/, 'a workspace has 50 connectors with some accounts each'],
  [/from \S*social_targets. where .*post_id/, 'a post has ten targets; all test rows belong to one post'],
  [/from \S*social_posts. where .*status. != /, 'reads the list in its order, and skips a few deleted rows'],
  [/from \S*oauth_grants. (inner join .*order by|where .*ended. = .*limit)/, 'a day of expired rows, 200 at a time'],
  [/from \S*social_event_runs. where .*not in \(select/, 'lists runs by a status that depends on their posts'],
  [/select .id. from \S*sequences. where .*status. = \S+ limit/, 'counts up to the limit of published sequences'],
  [
    /from \S*sequence_versions. where .*sequence_id/,
    'reads the versions of one sequence; all test rows belong to one sequence',
  ],
  [
    /delete from \S*(audit|contact_events|request_log|send_events|send_attachments). where .*.id. in \(/,
    'deletes rows by their keys; a small table is read whole',
  ],
  [
    /select .contact_id. from \S*list_members. where .*contact_id. in \(.*status. != /,
    'reads up to some hundred members by their keys; a small table is read whole',
  ],
  [/from \S*link_visitors. where .*visitor. in \(/, 'reads 256 rows by their keys; a small table is read whole'],
  [/from \S*brands. where .*is_default/, 'a workspace has 50 brands'],
  [/from \S*inbox_messages. where .*(to_normalised|search_text)/, 'an inbox keeps 1,000 messages'],
  [/from \(select .status., .*created_at. % .*limit/, 'counts 10,000 sends at most, for the chart of the console'],
  [/from \(select .api_key_id.*limit/, 'looks through 10,000 sends at most, when a publish is refused'],
  [/select .(id|\w+_id)., .workspace_id. from \S+ where .(id|\w+_id). > /, 'a removal reads page by page'],
];
