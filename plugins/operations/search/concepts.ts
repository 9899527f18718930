// Words of the field with the same or nearly the same meaning. An operation and a request match if they use words of
// one concept. The verbs file contains the verbs. Pure.
import { stemOf } from './words.ts';

/** Each line is one concept. A word may be in several lines. */
export const concepts: readonly string[] = [
  'email mail message letter newsletter mailing note inbox correspondence',
  'email receipt invoice confirmation reminder notice notification voucher payment password ticket booking welcome reset greeting invite invitation birthday appointment',
  'contact person people customer client subscriber recipient user lead reader buyer guest shopper attendee visitor patient student donor member fan somebody someone anyone everybody everyone nobody prospect lady man woman gentleman address',
  'profile detail phone city birthday name language contact',
  'list group audience cohort bucket crowd waitlist newsletter',
  'segment audience filter cohort target criteria condition match spender slice subset',
  'suppression blocklist blacklist donotmail optout bounce complain unsubscribe muted blocked spam',
  'unsubscribe optout leave left optin resubscribe preference subscribe',
  'bounce undeliverable returned rejected fail complain spam',
  'deliverability receive reach arrived allow deliverable',
  'sequence automation workflow flow drip journey series funnel autoresponder nurture onboarding cadence course winback followup delay',
  'run progress step stuck journey stage',
  'enrolment enrol join',
  'webhook hook callback endpoint listener receiver zapier integration server backend crm push',
  'delivery attempt fail retry deliver',
  'secret hmac signature password credential signing',
  'key token credential apikey access',
  'grant oauth agent assistant bot chatbot claude chatgpt ai app',
  'link url redirect shortlink utm address shorten destination',
  'qr barcode scan scanner',
  'click visit hit traffic tap',
  'analytics statistic stats figures numbers metric report performance result insight dashboard engagement perform likes',
  'template layout wording design copy subject footer header email',
  'version revision history earlier previous restore',
  'theme brand look style',
  'brand color font palette identity typography',
  'page landing site website microsite webpage homepage',
  'form signup registration submission response answer entry registrant submitted submit survey register',
  'post tweet update status announcement social caption',
  'network linkedin facebook instagram twitter tiktok youtube threads bluesky pinterest reddit social channel connected',
  'plan schedule agenda upcoming week month calendar idea',
  'calendar holiday quiet weekend night christmas frequency often',
  'broadcast blast campaign newsletter mailing announcement bulk mass',
  'plan campaign mailing newsletter announcement sale',
  'creation campaign launch brief',
  'composition image picture photo graphic banner header visual thumbnail creative story cover flyer',
  'asset file upload attachment media document photo image picture library video logo',
  'blog article story post',
  'approval permission review signoff consent okay decision decide approve',
  'policy rule requirement guard allow require',
  'reviewer colleague teammate staff coworker team approver',
  'workspace account company organisation tenant',
  'usage quota limit budget credit balance spend cost allowance remaining left',
  'sms phone mobile cell handset',
  'consent agree permission withdraw',
  'audit log trail activity history',
  'event happening trigger signal track occurrence purchase order signal',
  'topic preference interest subscribe category',
  'strategy positioning goals tone pillars voice',
  'icp persona buyer profile ideal typical',
  'default preset standard initial',
  'magnet ebook guide pdf download whitepaper checklist freebie',
  'news headline trend industry market',
  'language locale translation english german french spanish italian',
  'personal privacy gdpr erase forget copy data',
  'domain dkim spf dns sender',
  'connector integration provider vendor connection connected',
  'variable placeholder merge field contract schema',
];

/** The first character of the names of concepts. No word of a request contains it. */
const conceptPrefix = '#';

const conceptsByStem: ReadonlyMap<string, readonly string[]> = concepts.reduce((known, line, index) => {
  for (const word of line.split(' ')) {
    const stem = stemOf(word);
    if (stem !== undefined) known.set(stem, [...(known.get(stem) ?? []), `${conceptPrefix}${index}`]);
  }
  return known;
}, new Map<string, readonly string[]>());

/** Whether a term is the name of a concept. */
export const isConcept = (term: string): boolean => term.startsWith(conceptPrefix);

/** The concepts of a stem, by their names. */
export const conceptsOf = (stem: string): readonly string[] => conceptsByStem.get(stem) ?? [];
