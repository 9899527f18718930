// The routes beside a page, as the page calls them. Addresses are relative to the script, so that it works behind any
// base path. Never keeps an answer.

/** Where the routes are: the script lies in its folder `assets`. */
export const pageBase = new URL('../', import.meta.url);

type Parameters = Readonly<Record<string, string | undefined>>;

/** An address below the page. What is undefined or empty is left out. */
export function urlOf(path: string, parameters: Parameters = {}): string {
  const url = new URL(path, pageBase);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, value);
  }
  return url.href;
}

/** A refusal of the service, in its own words. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const answer: unknown = await response.json().catch(() => undefined);
  const { error } = (answer ?? {}) as { error?: { code?: string; message?: string } };
  return new Refusal(response.status, error?.code ?? '', error?.message ?? `The service answered ${response.status}.`);
}

/** How long a request may take, in milliseconds. */
const patience = 15_000;

async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(patience), ...init });
  if (!response.ok && response.status !== 304) throw await refusalOf(response);
  return response;
}

/** An answer and its tag. */
export interface Answer<T> {
  readonly value: T;
  readonly tag: string;
}

/** What is there, or undefined where it is what the tag stands for already. @throws Refusal */
export async function read<T>(url: string, tag = ''): Promise<Answer<T> | undefined> {
  const response = await ask(url, { headers: tag === '' ? {} : { 'If-None-Match': tag } });
  if (response.status === 304) return undefined;
  return { value: (await response.json()) as T, tag: response.headers.get('ETag') ?? '' };
}

/** What is there, as text. @throws Refusal */
export const readText = async (url: string): Promise<string> => (await ask(url, {})).text();

/** Changes something. @throws Refusal */
export async function change<T>(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<T | undefined> {
  const init =
    body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await ask(url, { method, ...init });
  return response.status === 204 ? undefined : ((await response.json()) as T);
}
