// The standard set of feature areas, which most programs compose.
import { approvalsPlugin } from './approvals/index.ts';
import { assetsPlugin } from './assets/index.ts';
import { auditPlugin } from './audit/index.ts';
import { blogPlugin } from './blog/index.ts';
import { brandPlugin } from './brand/index.ts';
import { broadcastsPlugin } from './broadcasts/index.ts';
import { campaignsPlugin } from './campaigns/index.ts';
import { connectorsPlugin } from './connectors/index.ts';
import { consolePlugin } from './console/index.ts';
import { contactsPlugin } from './contacts/index.ts';
import { contentPlanPlugin } from './content-plan/index.ts';
import { creationsPlugin } from './creations/index.ts';
import { designsPlugin } from './designs/index.ts';
import { domainsPlugin } from './domains/index.ts';
import { emailPlugin } from './email/index.ts';
import { eventsPlugin } from './events/index.ts';
import { inboxPlugin } from './inbox/index.ts';
import { jobsPlugin } from './jobs/index.ts';
import { keysPlugin } from './keys/index.ts';
import { leadMagnetsPlugin } from './lead-magnets/index.ts';
import { linksPlugin } from './links/index.ts';
import { listsPlugin } from './lists/index.ts';
import { marketingPlugin } from './marketing/index.ts';
import { oauthPlugin } from './oauth/index.ts';
import { operationsPlugin } from './operations/index.ts';
import { pagesPlugin } from './pages/index.ts';
import { qrPlugin } from './qr/index.ts';
import { referencePlugin } from './reference/index.ts';
import { reputationPlugin } from './reputation/index.ts';
import { segmentsPlugin } from './segments/index.ts';
import { sequencesPlugin } from './sequences/index.ts';
import { smsPlugin } from './sms/index.ts';
import { socialPlugin } from './social/index.ts';
import { socialEventsPlugin } from './social-events/index.ts';
import { suppressionsPlugin } from './suppressions/index.ts';
import { templatesPlugin } from './templates/index.ts';
import { topicsPlugin } from './topics/index.ts';
import { webhooksPlugin } from './webhooks/index.ts';
import { workspacePlugin } from './workspace/index.ts';

/** Every plugin with its default options, ready for `createService({ plugins: standardPlugins })`. */
export const standardPlugins = [
  operationsPlugin(),
  workspacePlugin(),
  keysPlugin(),
  oauthPlugin(),
  auditPlugin(),
  jobsPlugin(),
  assetsPlugin(),
  brandPlugin(),
  templatesPlugin(),
  suppressionsPlugin(),
  connectorsPlugin(),
  domainsPlugin(),
  emailPlugin(),
  contactsPlugin(),
  listsPlugin(),
  topicsPlugin(),
  segmentsPlugin(),
  broadcastsPlugin(),
  eventsPlugin(),
  linksPlugin(),
  qrPlugin(),
  webhooksPlugin(),
  approvalsPlugin(),
  reputationPlugin(),
  smsPlugin(),
  socialPlugin(),
  socialEventsPlugin(),
  campaignsPlugin(),
  sequencesPlugin(),
  marketingPlugin(),
  designsPlugin(),
  pagesPlugin(),
  blogPlugin(),
  leadMagnetsPlugin(),
  creationsPlugin(),
  contentPlanPlugin(),
  inboxPlugin(),
  referencePlugin(),
  consolePlugin(),
] as const;

// Exported here, so that a program that imports the set also gets the types that each plugin adds to `service.as(workspace)`.
export { approvalsPlugin } from './approvals/index.ts';
export { assetsPlugin } from './assets/index.ts';
export { auditPlugin } from './audit/index.ts';
export { blogPlugin } from './blog/index.ts';
export { brandPlugin } from './brand/index.ts';
export { broadcastsPlugin } from './broadcasts/index.ts';
export { campaignsPlugin } from './campaigns/index.ts';
export { connectorsPlugin } from './connectors/index.ts';
export { consolePlugin, type FirstStep, type OverviewPart } from './console/index.ts';
export { contactsPlugin } from './contacts/index.ts';
export { contentPlanPlugin } from './content-plan/index.ts';
export { creationsPlugin } from './creations/index.ts';
export { designsPlugin } from './designs/index.ts';
export { domainsPlugin } from './domains/index.ts';
export { emailPlugin } from './email/index.ts';
export { eventsPlugin } from './events/index.ts';
export { inboxPlugin } from './inbox/index.ts';
export { jobsPlugin } from './jobs/index.ts';
export { keysPlugin } from './keys/index.ts';
export { leadMagnetsPlugin } from './lead-magnets/index.ts';
export { linksPlugin } from './links/index.ts';
export { listsPlugin } from './lists/index.ts';
export { marketingPlugin } from './marketing/index.ts';
export { oauthPlugin } from './oauth/index.ts';
export { operationsPlugin } from './operations/index.ts';
export { pagesPlugin } from './pages/index.ts';
export { qrPlugin } from './qr/index.ts';
export { referencePlugin } from './reference/index.ts';
export { reputationPlugin } from './reputation/index.ts';
export { segmentsPlugin } from './segments/index.ts';
export { type CodeSequence, defineSequence, sequencesPlugin } from './sequences/index.ts';
export { smsPlugin } from './sms/index.ts';
export { socialPlugin } from './social/index.ts';
export { socialEventsPlugin } from './social-events/index.ts';
export { suppressionsPlugin } from './suppressions/index.ts';
export {
  type LoadTemplatesOptions,
  type LocalizedTemplate,
  loadTemplates,
  localizeTemplate,
  type StarterLanguages,
  type StarterTexts,
  type StarterTextsByLanguage,
  starterLocales,
  starterTexts,
  type TemplateLayout,
  templatesPlugin,
} from './templates/index.ts';
export { topicsPlugin } from './topics/index.ts';
export { webhooksPlugin } from './webhooks/index.ts';
export { workspacePlugin } from './workspace/index.ts';
