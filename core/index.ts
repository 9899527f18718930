// Postrider's public surface: what plugins, hosts and embedding programs import.
//
// Glossary
//   service     what createService composes: core + plugins + adapters
//   workspace   a tenant of the service; every row and every call belongs to one
//   operation   one thing the service can do, declared once, offered on every door
//   door        a way in: REST, the tool endpoint, a typed call in process
//   plugin      a feature area: operations, tables, events, jobs under one id
//   adapter     a port's implementation for one vendor: storage, mail, limits, keyring
//   handle      a database connection bound to one workspace
//   effects     what a transaction does beside its rows: events, jobs, audit

export { z } from 'zod';
export { type AddressParts, emailAddress, normaliseAddress, parseAddress } from './contract/addresses.ts';
export type { CallOptions, CallsOf, DryRunReport, JoinableCallOptions, Receipt } from './contract/api.ts';
export {
  type CommandArgument,
  type CommandContext,
  type CommandDeclaration,
  CommandError,
  type CommandGiven,
  type CommandProgress,
  type CommandValue,
  defineCommand,
} from './contract/command.ts';
export type { IfMatch, Version } from './contract/conditional.ts';
export { contactReference } from './contract/contact-reference.ts';
export type {
  CorePorts,
  Effects,
  EmitOptions,
  OperationContext,
  PrepareContext,
  ServiceInfo,
  ServiceSurface,
} from './contract/context.ts';
export { coreErrors } from './contract/core-errors.ts';
export { type Deprecation, deprecatedField } from './contract/deprecation.ts';
export { entityResponse, entityTag } from './contract/entity-tag.ts';
export {
  defineErrors,
  type ErrorDefinition,
  type ErrorDetail,
  type ErrorEnvelope,
  type ErrorSet,
  errorDefinitions,
  isPostriderError,
  PostriderError,
} from './contract/errors.ts';
export {
  type CustomEventData,
  defineEvent,
  defineSubscriber,
  type EventConsumer,
  type EventDeclaration,
  type EventEnvelope,
  type EventOf,
  type EventPattern,
  type FanOut,
  type ServiceEvent,
  type SubscriberDeclaration,
} from './contract/events.ts';
export type { OperationExample, OperationExamples } from './contract/example.ts';
export {
  canonicalLocale,
  givenTime,
  idOf,
  isoTime,
  listOf,
  localeTag,
  mailbox,
  pageQuery,
  toIsoTime,
  toIsoTimeOrNull,
} from './contract/fields.ts';
export type { FixtureKit } from './contract/fixture.ts';
export { defineStatement, type Handle, type Statement, type WorkspaceHandle } from './contract/handle.ts';
export type { HttpRequest, HttpRequestBody, HttpResponse } from './contract/http.ts';
export {
  defineJob,
  type JobContext,
  type JobDeclaration,
  type JobRequest,
  type ScheduleDeclaration,
} from './contract/jobs.ts';
export { lineFault } from './contract/line-text.ts';
export { type Compatibility, defineMigration, type Migration } from './contract/migration.ts';
export * from './contract/open.ts';
export {
  defineOperation,
  definePreparedOperation,
  type Fixture,
  type Operation,
  type ToolDeclaration,
  type TypedOperation,
} from './contract/operation.ts';
export type { AddressFinder, DataSubject, PersonalData, PersonName, SweepPlace } from './contract/personal-data.ts';
export { definePlugin, type Plugin, type TableDeclaration } from './contract/plugin.ts';
export type { Keyring, KeyringAdapter } from './contract/ports/keyring.ts';
export type { LimitDecision, LimitFigures, LimitStore, LimitStoreFactory } from './contract/ports/limits.ts';
export {
  type BounceDetails,
  isMailError,
  type MailAdapter,
  type MailAttachment,
  type Mailbox,
  MailError,
  type OutgoingMail,
} from './contract/ports/mail.ts';
export {
  isOutgoingError,
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingFault,
  type OutgoingRequest,
} from './contract/ports/outgoing.ts';
export type { Logger, Member, MembersPort } from './contract/ports/platform.ts';
export { isStorageError, type StorageAdapter, StorageError } from './contract/ports/storage.ts';
export {
  definePublicRoute,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
} from './contract/public-route.ts';
export type {
  ReferencedBytes,
  RenderedBytes,
  Representation,
  RepresentationDeclaration,
  RepresentationSource,
} from './contract/representation.ts';
export type { PromptArgument, PromptDeclaration, ResourceDeclaration } from './contract/resource.ts';
export { defineScopes, type Preset, type ScopeDeclaration } from './contract/scopes.ts';
export { respond, type SecondSuccess } from './contract/second-success.ts';
export type { Actor, Plan, PlanName, Workspace } from './contract/workspace.ts';
export type { ChangelogEntry } from './kernel/changelog.ts';
export { createService, type Service } from './kernel/compose.ts';
export type { CallerOptions } from './kernel/in-process.ts';
export type { ServiceOptions } from './kernel/options.ts';
export { createAddressFinder, pseudonymOf } from './kernel/personal-data-addresses.ts';
export { clearAuditMetadata, eventsToErase } from './kernel/personal-data-core.ts';
export type { PersonalDataExport, PersonalDataProvisioning } from './kernel/personal-data-provisioning.ts';
export type { IssuedKey, NewKey, NewWorkspace, WorkspaceChanges } from './kernel/provisioning.ts';
export { CompositionError } from './kernel/registry.ts';
export { inWorkspace } from './kernel/workspace-transaction.ts';
export {
  createPageGate,
  fileGate,
  type Gate,
  hiddenWithoutSignIn,
  type PageAccess,
  type PageOptions,
  type PageRequest,
} from './pages/access.ts';
export {
  checkInput,
  doneAnswer,
  jsonAnswer,
  pageRoute,
  plainAnswer,
  privateHeaders,
  queryOf,
} from './pages/answers.ts';
export { pageRoutes } from './pages/document.ts';
export { isLoopbackUrl } from './pages/loopback.ts';
export { reachWorkspace, visibleWorkspaces } from './pages/workspaces.ts';
export { giveBackBudget, usedBudget } from './pipeline/budgets.ts';
export { creditPools } from './pipeline/credits.ts';
export { eventEnvelope, eventText, findEvent, findEvents, type StoredEvent } from './pipeline/event-envelope.ts';
export { type InterestHolder, setInterests } from './pipeline/event-interests.ts';
export { familyOf, patternFault, patternsOf } from './pipeline/event-patterns.ts';
export { keepEvent } from './pipeline/event-writes.ts';
export { planOfTier } from './pipeline/plans.ts';
export { findRawFault } from './pipeline/raw-faults.ts';
export { lockWorkspace } from './pipeline/workspaces.ts';
export { release } from './projections/release.ts';
export { compatibilityOf } from './storage/compatibility.ts';
export { type CursorPosition, decodeCursor, olderThan, toPage } from './storage/cursor.ts';
export { filledList } from './storage/filled-list.ts';
export type { AppliedMigration } from './storage/history.ts';
export { defineListStatement } from './storage/list-statement.ts';
export type { MigrationStatus, PlannedMigration } from './storage/migrate.ts';
export { createWebhookSecret, signWebhook, type WebhookToSign } from './webhooks/sign.ts';
