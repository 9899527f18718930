// Creates the first data of a new user in development: a workspace, a working sandbox key, one mail in the inbox. Reuses the data
// of the last start. Fills only a workspace that it created itself. Called by serve.ts.
import { isPostriderError, type Service, type TransactionContext, type Workspace } from '../../../core/index.ts';
import { inWorkspace } from '../../../core/unstable.ts';
import { writeSampleClicks } from '../../../plugins/links/index.ts';
import { actor } from '../context.ts';
import { seedBroadcasts } from './broadcast-samples.ts';
import { seedContents } from './content-samples.ts';
import { readDevState, writeDevState } from './dev-state.ts';
import { developmentTeam } from './sample-sign-in.ts';
import { seedSequences } from './sequence-samples.ts';
import { seedSocial } from './social-samples.ts';
import { seedTopics } from './topic-samples.ts';
import { seedWebhooks, sendFailingTestEvent } from './webhook-samples.ts';

/** A template that a curl command can send. */
export interface Sample {
  readonly template: string;
  /** A short set of variables for a command line, and a full set. */
  readonly short: Readonly<Record<string, unknown>>;
  readonly full: Readonly<Record<string, unknown>>;
}

/** The data that the development server shows. */
export interface SeededService {
  readonly workspace: Workspace;
  /** The secret of a sandbox key with every scope. */
  readonly key: string;
  readonly sample: Sample | undefined;
  /** Whether `dev` created the workspace, with samples for every page. */
  readonly isNew: boolean;
}

const starter = 'receipt';
const sampleLinks = [
  {
    destinationUrl: 'https://northwind.example/spring-sale',
    label: 'Spring sale',
    tags: ['newsletter'],
    utm: { source: 'newsletter', medium: 'email', campaign: 'spring' },
  },
  {
    destinationUrl: 'https://northwind.example/catalogue.pdf',
    label: 'Catalogue on the parcel',
    tags: ['print'],
    utm: { source: 'parcel', medium: 'print' },
  },
] as const;
const firstRecipient = 'grace@example.com';

async function findWorkspace(service: Service, id: string | undefined): Promise<Workspace | undefined> {
  if (id === undefined) return undefined;
  try {
    return await service.workspaces.read(id);
  } catch (error) {
    if (isPostriderError(error, 'workspace_not_found')) return undefined;
    throw error;
  }
}

const createWorkspace = (service: Service): Promise<Workspace> =>
  service.workspaces.create({
    name: 'Northwind Supply',
    // Its key is a sandbox key, which may publish templates only on this plan.
    plan: 'sandbox',
    defaultFrom: { email: 'receipts@northwind.example', name: 'Northwind Supply' },
  });

/** Whether a key of an earlier start still works for the workspace, because the database may have been deleted since. */
async function keyWorks(service: Service, key: string | undefined, workspaceId: string): Promise<boolean> {
  if (key === undefined) return false;
  const headers = { authorization: `Bearer ${key}` };
  const { status, body } = await service.dispatch({ method: 'GET', url: '/v1/workspace', headers, body: undefined });
  return status === 200 && (JSON.parse(String(body)) as { id?: unknown }).id === workspaceId;
}

/**
 * The starter template of every new workspace, with the examples of its contract: `[short, full]`. Undefined if the starter was
 * removed.
 */
async function sampleIn(service: Service, workspaceId: string): Promise<Sample | undefined> {
  const { operations } = service.core.registry;
  if (!['email.send', 'sends.list', 'templates.read'].every((id) => operations.has(id))) return undefined;
  try {
    const { version, variables } = await (service as Service<'templates'>)
      .as(workspaceId, { actor })
      .templates.read({ key: starter });
    if (version === 0) return undefined;
    const { examples } = variables;
    const [short = {}, full = short] = (Array.isArray(examples) ? examples : []) as Record<string, unknown>[];
    return { template: starter, short, full };
  } catch (error) {
    if (isPostriderError(error, 'template_not_found')) return undefined;
    throw error;
  }
}

/** Sends one mail once. Later starts find it in the list of sends. */
async function sendFirst(service: Service, workspaceId: string, { template, full }: Sample): Promise<void> {
  const { email, sends } = (service as Service<'email'>).as(workspaceId, { actor, sandbox: true });
  const { data } = await sends.list({ templateKey: template, limit: 1 });
  if (data.length > 0) return;
  await email.send({ template, to: firstRecipient, variables: full });
  await service.drain({ budgetMs: 5_000 });
}

/** Creates short links with sample clicks, once. */
async function seedLinks(service: Service, workspace: Workspace): Promise<void> {
  const { operations } = service.core.registry;
  if (!operations.has('links.create')) return;
  const { links } = (service as Service<'links'>).as(workspace.id, { actor, sandbox: true });
  if ((await links.list({ includeArchived: 'true', limit: 1 })).data.length > 0) return;
  for (const [index, link] of sampleLinks.entries()) {
    const { linkId } = await links.create({ ...link, tags: [...link.tags] });
    const write = ({ trx, ...ctx }: TransactionContext) =>
      writeSampleClicks({ ...ctx, trx }, { id: linkId, utm: link.utm, sandbox: true }, 60, 8 - 3 * index);
    await inWorkspace(service.core, workspace, async (ctx) => write(ctx), { sandbox: true });
  }
  await service.drain({ budgetMs: 5_000 });
}

/** Creates the brand that pages, posts and pictures need, once. */
async function brandFirst(service: Service, workspaceId: string): Promise<void> {
  if (!service.core.registry.operations.has('brand.create')) return;
  const { brand } = (service as Service<'brand'>).as(workspaceId, { actor });
  if ((await brand.list({ limit: 1 })).data.length > 0) return;
  await brand.create({
    name: 'Northwind Supply',
    voice: { tone: 'Warm and short' },
    palette: { primary: '#14523a' },
    postal_address: 'Northwind Supply\n1 Harbour Road\nBergen',
  });
}

/** Creates a sample QR design, once. */
async function designFirst(service: Service, workspaceId: string): Promise<void> {
  if (!service.core.registry.operations.has('qr.create')) return;
  const { qr } = (service as Service<'qr'>).as(workspaceId, { actor, sandbox: true });
  const { data } = await qr.list({ limit: 1 });
  if (data.length > 0) return;
  await qr.create({
    encodes: { kind: 'wifi', ssid: 'Northwind Guests', encryption: 'WPA', password: 'tea and maps' },
    label: 'Guest Wi-Fi',
    style: { dots: 'rounded', corners: 'rounded', foreground: '#14523a' },
    frame: { kind: 'banner-bottom', text: 'Free Wi-Fi' },
  });
}

/** Creates a proposal to decide on, once. */
async function proposeFirst(service: Service, workspaceId: string): Promise<void> {
  const { operations } = service.core.registry;
  if (!operations.has('approvals.list') || !operations.has('templates.propose')) return;
  const caller = { actor, member: developmentTeam.sam.uid, sandbox: true };
  const { approvals, templates } = (service as Service<'approvals' | 'templates'>).as(workspaceId, caller);
  if ((await approvals.list({ limit: 1 })).data.length > 0) return;
  const change = { subject: 'Your receipt, with our thanks', note: 'Warmer, and it still says what it is.' };
  try {
    await templates.propose({ key: starter, ...change });
  } catch (error) {
    // A project without the packages that compile templates starts without the sample.
    if (!isPostriderError(error)) throw error;
  }
}

/** Chooses the workspace: the requested one, the workspace of the last start, the only one, or a new one. */
async function chooseWorkspace(
  service: Service,
  requested: string | undefined,
  last: string | undefined,
): Promise<{ readonly workspace: Workspace; readonly isNew: boolean } | undefined> {
  const existing =
    requested === undefined ? await findWorkspace(service, last) : await service.workspaces.read(requested);
  if (existing !== undefined) return { workspace: existing, isNew: false };
  const [only, ...otherWorkspaces] = await service.workspaces.list({ limit: 2 });
  if (only === undefined) return { workspace: await createWorkspace(service), isNew: true };
  return otherWorkspaces.length === 0 ? { workspace: only, isNew: false } : undefined;
}

/** Seeds a migrated service that is served at `origin`. Undefined if there are several workspaces and the user chose none. */
export async function seed(
  service: Service,
  {
    cwd,
    origin,
    asked: requestedId,
  }: { readonly cwd: string; readonly origin: string; readonly asked: string | undefined },
): Promise<SeededService | undefined> {
  const last = await readDevState(cwd);
  const choice = await chooseWorkspace(service, requestedId, last.workspaceId);
  if (choice === undefined) return undefined;
  const { workspace } = choice;
  const isNew = choice.isNew || (last.isCreatedByDev === true && last.workspaceId === workspace.id);
  const issue = async () =>
    (await service.keys.create({ workspaceId: workspace.id, name: 'postrider dev', mode: 'test', preset: 'full' }))
      .secret;
  const key = last.key !== undefined && (await keyWorks(service, last.key, workspace.id)) ? last.key : await issue();
  await writeDevState(cwd, { workspaceId: workspace.id, key, isCreatedByDev: isNew });
  const sample = await sampleIn(service, workspace.id);
  if (isNew) await seedWebhooks(service, workspace, origin);
  if (isNew) await brandFirst(service, workspace.id);
  if (isNew && sample !== undefined) await seedTopics(service, workspace, firstRecipient);
  // Before the first mail, which is then near the top of the inbox.
  if (isNew && sample !== undefined) await seedBroadcasts(service, workspace);
  if (isNew && sample !== undefined) await sendFirst(service, workspace.id, sample);
  if (isNew) await seedLinks(service, workspace);
  if (isNew) await designFirst(service, workspace.id);
  if (isNew && sample !== undefined) await proposeFirst(service, workspace.id);
  if (isNew) await seedSequences(service, workspace);
  if (isNew) await seedSocial(service, workspace);
  if (isNew) await seedContents(service, workspace);
  if (isNew) await sendFailingTestEvent(service, workspace);
  return { workspace, key, sample, isNew };
}
