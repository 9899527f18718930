// postrider/unstable: the exports that the standard plugins and the hosts use in addition to the public interface. Not
// covered by the semver promise: any release may change them.

export { checkValue, faultSentence, faultSummary } from './contract/errors/input-faults.ts';
export {
  isMissingPackage,
  loadOptional,
  missingPackageMessage as packageMissing,
} from './contract/errors/missing-package.ts';
export { didYouMean, listKnownNames, suggestionFor } from './contract/errors/suggestion.ts';
export { isPrefetch, programSignOf } from './contract/http/visitor-programs.ts';
export { retryAfterMs } from './contract/ports/outgoing.ts';
export { isConflict } from './contract/ports/storage.ts';
export {
  conditionsOf,
  type FilterCondition,
  type FilterGrammar,
  type FilterOf,
  type FilterValue,
  filterGrammar,
  innerFilters,
  isCondition,
  leavesOf,
  partCountOf as partsOf,
} from './contract/schemas/filters.ts';
export { slug, slugExcept as slugBeside } from './contract/schemas/slug.ts';
export { addressFault } from './contract/values/addresses.ts';
export { counted } from './contract/values/counted.ts';
export { countryFault, isCountry } from './contract/values/countries.ts';
export {
  type DurationParts,
  exactDurationMs,
  lifetime,
  parseDuration,
  timeBefore,
} from './contract/values/duration.ts';
export { fallbackTags } from './contract/values/fallback-tags.ts';
export {
  compareTexts,
  conditionIsTrue as compares,
  daysToMs,
  type FilterValues,
  filterIsTrue,
} from './contract/values/filter-truth.ts';
export { hiddenValue } from './contract/values/hidden-value.ts';
export { type IsoTime, namesZone, parseIsoTime, readIsoTime } from './contract/values/iso-time.ts';
export {
  type CheckedLeash,
  canonicalLeash,
  checkLeash,
  leashResource,
  leashSchema,
  outsideDomain,
  stricterLeash,
} from './contract/values/leash.ts';
export { isRightToLeft, mayBreakBetween, readsRightToLeft, tokensOf } from './contract/values/line-breaks.ts';
export { lineFault } from './contract/values/line-text.ts';
export {
  daysOfMonth,
  type LocalSpan,
  type LocalTime,
  localSpan,
  localTime,
  midnightOf,
  momentOf,
  offsetMsOf,
} from './contract/values/local-time.ts';
export { isOnLambda } from './contract/values/on-lambda.ts';
export { parseUrl } from './contract/values/parse-url.ts';
export {
  afterQuietHours,
  isTimeZone,
  type QuietHours,
  quietHoursFields,
  quietHoursSchema,
  zonesOf,
} from './contract/values/quiet-hours.ts';
export { readNames } from './contract/values/read-names.ts';
export {
  isAlwaysAllowed,
  nextSendingTime,
  type SendingHours,
  type Weekday,
  weekdayNames,
  weekdayOf,
} from './contract/values/sending-hours.ts';
export {
  beginning,
  displayWidth,
  lettersOf,
  oneLine,
  type Shortening,
  shortened,
  wordCount,
  wordsOf,
} from './contract/values/shorten.ts';
export { encodeSlug, normaliseSlug, slugFrom } from './contract/values/slug-text.ts';
export { allLinksIn, domainsIn, linksIn, type TextRange, topLevelEnd } from './contract/values/text-links.ts';
export { GroupSize } from './jobs/group-size.ts';
export { OutageLog } from './jobs/outage-log.ts';
export { overdueJobs } from './jobs/overdue.ts';
export { repeatInTurns } from './jobs/repeat-in-turns.ts';
export { isStoppedAttempt as isStoppedTry } from './jobs/stopped-attempt.ts';
export { findKeyById, findKeyBySecret } from './kernel/find-key.ts';
export { keyringFaults } from './kernel/keyring-check.ts';
export { createAccess } from './kernel/member-access.ts';
export { clearAuditMetadata, eventsToErase } from './kernel/personal-data-core.ts';
export { inWorkspace } from './kernel/workspace-transaction.ts';
export { writeAndDeleteRow } from './kernel/write-check.ts';
export { tlsReason } from './outgoing/tls-reason.ts';
export {
  cookiesOf,
  createPageGate,
  fileGate,
  hiddenWithoutAccess,
  isCrossSite,
  type PageGate,
  type PageVisitor,
  pageRequest,
} from './pages/access.ts';
export {
  type BrandPictures,
  brandMark,
  iconLink,
  markStyle,
  noPictures,
  pictureSources,
} from './pages/brand-mark.ts';
export { barChart, lineChart } from './pages/charts.ts';
export { pageColours } from './pages/colours.ts';
export { type ComparedText, comparedText, differences } from './pages/console-differences.ts';
export {
  type PicturedRow,
  picturedList,
  picturedPageSize,
  type RowPicture,
  viewTabs,
} from './pages/console-gallery.ts';
export { consoleAddress } from './pages/console-link.ts';
export {
  type ActionInput,
  actionForm,
  clearFilters,
  conclusion,
  copyable,
  dataTable,
  detailLayout,
  documentFrame,
  emptyNotice,
  facts,
  filterForm,
  idOfRow,
  liveResult,
  moment,
  nameCell,
  type PillTone,
  pager,
  panel,
  pictureWithTable,
  pill,
  type TimelineStep,
  tabBar,
  timelineOf,
  viewName,
  withMoments,
} from './pages/console-parts.ts';
export {
  beginsWith,
  comparedRows,
  firstPageWithRows,
  foundById,
  foundByIdOrName,
  noMatchNotice,
} from './pages/console-search.ts';
export { consoleStyle, startBarStyle } from './pages/console-style.gen.ts';
export {
  chosenVersions,
  type VersionName,
  type VersionPair,
  versionComparison,
  versionLink,
} from './pages/console-versions.ts';
export { type ContentRouteContext, contentRoutes, contentUrl } from './pages/content-route.ts';
export { contrast, minContrast, readable, readableOn } from './pages/contrast.ts';
export { csvOf, neutralise, restore } from './pages/csv.ts';
export { deleteAction } from './pages/delete-action.ts';
export { type PageFiles, pageFiles, pageRoutes, relativePathToPage } from './pages/document.ts';
export { fontStack } from './pages/font-stack.ts';
export { formTexts } from './pages/form-texts.ts';
export { escapeHtml, type Html, type HtmlPart, html, joinHtml as joined, sentenceHtml } from './pages/html.ts';
export { type HtmlBodyBounds, htmlBodyBounds } from './pages/html-body-bounds.ts';
export { type LegalUrls, legalAnchors } from './pages/legal-pages.ts';
export { linkToken } from './pages/link-token.ts';
export { isLoopbackUrl, remoteReason as remoteSign } from './pages/loopback.ts';
export {
  attributeEdits,
  decodeText,
  editedMarkup,
  type MarkupEdit,
  type MarkupToken,
  readMarkup,
} from './pages/mail-markup.ts';
export { type MailScheme, mailInScheme } from './pages/mail-scheme.ts';
export type { TextElement, TextNode } from './pages/markdown/node.ts';
export { joinParts, lengthOf, picturesIn, type TextParts } from './pages/markdown/parts.ts';
export { checkTexts, type MarkdownSource, readText, renderText, renderTexts } from './pages/markdown/text.ts';
export type { RenderedText } from './pages/markdown/thread-messages.ts';
export { messageForPeople as wordsForPeople } from './pages/message-for-people.ts';
export { leadToConsole, movedToConsole } from './pages/moved-page.ts';
export { type PageAppearances, pageAppearanceOf } from './pages/page-appearance.ts';
export { pageFrame } from './pages/page-frame.ts';
export type { RefusalWriter } from './pages/page-responses.ts';
export {
  checkInput,
  jsonResponse,
  noContentResponse,
  pageRoute,
  plainResponse,
  privateHeaders,
  queryOf,
} from './pages/page-responses.ts';
export {
  type BuiltInTexts,
  type ChosenTexts,
  type CompleteTexts,
  chooseTexts,
  directionOf,
  type LocalizedTexts,
  languageFields,
  languageOfPerson,
  localizeTexts,
  type PageLanguage,
  type PageTexts,
  pageTexts,
  type TextsInOneLanguage,
} from './pages/page-texts.ts';
export { tableOf } from './pages/plain-table.ts';
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
  neutralAppearance,
  type PageAppearance,
  type PublicPage,
  paragraph,
  publicPage,
  seeOther,
} from './pages/public-page.ts';
export { pageErrors, pageRefusals } from './pages/refusals.ts';
export { signInAddress } from './pages/sign-in.ts';
export type { StartLink } from './pages/start-bar.ts';
export { type StaticFile, staticFile, staticResponse } from './pages/static-response.ts';
export {
  hasScope,
  onVisibleSides,
  type VisibleWorkspace,
  visibleWorkspace,
  visibleWorkspaces,
} from './pages/workspaces.ts';
export {
  type DrawnPicture,
  PictureError,
  type PictureLimits,
  type PictureWork,
  pictureProgramMissing,
  pictures,
} from './pictures/picture-pool.ts';
export { giveBackBudget, usedBudget } from './pipeline/budget-rows.ts';
export { type ContentDifference, contentDiff, contentHash } from './pipeline/content-diff.ts';
export { ownerOfHost } from './pipeline/content-hosts.ts';
export { creditPools, exhausted as creditsExhausted } from './pipeline/credits.ts';
export { eventText, findEvent, findEvents, readEventsAbout, type StoredEvent } from './pipeline/event-envelope.ts';
export { patternsOf } from './pipeline/event-patterns.ts';
export { storeUndispatchedEvent } from './pipeline/event-writes.ts';
export { leashState } from './pipeline/leash.ts';
export { planOfTier } from './pipeline/plans.ts';
export { findRawFault } from './pipeline/raw-faults.ts';
export { validationFailed } from './pipeline/validate.ts';
export { addSendingDomain, lockWorkspace, removeSendingDomain } from './pipeline/workspaces.ts';
export { jsonSchemaOf } from './projections/json-schema.ts';
export { hasTooManyValues } from './projections/json-size.ts';
export { unknownRoutePage } from './projections/refusal-page.ts';
export { release } from './projections/release.ts';
export { type DefinedSchema, definitionOf, type JsonSchema } from './projections/schema-parts.ts';
export { wantsPage } from './projections/wants-page.ts';
export { compatibilityOf } from './storage/compatibility.ts';
export { dialectOf } from './storage/dialect-of.ts';
export { type JsonFunctions, type JsonOperator, jsonFunctionsOf } from './storage/json-values.ts';
export { defineListStatement } from './storage/list-statement.ts';
export {
  allOf,
  always,
  anyOf,
  type Condition,
  falseIfNull as sure,
  hasRow,
  hasRows,
  isNull,
  negated,
  never,
  oneRow,
  reference,
} from './storage/non-null-conditions.ts';
export { repeatOnConflict } from './storage/repeat-on-conflict.ts';
export { programBeside, startThread } from './threads/thread-program.ts';
export { Turns } from './threads/turns.ts';
export { createWebhookSecret, signWebhook, type WebhookToSign } from './webhooks/sign.ts';
