// resources/list, resources/templates/list, resources/read. A resource is the answer of a read operation as JSON text; its list
// operation lists the existing resources. Both run through the pipeline with the caller's own scopes.
import { type ErrorEnvelope, isPostriderError } from '../contract/errors/errors.ts';
import type { Core, Registry } from '../pipeline/core.ts';
import { openapiDocument } from '../projections/openapi.ts';
import { type Exchange, writeResult } from './exchange.ts';
import { RpcFault, refusalFault, rpcCodes } from './json-rpc.ts';
import { listResourceItems, type McpResource, type McpResourceItem, runRead } from './resource-items.ts';
import { uriPattern } from './resource-uri.ts';
import { isStepUp, stepUp } from './step-up.ts';
import { toolEnvelope } from './tool-wording.ts';
import type { Visibility } from './visibility.ts';

/** The methods of resources; each returns a result as JSON text. @throws RpcFault */
export interface Resources {
  list(exchange: Exchange): Promise<string>;
  templates(exchange: Exchange): string;
  read(exchange: Exchange): Promise<string>;
  /** The declared resource of a URI with `{name}`s, if the caller sees it. */
  find(exchange: Exchange, uri: string): McpResource | undefined;
}

const documentUri = 'postrider://openapi.json';
const mimeType = 'application/json';
/** The number of entries on a page of resources/list. */
const pageSize = 50;
const maxUriLength = 2_000;

const invalidCursor = (): RpcFault =>
  new RpcFault(
    rpcCodes.invalidParams,
    'The cursor does not belong to this list. Leave it out to start from the first page.',
  );

/** The start of a page: the declared resource, and the cursor in the resource's own list. */
interface Position {
  readonly uri: string;
  readonly cursor: string | undefined;
}

const writeCursor = ({ uri, cursor }: Position): string =>
  Buffer.from(JSON.stringify(cursor === undefined ? [uri] : [uri, cursor]), 'utf8').toString('base64url');

function readCursor(text: string): Position {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parsed)) {
      const [uri, cursor] = parsed as readonly unknown[];
      if (typeof uri === 'string' && (cursor === undefined || typeof cursor === 'string')) return { uri, cursor };
    }
  } catch {
    throw invalidCursor();
  }
  throw invalidCursor();
}

/** Refuses a cursor, for lists with a single page. @throws RpcFault if the request has a cursor */
export function refuseCursor({ params }: Exchange): void {
  if (typeof params.cursor === 'string' && params.cursor !== '') throw invalidCursor();
}

const titles = ['name', 'title', 'subject'] as const;

/** The title: the resource's name, otherwise its kind and the values in its URI. */
function entryOf({ declaration, pattern }: McpResource, { values, fields }: McpResourceItem): object {
  const name = Object.values(values).join('/');
  const titleValue = titles.map((title) => fields[title]).find((title) => typeof title === 'string' && title !== '');
  return {
    uri: pattern.fill(values),
    name,
    title: titleValue ?? `${declaration.title} ${name}`,
    description: declaration.description,
    mimeType,
  };
}

const plainEntry = ({ uri, name, title, description }: McpResource['declaration']): object => ({
  uri,
  name,
  title,
  description,
  mimeType,
});

function notFound({ era }: Exchange, uri: string, envelope?: ErrorEnvelope): RpcFault {
  const uriText = uri.slice(0, maxUriLength);
  const reason = envelope === undefined ? '' : ` ${envelope.error.message}`;
  // Revisions up to 2025-11-25 have a separate code; later revisions use the code of invalid parameters.
  const code = era === 'modern' ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  return new RpcFault(code, `There is no resource ${uriText.slice(0, 200)}. See resources/list.${reason}`, {
    data: { uri: uriText, ...envelope },
  });
}

/** The operation's whole input comes from the URI: invalid input means that no such resource exists. */
function readFault(registry: Registry, exchange: Exchange, uri: string, error: unknown): unknown {
  if (!isPostriderError(error)) return error;
  const { requestId } = exchange;
  const missing = error.status === 404 || error.code === 'validation_failed';
  return missing
    ? notFound(exchange, uri, toolEnvelope(registry, error, requestId))
    : refusalFault(error, requestId, { uri });
}

function resolve({ operations, resources }: Core['registry']): readonly McpResource[] {
  return resources.flatMap((declaration) => {
    const operation = operations.get(declaration.operation);
    if (operation === undefined) return [];
    const list = declaration.list === undefined ? undefined : operations.get(declaration.list);
    return [{ declaration, pattern: uriPattern(declaration.uri), operation, list }];
  });
}

/** Serves the declared resources, and the OpenAPI document for every key. */
export function createResources(core: Core, { isOffered, isAllowed }: Visibility): Resources {
  const declared = resolve(core.registry);
  const { name: service } = core.ports.service;
  let documentText: string | undefined;

  const document = {
    uri: documentUri,
    name: 'openapi.json',
    title: `${service} API`,
    description: `The OpenAPI document of ${service}'s REST API: every operation, its input and its responses. It is large: about 1 MB of text with all plugins. For most work the tools are enough; ?toolsets= in the URL of this endpoint lists fewer of them.`,
    mimeType,
  };

  const visible = ({ admission, options }: Exchange): readonly McpResource[] =>
    declared.filter(({ operation }) => isOffered(operation, options) && isAllowed(operation, admission));

  const page = async (exchange: Exchange, from: Position | undefined): Promise<[object[], Position | undefined]> => {
    const visibleResources = visible(exchange);
    const withList = visibleResources.filter(({ list }) => list !== undefined && isAllowed(list, exchange.admission));
    const startIndex = from === undefined ? 0 : withList.findIndex(({ declaration }) => declaration.uri === from.uri);
    if (startIndex === -1) throw invalidCursor();
    const withoutList = visibleResources
      .filter(({ pattern }) => pattern.names.length === 0)
      .map(({ declaration }) => declaration);
    const entries: object[] = from === undefined ? [document, ...withoutList.map(plainEntry)] : [];
    let cursor = from?.cursor;
    for (const resource of withList.slice(startIndex)) {
      const { uri } = resource.declaration;
      const limit = pageSize - entries.length;
      if (limit <= 0) return [entries, { uri, cursor: undefined }];
      const { items, next } = await listResourceItems(exchange, resource, { limit, cursor });
      entries.push(...items.map((member) => entryOf(resource, member)));
      if (next !== undefined) return [entries, { uri, cursor: next }];
      cursor = undefined;
    }
    return [entries, undefined];
  };

  const contentOf = async (exchange: Exchange, uri: string): Promise<string> => {
    if (uri === documentUri) {
      documentText ??= JSON.stringify(JSON.stringify(openapiDocument(core.registry, core.ports.service)));
      return documentText;
    }
    for (const { pattern, operation } of uri.length > maxUriLength ? [] : visibleByUrl(exchange)) {
      const values = pattern.match(uri);
      if (values === undefined) continue;
      try {
        return JSON.stringify(await runRead(exchange, operation, values));
      } catch (error) {
        if (isStepUp(exchange, error)) throw stepUp(exchange, error);
        throw readFault(core.registry, exchange, uri, error);
      }
    }
    throw notFound(exchange, uri);
  };

  /** Not filtered by scope: the pipeline refuses a key without the scope, as with tools. */
  const visibleByUrl = ({ options }: Exchange): readonly McpResource[] =>
    declared.filter(({ operation }) => isOffered(operation, options));

  return {
    find: (exchange, uri) => visible(exchange).find(({ declaration }) => declaration.uri === uri),
    templates(exchange) {
      refuseCursor(exchange);
      const templates = visible(exchange)
        .filter(({ pattern }) => pattern.names.length > 0)
        .map(({ declaration: { uri, name, title, description } }) => ({
          uriTemplate: uri,
          name,
          title,
          description,
          mimeType,
        }));
      return writeResult(exchange, `"resourceTemplates":${JSON.stringify(templates)}`, { cacheable: true });
    },
    async list(exchange) {
      const { cursor } = exchange.params;
      const from = typeof cursor === 'string' && cursor !== '' ? readCursor(cursor) : undefined;
      try {
        const [entries, next] = await page(exchange, from);
        const cursorMember = next === undefined ? '' : `,"nextCursor":${JSON.stringify(writeCursor(next))}`;
        return writeResult(exchange, `"resources":${JSON.stringify(entries)}${cursorMember}`, { cacheable: true });
      } catch (error) {
        if (!isPostriderError(error)) throw error;
        throw error.code === 'cursor_invalid' ? invalidCursor() : refusalFault(error, exchange.requestId);
      }
    },
    async read(exchange) {
      const { uri } = exchange.params as { uri: string };
      const text = await contentOf(exchange, uri);
      const content = `{"uri":${JSON.stringify(uri)},"mimeType":"${mimeType}","text":${text}}`;
      return writeResult(exchange, `"contents":[${content}]`, { cacheable: true });
    },
  };
}
