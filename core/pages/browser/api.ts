// Calls the routes of a page, from the page. URLs are relative to the script, so they work behind any base path. Caches
// no answer.

/** The base URL of the routes: the script is in its folder `assets`. */
export const pageBase = new URL('../', import.meta.url);

type Parameters = Readonly<Record<string, string | undefined>>;

/** A URL below the page. Undefined and empty parameters are left out. */
export function urlOf(path: string, parameters: Parameters = {}): string {
  const url = new URL(path, pageBase);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, value);
  }
  return url.href;
}

/** A refusal of the service, with its message. */
export class PageApiRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
  }
}

async function refusalOf(response: Response): Promise<PageApiRefusal> {
  const answer: unknown = await response.json().catch(() => undefined);
  const { error } = (answer ?? {}) as { error?: { code?: string; message?: string } };
  return new PageApiRefusal(
    response.status,
    error?.code ?? '',
    error?.message ?? `The service answered ${response.status}.`,
  );
}

/** The time limit of a request, in milliseconds. */
const requestTimeoutMs = 15_000;

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(requestTimeoutMs), ...init });
  if (!response.ok && response.status !== 304) throw await refusalOf(response);
  return response;
}

/** An answer and its ETag. */
export interface PageApiResponse<T> {
  readonly value: T;
  readonly tag: string;
}

/** The response; undefined if its ETag is still `tag`. @throws PageApiRefusal */
export async function read<T>(url: string, tag = ''): Promise<PageApiResponse<T> | undefined> {
  const response = await request(url, { headers: tag === '' ? {} : { 'If-None-Match': tag } });
  if (response.status === 304) return undefined;
  return { value: (await response.json()) as T, tag: response.headers.get('ETag') ?? '' };
}

/** The answer as text. @throws PageApiRefusal */
export const readText = async (url: string): Promise<string> => (await request(url, {})).text();

/** Sends a change. @throws PageApiRefusal */
export async function change<T>(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<T | undefined> {
  const init =
    body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await request(url, { method, ...init });
  return response.status === 204 ? undefined : ((await response.json()) as T);
}
