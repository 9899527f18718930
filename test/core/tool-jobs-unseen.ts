// The other half of the jobs. They were written before the search, from the summaries of the tools, in words that the summaries do not
// use. The search was not tuned on these jobs.
import type { ToolJob } from './tool-jobs.ts';

/** Written before the search, by the author of the search. */
export const unseenToolJobs: readonly ToolJob[] = [
  { says: 'make this long url tiny', tools: ['create_short_link'] },
  { says: 'somebody bounced, let them receive again', tools: ['delete_suppression'] },
  { says: 'kill the tweet from this morning', tools: ['delete_social_post'] },
  {
    says: 'hows our facebook thing from monday performing, likes and so',
    tools: ['get_social_post_analytics'],
  },
  { says: "don't let the bot put anything live without me", tools: ['manage_approval_policy'] },
  { says: 'colleagues who can look over my draft', tools: ['list_workspace_members'] },
  { says: 'which staff tokens exist and when were they used', tools: ['list_api_keys'] },
  { says: 'notify our backend whenever a mail bounces', tools: ['create_webhook'] },
  { says: 'our endpoint was down last night, push it to us once more', tools: ['replay_webhook_delivery'] },
  { says: 'leaked the hmac, need another', tools: ['rotate_webhook_secret'] },
  { says: "abort tomorrow's mailing to Peter", tools: ['cancel_scheduled_send', 'cancel_planned_email'] },
  { says: 'dry try of onboarding: what would happen to a person who never opens', tools: ['simulate_sequence'] },
  { says: 'freeze the drip for now', tools: ['pause_sequence'] },
  { says: 'everybody in vip audience shall get the drip', tools: ['enroll_list_in_sequence'] },
  { says: 'answers people typed into our form', tools: ['list_page_submissions'] },
  { says: 'banner for instagram, 1080 square', tools: ['create_composition'] },
  { says: 'which pixel dimensions do you support', tools: ['list_canvas_sizes'] },
  { says: 'describe who our ideal buyer is', tools: ['create_icp'] },
  { says: 'change tone and goals of our marketing plan', tools: ['patch_marketing_strategy'] },
  { says: 'give me the pdf of the guide', tools: ['export_lead_magnet'] },
  { says: 'any industry headlines we could talk about', tools: ['list_market_news'] },
  { says: 'customer said ok to get texts on her phone', tools: ['record_sms_consent'] },
  { says: 'what did we text to +4366012345678', tools: ['list_sms_deliveries'] },
  { says: "what's the phone number and language of Ada", tools: ['read_contact', 'list_contacts'] },
  { says: 'pull the article down from our site', tools: ['unpublish_blog_post'] },
  { says: 'mail an announcement to all subscribers at christmas 8am vienna', tools: ['create_planned_email'] },
  { says: "we don't use the spring promo mail any more, hide it", tools: ['archive_template'] },
  { says: 'link should go to other address now', tools: ['update_short_link'] },
  { says: 'where is Tom in the onboarding now', tools: ['list_sequence_runs', 'read_sequence_run'] },
  { says: 'which x / linkedin accounts are hooked up', tools: ['list_social_networks'] },
];
