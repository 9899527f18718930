// Jobs that were written before their results were known. The search found 32 of 40 before its latest change, and 33 after it.
import type { ToolJob } from './tool-jobs.ts';

/** Written from the summaries of the tools, for all areas. The search must not be tuned on them. */
export const freshToolJobs: readonly ToolJob[] = [
  { says: 'mail me the November offer so that I can proofread it', tools: ['test_broadcast', 'send_test'] },
  { says: 'subject line B did better, use that one for everyone else', tools: ['decide_broadcast_experiment'] },
  {
    says: 'turn the planned mailing for black friday into a real broadcast',
    tools: ['create_planned_broadcast'],
  },
  { says: 'how much money did the autumn newsletter bring in', tools: ['read_broadcast_report'] },
  { says: 'open rate of our last three campaigns', tools: ['read_broadcast_report', 'list_broadcasts'] },
  { says: 'hold the campaign that is being sent right now', tools: ['pause_broadcast'] },
  { says: 'the campaign was paused, carry on', tools: ['resume_broadcast'] },
  { says: 'reuse the september campaign with new dates', tools: ['duplicate_broadcast'] },
  { says: 'launch the campaign on friday at 8 in the morning', tools: ['schedule_broadcast'] },
  {
    says: 'friday is too early, the campaign should not leave yet',
    tools: ['unschedule_broadcast', 'cancel_broadcast', 'pause_broadcast'],
  },
  { says: 'which customers were skipped by the campaign, and why', tools: ['list_broadcast_recipients'] },
  {
    says: 'marketing is locked because of too many complaints, we cleaned up, unlock it',
    tools: ['release_reputation'],
  },
  { says: 'what is our sender reputation', tools: ['read_reputation'] },
  { says: 'email a payment receipt to lena@kiosk.ee', tools: ['send_transactional'] },
  { says: 'was the booking confirmation for Omar opened', tools: ['list_sends', 'read_send'] },
  {
    says: 'preview of the shipping mail with the data of order 88',
    tools: ['preview_transactional', 'render_template'],
  },
  {
    says: 'make the tone of the cancellation mail friendlier',
    tools: ['update_template', 'propose_template_change', 'compose_template'],
  },
  { says: 'earlier states of the receipt template', tools: ['list_template_versions'] },
  { says: 'upload our csv of 4000 subscribers', tools: ['import_contacts'] },
  { says: 'is the upload of subscribers finished', tools: ['read_contact_import'] },
  { says: 'change the surname of ola@fjord.no', tools: ['upsert_contact'] },
  { says: 'Nina asks for a copy of all the data we have about her', tools: ['export_contact'] },
  {
    says: 'how many contacts live in Lisbon and bought in spring',
    tools: ['preview_segment', 'create_segment', 'read_segment_contacts'],
  },
  { says: 'why is Bart part of the VIP segment', tools: ['explain_segment'] },
  { says: 'remove the two testers from the beta list', tools: ['remove_list_members'] },
  { says: 'Karl only wants product updates, no promotions', tools: ['set_preferences'] },
  { says: 'texts that failed to reach a phone last night', tools: ['list_sms_deliveries'] },
  { says: 'Ivo agreed to get texts from us', tools: ['record_sms_consent'] },
  { says: 'where is Maria in the onboarding flow', tools: ['list_sequence_runs', 'read_sequence_run'] },
  { says: 'put the whole trial list into the onboarding flow', tools: ['enroll_list_in_sequence'] },
  { says: 'answers that visitors gave in the contact form', tools: ['list_page_submissions'] },
  { says: 'correct the headline of the pricing page', tools: ['update_page'] },
  { says: 'the article about pricing is wrong, take it offline', tools: ['unpublish_blog_post'] },
  { says: 'publish the tweet now', tools: ['publish_social_post'] },
  { says: 'plan next week for instagram', tools: ['plan_week'] },
  { says: 'the QR code should be dark green with our logo in it', tools: ['update_qr_design', 'create_qr_design'] },
  { says: 'the short link should lead to the new shop', tools: ['update_short_link'] },
  { says: 'end the access of that chatbot', tools: ['revoke_grant'] },
  { says: 'our webhook secret leaked', tools: ['rotate_webhook_secret'] },
  { says: 'how many sends are left this month', tools: ['read_workspace'] },
];
