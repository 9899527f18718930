// Postrider's public surface: what plugins, hosts and embedding programs import, covered by the semver promise. Its
// terms are explained in docs/concepts.md. Internals for this repository's plugins and hosts are in unstable.ts.

import './kernel/core-events.ts';

export { type AddressParts, emailAddress, normaliseAddress, parseAddress } from './contract/addresses.ts';
export type {
  CallOptions,
  CallsOf,
  DryRunReport,
  JoinableCallOptions,
  OpenTransaction,
  Receipt,
} from './contract/api.ts';
export type { InnerCaller, InnerCalls } from './contract/calls.ts';
export { checkOptions, type OptionNeed, type OptionNeeds } from './contract/check-options.ts';
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
export { contentDisposition } from './contract/content-disposition.ts';
export type {
  CorePorts,
  EmitOptions,
  OperationContext,
  PrepareContext,
  ReadContext,
  ServiceContext,
  ServiceInfo,
  ServicePorts,
  TransactionContext,
  WorkspaceContext,
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
} from './contract/events.ts';
export type { OperationExample, OperationExamples } from './contract/example.ts';
export type { ContributionsPort, ExtensionPointName } from './contract/extension.ts';
export {
  canonicalLocale,
  givenId,
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
export { fileResponse, type ServedFile } from './contract/file-response.ts';
export type { ErrorProvocations, Fixture, FixtureKit, ForeignIds, MakeItem } from './contract/fixture.ts';
export { defineStatement, type Handle, type Statement, type WorkspaceHandle } from './contract/handle.ts';
export { heldAnswer, noteForReviewers } from './contract/held-answer.ts';
export type {
  CallHolder,
  DecidedRequest,
  HeldCall,
  HeldCallsPort,
  Requester,
  Surface,
  SurfaceRequest,
  SurfaceSides,
  SurfaceView,
  SurfaceViewer,
} from './contract/held-calls.ts';
export { hostName } from './contract/host-name.ts';
export {
  type HttpRequest,
  type HttpRequestBody,
  type HttpResponse,
  type HttpResponseBody,
  isStream,
} from './contract/http.ts';
export {
  defineJob,
  type JobContext,
  type JobDeclaration,
  type JobKey,
  type JobRequest,
  type ScheduleDeclaration,
} from './contract/jobs.ts';
export { mergePatch, mergePatchOf } from './contract/merge-patch.ts';
export { type Compatibility, defineMigration, type Migration } from './contract/migration.ts';
export { onSide } from './contract/on-side.ts';
export * from './contract/open.ts';
export { defineOperation, definePreparedOperation, type Operation, type TypedOperation } from './contract/operation.ts';
export type { ToolDeclaration } from './contract/operation-spec.ts';
export { personReference } from './contract/person-reference.ts';
export type {
  AddressFinder,
  DataSubject,
  PersonalData,
  PersonName,
  PersonRecord,
  SidedSubject,
  SweepPlace,
} from './contract/personal-data.ts';
export { type PersonalColumn, type PersonalField, type PersonalTable, personal } from './contract/personal-fields.ts';
export {
  definePlugin,
  type KeyCompromised,
  type Plugin,
  type PluginStep,
  type TableDeclaration,
} from './contract/plugin.ts';
export {
  type AdapterChoice,
  type AdapterOf,
  definePort,
  type PluginPorts,
  type PortAccess,
  type PortAdapter,
  type PortDeclaration,
  type PortOptions,
} from './contract/port.ts';
export type { Keyring, KeyringAdapter } from './contract/ports/keyring.ts';
export type { LimitDecision, LimitFigures, LimitStore, LimitStoreFactory } from './contract/ports/limits.ts';
export {
  isOutgoingError,
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingFault,
  type OutgoingRequest,
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
export type {
  ProvisionedCalls,
  ProvisioningContext,
  ProvisioningFactory,
  ProvisioningOf,
} from './contract/provisioning.ts';
export {
  type AddressLimit,
  definePublicRoute,
  type HostUsers,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type RouteHosts,
} from './contract/public-route.ts';
export { collectReferences, namesOf, type Reference, type ReferenceSource } from './contract/references.ts';
export type {
  ReferencedBytes,
  RenderedBytes,
  Representation,
  RepresentationDeclaration,
  RepresentationSource,
} from './contract/representation.ts';
export type { PromptArgument, PromptDeclaration, ResourceDeclaration, ToolOrder } from './contract/resource.ts';
export type { Duration, RetentionDeclaration, RetentionSetting } from './contract/retention.ts';
export { defineScopes, type Preset, type ScopeDeclaration } from './contract/scopes.ts';
export { respond, type SecondSuccess } from './contract/second-success.ts';
export { defineStates, type StateMachine, type StateMove, type StateRows } from './contract/states.ts';
export type {
  DecisionQuestion,
  PendingDecision,
  SurfaceContent,
  SurfaceJson,
  SurfaceKind,
} from './contract/surface.ts';
export {
  defineTimelineSource,
  type TimelineEntry,
  type TimelineItem,
  type TimelinePage,
  type TimelinePort,
  type TimelinePosition,
  type TimelineSource,
  type TimelineSubject,
  timelineItem,
} from './contract/timeline.ts';
export type {
  Actor,
  FigureDeclaration,
  Plan,
  PlanFigures,
  PlanName,
  StandardPlanName,
  Workspace,
} from './contract/workspace.ts';
export * as z from './contract/zod.ts';
export type { DrainOptions, DrainReport, JobListOptions, JobSummary } from './jobs/index.ts';
export type { ChangelogEntry } from './kernel/changelog.ts';
export { createService, type Service, type ServiceOf } from './kernel/compose.ts';
export type { CallerOptions } from './kernel/in-process.ts';
export type { CoreOptions, ServiceOptions } from './kernel/options.ts';
export { createAddressFinder, isPseudonym, pseudonymOf } from './kernel/personal-data-addresses.ts';
export type {
  PersonalDataErased,
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
export { type InterestHolder, setInterests } from './pipeline/event-interests.ts';
export { familyOf, patternFault, reservedFault, reservedName } from './pipeline/event-patterns.ts';
export type { PlanOverrides, PlanSettings } from './pipeline/plans.ts';
export { type Column, column, timestamps } from './resources/columns.ts';
export { type AnyField, type Field, type FieldTypes, field, type Initial } from './resources/fields.ts';
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
export {
  defineDelete,
  defineList,
  defineRead,
  type ListParent,
  type MakeOne,
} from './resources/resource-operations.ts';
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
export { type CursorPosition, decodeCursor, olderThan, pageOfItems, toPage } from './storage/cursor.ts';
export { filledList } from './storage/filled-list.ts';
export type { AppliedMigration } from './storage/history.ts';
export type { MigrationStatus, NamedMigration, PlannedMigration } from './storage/migrate.ts';
