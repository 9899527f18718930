// Jobs that were written after the first version of the search. This version found 21 of 30. Then the search was tuned on these jobs.
import type { ToolJob } from './tool-jobs.ts';

/** Written after the search. */
export const laterToolJobs: readonly ToolJob[] = [
  { says: 'ship the receipt to a customer who lost it, again', tools: ['send_transactional'] },
  { says: 'has mrs. Meyer opened our last mail', tools: ['list_sends', 'read_send'] },
  { says: 'Peter wants no more mails from us', tools: ['create_suppression'] },
  { says: 'import 500 addresses in the beta testers group', tools: ['add_list_members', 'upsert_contact'] },
  { says: 'which of our groups has how many members', tools: ['list_lists'] },
  { says: 'rename the group beta to early birds', tools: ['update_list'] },
  { says: 'kick bob out of the vip group', tools: ['remove_list_members'] },
  { says: 'what mails do we have ready', tools: ['list_templates'] },
  { says: 'fix the typo in the welcome mail', tools: ['update_template'] },
  { says: 'make the changed mail live', tools: ['publish_template'] },
  { says: 'send me a trial of the invoice mail first', tools: ['send_test'] },
  {
    says: 'can I see what went wrong with that automation for Ada',
    tools: ['read_sequence_run', 'list_sequence_runs'],
  },
  { says: 'start the trial-ending flow for customer 42', tools: ['enroll_in_sequence'] },
  { says: 'turn the paused flow back on', tools: ['resume_sequence'] },
  {
    says: 'SMS code template wording',
    tools: ['list_sms_templates', 'browse_sms_transactional_kit', 'preview_sms_template'],
  },
  { says: 'what posts go out on monday', tools: ['list_content_plan', 'list_social_posts'] },
  { says: "correct the text of tomorrow's facebook post", tools: ['update_social_post'] },
  { says: 'the page with the webinar is wrong, headline should be X', tools: ['update_page'] },
  { says: 'who registered through the webinar page', tools: ['list_page_submissions'] },
  { says: 'how many visited via qr on the flyer', tools: ['read_link_analytics'] },
  { says: 'switch off the spring link', tools: ['archive_short_link'] },
  { says: 'I want the qr in blue with our logo', tools: ['update_qr_design', 'create_qr_design'] },
  { says: 'remove the old hook to our crm', tools: ['delete_webhook'] },
  {
    says: 'is the hook to zapier failing?',
    tools: ['list_webhook_deliveries', 'read_webhook', 'list_webhooks'],
  },
  { says: 'ask anna to approve the newsletter', tools: ['submit_for_approval'] },
  { says: 'take back my request to bea', tools: ['withdraw_approval'] },
  { says: 'launch campaign for product release over mail, blog and social', tools: ['spawn_creation'] },
  { says: 'publish article about release', tools: ['publish_blog_post', 'create_blog_post'] },
  { says: 'how much did we send this month', tools: ['read_workspace'] },
  { says: 'picture for the newsletter header 1200x400', tools: ['create_composition'] },
];
