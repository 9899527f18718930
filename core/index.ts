// Postrider's public interface: the exports for plugins, hosts and embedding programs, covered by the semver promise.
// docs/concepts.md explains its terms. Internals for this repository's plugins and hosts are in unstable.ts.

import './kernel/core-events.ts';

export type {
  CallOptions,
  CallsOf,
  DryRunReport,
  JoinableCallOptions,
  JoinedTransaction as Receipt,
  OpenTransaction,
} from './contract/context/api.ts';
export type { InnerCaller, InnerCalls } from './contract/context/calls.ts';
export type {
  CorePorts,
  EmitOptions,
  OperationContext,
  PrepareContext,
  ReadContext,
  ServiceContext,
  ServiceInfo,
  ServicePorts,
  SubscribersPort,
  TransactionContext,
  WorkspaceContext,
} from './contract/context/context.ts';
export { defineStatement, type Handle, type Statement, type WorkspaceHandle } from './contract/context/handle.ts';
export { onSide } from './contract/context/on-side.ts';
export type { CataloguedOperation, OperationsPort } from './contract/context/operation-catalogue.ts';
export type {
  Actor,
  Plan,
  PlanLimitDeclaration,
  PlanLimits,
  PlanName,
  StandardPlanName,
  Workspace,
} from './contract/context/workspace.ts';
export type { BearerContext, BearerKey, BearerTokens } from './contract/declaration/bearer-tokens.ts';
export {
  type CommandArgument,
  type CommandContext,
  type CommandDeclaration,
  CommandError,
  type CommandInput,
  type CommandProgress,
  type CommandValue,
  defineCommand,
} from './contract/declaration/command.ts';
export type {
  ConsoleAction,
  ConsoleContext,
  ConsoleDocument,
  ConsoleDownload,
  ConsoleEntry,
  ConsoleFile,
  ConsoleForm,
  ConsoleLinkDeclaration,
  ConsoleMatch,
  ConsolePageContent,
  ConsolePageDeclaration,
  ConsoleQuery,
  ConsoleView,
} from './contract/declaration/console.ts';
export type {
  ContentJson,
  ContentKindId,
  DecisionQuestion,
  PendingDecision,
  PublishableContent,
} from './contract/declaration/content-kind.ts';
export { type Deprecation, deprecatedField } from './contract/declaration/deprecation.ts';
export {
  type CustomEventsDeclaration,
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
} from './contract/declaration/events.ts';
export type { OperationExample, OperationExamples } from './contract/declaration/example.ts';
export type { ContributionsPort, ExtensionPointName } from './contract/declaration/extension.ts';
export type { ErrorCases, Fixture, FixtureKit, ForeignIds, MakeItem } from './contract/declaration/fixture.ts';
export type {
  CallHolder,
  ContentChangePreview,
  ContentKind,
  ContentPreview,
  ContentPreviewContext,
  ContentPreviewRequest,
  DecidedRequest,
  HeldCall,
  HeldCallsPort,
  Requester,
} from './contract/declaration/held-calls.ts';
export { heldResponse, noteForReviewers } from './contract/declaration/held-response.ts';
export {
  defineJob,
  type JobContext,
  type JobDeclaration,
  type JobKey,
  type JobRequest,
  type Lane,
  type ScheduleDeclaration,
} from './contract/declaration/jobs.ts';
export { type Compatibility, defineMigration, type Migration } from './contract/declaration/migration.ts';
export {
  defineOperation,
  defineOperationWithPrepare,
  type Operation,
  type TypedOperation,
} from './contract/declaration/operation.ts';
export type { LeashDeclaration, ToolDeclaration } from './contract/declaration/operation-spec.ts';
export type {
  AddressFinder,
  PersonalData,
  PersonIdentifiers,
  PersonIdentifiersOnSide,
  PersonName,
  PersonRecord,
  SweepContext,
} from './contract/declaration/personal-data.ts';
export {
  type PersonalColumn,
  type PersonalField,
  type PersonalTable,
  personal,
} from './contract/declaration/personal-fields.ts';
export {
  definePlugin,
  type KeyCompromised,
  type Plugin,
  type PluginStep,
  type TableDeclaration,
} from './contract/declaration/plugin.ts';
export {
  type AdapterChoice,
  type AdapterOf,
  definePort,
  type PluginPorts,
  type PortAccess,
  type PortAdapter,
  type PortDeclaration,
  type PortOptions,
} from './contract/declaration/port.ts';
export type {
  ProvisionedCalls,
  ProvisioningContext,
  ProvisioningFactory,
  ProvisioningOf,
} from './contract/declaration/provisioning.ts';
export {
  type AddressLimit,
  definePublicRoute,
  type HostUsers,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type RouteHosts,
} from './contract/declaration/public-route.ts';
export { collectReferences, namesOf, type Reference, type ReferenceSource } from './contract/declaration/references.ts';
export type {
  ReferencedBytes,
  RenderedBytes,
  Representation,
  RepresentationDeclaration,
  RepresentationSource,
} from './contract/declaration/representation.ts';
export type {
  PromptArgument,
  PromptDeclaration,
  ResourceDeclaration,
  ToolWorkflow,
} from './contract/declaration/resource.ts';
export type { Duration, RetentionDeclaration, RetentionSetting } from './contract/declaration/retention.ts';
export { defineScopes, type Preset, type ScopeDeclaration, type ScopesPort } from './contract/declaration/scopes.ts';
export { respond, type SecondSuccess } from './contract/declaration/second-success.ts';
export { defineStates, type StateMachine, type StateMove, type StateRows } from './contract/declaration/states.ts';
export {
  defineTimelineSource,
  type TimelineEntry,
  type TimelineItem,
  type TimelinePage,
  type TimelinePerson,
  type TimelinePort,
  type TimelinePosition,
  type TimelineSource,
  timelineItem,
} from './contract/declaration/timeline.ts';
export { checkOptions, type OptionNeed, type OptionNeeds } from './contract/errors/check-options.ts';
export { coreErrors } from './contract/errors/core-errors.ts';
export {
  defineErrors,
  type ErrorDefinition,
  type ErrorDetail,
  type ErrorEnvelope,
  type ErrorSet,
  errorDefinitions,
  isPostriderError,
  notFound,
  PostriderError,
} from './contract/errors/errors.ts';
export type { IfMatch, Version } from './contract/http/conditional.ts';
export { contentDisposition } from './contract/http/content-disposition.ts';
export { entityResponse, entityTag } from './contract/http/entity-tag.ts';
export { fileResponse, type ServedFile } from './contract/http/file-response.ts';
export {
  type HttpRequest,
  type HttpRequestBody,
  type HttpResponse,
  type HttpResponseBody,
  isStream,
} from './contract/http/http.ts';
export * from './contract/open.ts';
export type {
  AccessFunction,
  AccessPort,
  MemberAccess,
  PageRequest,
  SignInNeeded,
  Visitor,
  VisitorWorkspace,
  WorkspaceAccess,
  WorkspaceSide,
} from './contract/ports/access.ts';
export type { FailedJob, FailedJobsFilter, FailedJobsPage, JobsPort, RetryResult } from './contract/ports/jobs.ts';
export type { Keyring, KeyringAdapter } from './contract/ports/keyring.ts';
export type { LimitDecision, LimitStore, LimitStoreFactory, RateLimits } from './contract/ports/limits.ts';
export {
  isOutgoingError,
  type Outgoing,
  OutgoingError,
  type OutgoingFault,
  type OutgoingRequest,
  type OutgoingResponse,
  type OutgoingStream,
} from './contract/ports/outgoing.ts';
export type { Logger, Member, MembersPort } from './contract/ports/platform.ts';
export {
  type ConsumeOptions,
  decodeReference,
  encodeReference,
  type JobQueue,
  type JobReference,
  MessageInvalid,
  type MessagesReport,
  type OutgoingReference,
  type QueueCalls,
  type QueueConsumer,
  type QueueMessage,
  type ReferenceHandler,
  type RefusedReference,
  type RelayOptions,
  type RelayReport,
  type RunMessagesOptions,
} from './contract/ports/queue.ts';
export { isStorageError, type StorageAdapter, StorageError } from './contract/ports/storage.ts';
export {
  canonicalLocale,
  idOf,
  idParameter,
  isoTime,
  listOf,
  localeTag,
  mailbox,
  pageQuery,
  timeInput,
  toIsoTime,
  toIsoTimeOrNull,
} from './contract/schemas/fields.ts';
export { mergePatch, mergePatchOf } from './contract/schemas/merge-patch.ts';
export { personReference } from './contract/schemas/person-reference.ts';
export * as z from './contract/schemas/zod.ts';
export { type AddressParts, emailAddress, normaliseAddress, parseAddress } from './contract/values/addresses.ts';
export { hostName } from './contract/values/host-name.ts';
export type { Leash } from './contract/values/leash.ts';
export type { DrainOptions, DrainReport, JobListOptions, JobSummary } from './jobs/index.ts';
export type { ChangelogEntry } from './kernel/changelog.ts';
export { createService, type Service, type ServiceOf } from './kernel/compose.ts';
export type { CallerOptions } from './kernel/in-process.ts';
export type { CoreOptions, ServiceOptions } from './kernel/options.ts';
export { createAddressFinder, isPseudonym, pseudonymOf } from './kernel/personal-data-addresses.ts';
export type {
  PersonalDataErasureResult,
  PersonalDataExport,
  PersonalDataProvisioning,
} from './kernel/personal-data-provisioning.ts';
export { withoutWordsOfOthers } from './kernel/personal-data-rows.ts';
export type {
  IssuedKey,
  NewKey,
  NewKeyFields,
  NewKeyScopes,
  NewWorkspace,
  WorkspaceChanges,
} from './kernel/provisioning.ts';
export { CompositionError } from './kernel/registry.ts';
export { type InterestOwner, setInterests, subjectsInterested } from './pipeline/event-interests.ts';
export { familyOf, patternFault, reservedFault, reservedName } from './pipeline/event-patterns.ts';
export type { PlanOverrides, PlanSettings } from './pipeline/plans.ts';
export { type Column, column, timestamps } from './resources/columns.ts';
export { type AnyField, type Field, type FieldTypes, field, type Initial } from './resources/fields.ts';
export type { MakeOne } from './resources/operation-parts.ts';
export { type ExportedResource, personalDataOf } from './resources/personal-data-of.ts';
export { type Overrides, presenter } from './resources/present.ts';
export {
  type CreateBody,
  defineResource,
  type Fields,
  type Item,
  type Resource,
  type ResourceColumns,
  type ResourceOptions,
  type ResourceRow,
  type ResourceScopes,
  type UpdateBody,
} from './resources/resource.ts';
export { defineList, type ListParent } from './resources/resource-list.ts';
export { defineDelete, defineRead } from './resources/resource-operations.ts';
export { type Changed, type Created, defineCreate, defineUpdate } from './resources/resource-writes.ts';
export type { RowConditions, RowPage, RowSpan, SpanPosition, TimeSpan } from './resources/row-reads.ts';
export type { RowLock, RowPart } from './resources/row-statements.ts';
export { type TenantRows, tenantRows } from './resources/rows.ts';
export { stateRows } from './resources/state-rows.ts';
export { eraseIn, eraseText, type RowSweep, sweepRows } from './resources/sweep-rows.ts';
export {
  type Columns,
  defineTable,
  type PersonalColumns,
  type RowOf,
  type StoredRow,
  type TableDefinition,
} from './resources/table.ts';
export { contains, containsAnyCase } from './storage/contains.ts';
export {
  type CursorPosition,
  decodeCursor,
  newerThan,
  notOlderThan,
  olderThan,
  pageOfItems,
  toPage,
} from './storage/cursor.ts';
export { filledList } from './storage/filled-list.ts';
export type { AppliedMigration } from './storage/history.ts';
export type { MigrationStatus, NamedMigration, PlannedMigration } from './storage/migrate.ts';
export { scanEnd, scannedRows } from './storage/scan-end.ts';
