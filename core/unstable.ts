// postrider/unstable: what the standard plugins and the hosts use beside the public surface. Not covered by the semver
// promise: it may change with any release.

export { addressFault } from './contract/addresses.ts';
export {
  type BriefForm,
  briefOpening,
  briefSentences,
  headingOf,
  plainSentences,
  readerSentences,
} from './contract/brief-words.ts';
export { counted } from './contract/counted.ts';
export { countryFault, isCountry } from './contract/countries.ts';
export { type DurationParts, exactDurationMs, lifetime, parseDuration } from './contract/duration.ts';
export { fallbackTags } from './contract/fallback-tags.ts';
export { checkValue, faultSentence, faultSummary } from './contract/input-faults.ts';
export { lineFault } from './contract/line-text.ts';
export { type LocalTime, localTime, momentOf, offsetMsOf } from './contract/local-time.ts';
export { isMissingPackage, loadOptional, packageMissing } from './contract/missing-package.ts';
export { retryAfterMs } from './contract/ports/outgoing.ts';
export { awakeAt, isTimeZone, type QuietHours, zonesOf } from './contract/quiet-hours.ts';
export { beginning, displayWidth, lettersOf, type Shortening, shortened, wordCount } from './contract/shorten.ts';
export { slug, slugBeside } from './contract/slug.ts';
export { slugFrom, slugInUrl, slugMeant } from './contract/slug-text.ts';
export { didYouMean, suggestionFor, thereAre } from './contract/suggestion.ts';
export { allLinksIn, domainsIn, linksIn, type TextPlace, topLevelEnd } from './contract/text-links.ts';
export { isAskedAhead, programNamed } from './contract/visitor-programs.ts';
export { OutageLog } from './jobs/outage-log.ts';
export { overdueJobs } from './jobs/overdue.ts';
export { isStoppedTry } from './jobs/stopped-try.ts';
export { findKeyById, findKeyBySecret } from './kernel/find-key.ts';
export { keyringFaults } from './kernel/keyring-check.ts';
export { clearAuditMetadata, eventsToErase } from './kernel/personal-data-core.ts';
export { inWorkspace } from './kernel/workspace-transaction.ts';
export { writeAndDeleteRow } from './kernel/write-check.ts';
export { tlsReason } from './outgoing/tls-reason.ts';
export {
  createPageGate,
  fileGate,
  type Gate,
  hiddenWithoutSignIn,
  type PageAccess,
  type PageOptions,
  type PageRequest,
} from './pages/access.ts';
export type { RefusedAnswer } from './pages/answers.ts';
export {
  checkInput,
  doneAnswer,
  jsonAnswer,
  pageRoute,
  plainAnswer,
  privateHeaders,
  queryOf,
} from './pages/answers.ts';
export { type BodyPlaces, bodyPlaces } from './pages/body-places.ts';
export { pageColours } from './pages/colours.ts';
export {
  chip,
  choiceLinks,
  consolePages,
  consoleRefusals,
  emptyState,
  tableOf,
  timeOf,
  wordsForPeople,
} from './pages/console-page.ts';
export { consoleStyle, startBarStyle } from './pages/console-style.gen.ts';
export { type ContentPlace, contentRoutes, contentUrl } from './pages/content-route.ts';
export { contrast, minContrast } from './pages/contrast.ts';
export { csvOf, neutralise, restore } from './pages/csv.ts';
export { pageRoutes } from './pages/document.ts';
export { escapeHtml, type Html, type HtmlPart, html, joined } from './pages/html.ts';
export { linkToken } from './pages/link-token.ts';
export { isLoopbackUrl, remoteSign } from './pages/loopback.ts';
export type { TextElement, TextNode } from './pages/markdown/node.ts';
export { joinParts, lengthOf, picturesIn, type TextParts } from './pages/markdown/parts.ts';
export { checkTexts, type GivenText, readText, renderText, renderTexts } from './pages/markdown/text.ts';
export type { RenderedText } from './pages/markdown/work.ts';
export { pageFrame } from './pages/page-frame.ts';
export {
  type ChosenTexts,
  chooseTexts,
  directionOf,
  inLanguage,
  type PageTexts,
  pageTexts,
  type SpokenTexts,
  speakTexts,
} from './pages/page-texts.ts';
export {
  type FormErrors,
  type FormField,
  type FormReading,
  type FormValues,
  maxFormBytes,
  ownFieldNames,
  type PublicForm,
  publicFormHtml,
  readPublicForm,
} from './pages/public-form.ts';
export {
  neutralLook,
  type PageLook,
  type PublicPage,
  paragraph,
  publicPage,
  readableOn,
  seeOther,
} from './pages/public-page.ts';
export { pageErrors, pageRefusals } from './pages/refusals.ts';
export type { StartLink } from './pages/start-bar.ts';
export { type StaticFile, staticFile, staticResponse } from './pages/static-response.ts';
export { lookOf, type PageLooks } from './pages/workspace-look.ts';
export { reachWorkspace, shownSide, visibleWorkspaces } from './pages/workspaces.ts';
export {
  type DrawnPicture,
  type PictureCaller,
  PictureError,
  type PictureWork,
  pictureProgramMissing,
  pictures,
} from './pictures/picture-desk.ts';
export { giveBackBudget, usedBudget } from './pipeline/budget-rows.ts';
export { ownerOfHost } from './pipeline/content-hosts.ts';
export { creditPools, exhausted as creditsExhausted } from './pipeline/credits.ts';
export { eventText, findEvent, findEvents, type StoredEvent } from './pipeline/event-envelope.ts';
export { patternsOf } from './pipeline/event-patterns.ts';
export { keepEvent } from './pipeline/event-writes.ts';
export { planOfTier } from './pipeline/plans.ts';
export { findRawFault } from './pipeline/raw-faults.ts';
export { type ContentDifference, contentDiff, contentHash } from './pipeline/surface-content.ts';
export { validationFailed } from './pipeline/validate.ts';
export { addSendingDomain, lockWorkspace, removeSendingDomain } from './pipeline/workspaces.ts';
export { type DefinedSchema, definitionOf, type JsonSchema, jsonSchemaOf } from './projections/json-schema.ts';
export { holdsTooMuch } from './projections/json-size.ts';
export { unknownRoutePage } from './projections/refusal-page.ts';
export { release } from './projections/release.ts';
export { compatibilityOf } from './storage/compatibility.ts';
export { defineListStatement, ofWorkspace } from './storage/list-statement.ts';
export { programBeside, startThread } from './threads/thread-program.ts';
export { Turns } from './threads/turns.ts';
export { createWebhookSecret, signWebhook, type WebhookToSign } from './webhooks/sign.ts';
