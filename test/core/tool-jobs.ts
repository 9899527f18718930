// Jobs (tasks) in the words of a user, each with the tools that can do it. One of these tools must be among the first five
// results of search_tools. The search was tuned on this half of the table; tool-jobs-unseen.ts has the other half.

/** A job, and the tools that can do it. */
export interface ToolJob {
  readonly says: string;
  readonly tools: readonly string[];
}

/** Written before the search. */
export const toolJobs: readonly ToolJob[] = [
  { says: 'tell Ada her parcel is late', tools: ['send_transactional'] },
  { says: 'who unsubscribed last week?', tools: ['list_suppressions'] },
  { says: 'did the invoice mail reach bob@example.com', tools: ['list_sends', 'read_send'] },
  { says: 'text the customer that the technician arrives in 10 minutes', tools: ['send_transactional_sms'] },
  { says: 'make landing page with signup form', tools: ['create_page'] },
  { says: 'put the page online', tools: ['publish_page'] },
  { says: 'post this on linkedin tomorrow at 9', tools: ['create_social_post', 'schedule_social_post'] },
  { says: 'how many people clicked the link in our flyer', tools: ['read_link_analytics'] },
  { says: 'I need qr code for the poster', tools: ['create_qr_design', 'render_qr_design'] },
  { says: 'stop sending emails to john@example.com, he complained', tools: ['create_suppression'] },
  { says: 'add these three people to the newsletter', tools: ['add_list_members'] },
  { says: 'forget everything about this person (gdpr)', tools: ['delete_contact'] },
  { says: 'why my webhook get nothing', tools: ['list_webhook_deliveries', 'test_webhook'] },
  { says: 'welcome series: mail now, another after 3 days', tools: ['create_sequence'] },
  { says: 'what is waiting for my ok', tools: ['list_pending_approvals'] },
  { says: 'say yes to the request of marketing', tools: ['decide_approval'] },
  { says: 'undo the last change of the receipt template', tools: ['rollback_template'] },
  { says: 'which variables needs the welcome mail', tools: ['read_template_schema'] },
  {
    says: 'show me how the password reset mail will look',
    tools: ['render_template', 'preview_transactional'],
  },
  { says: 'our logo changed, upload the new one', tools: ['create_asset'] },
  { says: 'new brand colours', tools: ['update_brand'] },
  { says: 'how much budget we have left this month', tools: ['read_workspace'] },
  { says: 'who changed the template yesterday', tools: ['recent_audit_entries'] },
  { says: 'the customer bought the pro plan, start whatever should happen', tools: ['emit_event'] },
  { says: 'write a newsletter about our summer sale from a brief', tools: ['compose_template'] },
  { says: 'take Maria out of the onboarding flow', tools: ['cancel_sequence_run'] },
  { says: 'write a blog article', tools: ['create_blog_post'] },
  { says: 'sent the same mail to 200 customers with own data each', tools: ['send_transactional_batch'] },
  { says: 'ebook for download to get leads', tools: ['create_lead_magnet'] },
  { says: 'what should we post next week', tools: ['plan_week'] },
];
