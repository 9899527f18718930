// Jobs by somebody who had seen neither the search nor the other jobs, only the list of operations. The first version of the search found
// 20 of 30, the second 26. Neither version was tuned on these jobs.
import type { ToolJob } from './tool-jobs.ts';

/** Written without knowledge of the search. The search must not be tuned on these jobs. */
export const independentToolJobs: readonly ToolJob[] = [
  { says: 'let Priya know by email that her refund went through', tools: ['send_transactional'] },
  {
    says: 'did the receipt we mailed to tom@harbour.co actually arrive, or did it bounce?',
    tools: ['list_sends', 'read_send'],
  },
  {
    says: 'stop that reminder that was supposed to go out tomorrow morning, the appointment moved',
    tools: ['cancel_scheduled_send'],
  },
  {
    says: 'which tokens can our developers use to get in, and is there one nobody uses any more?',
    tools: ['list_api_keys', 'read_api_key'],
  },
  { says: 'store this product photo so we can use it again later', tools: ['create_asset'] },
  { says: 'this guy is furious, make sure we never mail him again', tools: ['create_suppression'] },
  { says: 'Marta fixed her mailbox, take her off the do-not-mail blocklist', tools: ['delete_suppression'] },
  { says: 'text Sam that his car is ready for pickup', tools: ['send_transactional_sms'] },
  {
    says: 'the customer ticked the box at the till saying we may text her, make a note of that',
    tools: ['record_sms_consent'],
  },
  { says: "why isn't Mrs Okafor getting our newsletter?", tools: ['explain_deliverability', 'read_preferences'] },
  { says: 'a customer invoked GDPR, wipe everything we know about him', tools: ['delete_contact'] },
  { says: 'load the spreadsheet of people we met at the trade fair', tools: ['import_contacts'] },
  {
    says: 'what have we got planned for December, with the dates?',
    tools: ['read_marketing_calendar', 'list_content_plan'],
  },
  { says: 'put these three new customers in the VIP club', tools: ['add_list_members'] },
  {
    says: 'how many people in Lyon bought something in the past month? just the number before I save it as an audience',
    tools: ['preview_segment'],
  },
  { says: 'why does Jonas not fall into our big spenders group?', tools: ['explain_segment'] },
  { says: 'Lena only wants product news from now on, no more promotions', tools: ['set_preferences'] },
  { says: 'add a new kind of mailing people can opt in to, call it Recipes', tools: ['create_topic'] },
  { says: 'make this long shop address shorter so I can put it in my Insta bio', tools: ['create_short_link'] },
  { says: 'how many people clicked the spring sale URL in the last 30 days?', tools: ['read_link_analytics'] },
  { says: 'I need the scan code for the menu as a file I can give the printer', tools: ['render_qr_design'] },
  { says: 'take the Black Friday landing page offline', tools: ['unpublish_page'] },
  { says: 'who filled in the form on our webinar signup page?', tools: ['list_page_submissions'] },
  { says: 'draft an article about caring for leather boots for our site', tools: ['create_blog_post'] },
  { says: 'put the LinkedIn announcement out on Thursday at 9', tools: ['schedule_social_post'] },
  { says: 'what is still waiting for my boss to sign off?', tools: ['list_pending_approvals', 'list_approvals'] },
  {
    says: 'our server was down last night, push the missed order notifications to our endpoint again',
    tools: ['replay_webhook_delivery', 'list_webhook_deliveries'],
  },
  {
    says: 'start the onboarding drip for everyone who is on the beta testers list',
    tools: ['enroll_list_in_sequence'],
  },
  { says: 'our colours changed, the main one is dark green now and we have a new logo', tools: ['update_brand'] },
  { says: 'who changed things in our account over the weekend?', tools: ['recent_audit_entries'] },
];
