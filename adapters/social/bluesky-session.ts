// Calls to an AT Protocol server with the session of an app password (atproto.com/specs/xrpc). Called by bluesky.ts. The session
// stays in memory: the first call creates it, it is refreshed when it expires, and created again if that fails.
import type { Outgoing, OutgoingStream } from '../../core/contract/ports/outgoing.ts';
import type { SocialCallOptions } from '../../plugins/social/port/index.ts';
import {
  httpSocial,
  requiredField,
  type SocialRefusal,
  type SocialRequest,
  type SocialResponse,
} from '../kit/http-social.ts';
import { type ReportFields, textOf } from '../kit/report-fields.ts';

/** A connector's account. */
export interface BlueskyLogin {
  /** The server's URL, without a slash at its end. */
  readonly service: string;
  /** A handle or a DID. */
  readonly identifier: string;
  readonly appPassword: string;
}

/** A call of a method of the protocol. */
export interface XrpcCall extends Omit<SocialRequest, 'url' | 'method' | 'form'> {
  /** Queries are sent with GET, procedures with POST. */
  readonly method: 'GET' | 'POST';
  /** Such as `com.atproto.repo.putRecord`. */
  readonly name: string;
  /** Opens the body, in place of `body`. Called again for a second attempt. */
  readonly open?: () => OutgoingStream;
}

interface Session {
  readonly did: string;
  readonly handle: string;
  readonly access: string;
  readonly refresh: string;
}

/** Calls of one connector. */
export interface Xrpc {
  /** The account of the session. @throws SocialError */
  me(options: SocialCallOptions): Promise<Pick<Session, 'did' | 'handle'>>;
  /** @throws SocialError */
  call(call: XrpcCall, options: SocialCallOptions): Promise<ReportFields>;
  /** The response, regardless of its status. @throws SocialError if there is none */
  ask(call: XrpcCall, options: SocialCallOptions): Promise<SocialResponse>;
  errorOf(response: SocialResponse, call: XrpcCall, now: number): Error;
}

const expiredCodes = new Set(['ExpiredToken', 'InvalidToken']);
/** Error codes that mean that the account or the password is refused, regardless of the status. */
const refusedCodes = new Set(['AuthenticationRequired', 'AccountTakedown', 'AuthFactorTokenRequired', ...expiredCodes]);

function refusalOf({ status, fields }: SocialResponse): SocialRefusal {
  const code = textOf(fields['error']);
  if (refusedCodes.has(code)) return { code, fault: 'disconnected', credentials: 'revoked' };
  if (code === 'RateLimitExceeded') return { code, fault: 'limited' };
  const problem = status === 413 || /^Blob(?:TooLarge|$)/.test(code) ? { problem: 'media_too_large' } : {};
  return { ...problem, ...(code === '' ? {} : { code }) };
}

function limitedUntil({ headers }: SocialResponse): number | undefined {
  const end = Number(headers['ratelimit-reset']) * 1_000;
  return end > 0 ? end : undefined;
}

/** Makes the calls of one connector. Construction has no side effects. */
export function createXrpc(login: BlueskyLogin, outgoing: Outgoing, timeoutMs: number | undefined): Xrpc {
  const { service, identifier, appPassword } = login;
  let session: Promise<Session> | undefined;
  let tokens: readonly string[] = [];
  const http = httpSocial({
    name: 'Bluesky',
    outgoing,
    secrets: () => [appPassword, ...tokens],
    errorMessage: (fields) => textOf(fields['message']) || textOf(fields['error']),
    refusal: refusalOf,
    limitedUntil,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const requestOf = ({ name, open: _, ...rest }: XrpcCall): SocialRequest => ({
    ...rest,
    url: `${service}/xrpc/${name}`,
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  function sessionOf(fields: ReportFields): Session {
    const requiredText = (name: string): string => requiredField(textOf(fields[name]), { name, visible: false });
    const session = {
      did: requiredText('did'),
      handle: textOf(fields['handle']),
      access: requiredText('accessJwt'),
      refresh: requiredText('refreshJwt'),
    };
    tokens = [session.access, session.refresh];
    return session;
  }

  async function logIn(options: SocialCallOptions): Promise<Session> {
    const json = { identifier, password: appPassword };
    const request = requestOf({ method: 'POST', name: 'com.atproto.server.createSession', json });
    return sessionOf((await http.call(request, options)).fields);
  }

  async function refreshSession(old: Session, options: SocialCallOptions): Promise<Session> {
    const request = requestOf({
      method: 'POST',
      name: 'com.atproto.server.refreshSession',
      headers: bearer(old.refresh),
    });
    const response = await http.ask(request, options);
    return response.status === 200 ? sessionOf(response.fields) : logIn(options);
  }

  /** Concurrent calls share one login. A failed login is not kept. */
  function storeSession(making: Promise<Session>): Promise<Session> {
    session = making;
    making.catch(() => {
      if (session === making) session = undefined;
    });
    return making;
  }

  const currentSession = (options: SocialCallOptions): Promise<Session> => session ?? storeSession(logIn(options));

  async function sessionAfter(old: Session, options: SocialCallOptions): Promise<Session> {
    const current = await currentSession(options);
    return current.access === old.access ? storeSession(refreshSession(old, options)) : current;
  }

  async function askWith(token: string, call: XrpcCall, options: SocialCallOptions): Promise<SocialResponse> {
    const body = call.open === undefined ? {} : { body: call.open() };
    return http.ask({ ...requestOf(call), ...body, headers: { ...call.headers, ...bearer(token) } }, options);
  }

  async function ask(call: XrpcCall, options: SocialCallOptions): Promise<SocialResponse> {
    const usedSession = await currentSession(options);
    const answer = await askWith(usedSession.access, call, options);
    if (!expiredCodes.has(textOf(answer.fields['error']))) return answer;
    // The call was refused because of the token, so it had no effect.
    return askWith((await sessionAfter(usedSession, options)).access, call, options);
  }

  return {
    me: currentSession,
    ask,
    errorOf: (answer, call, now) => http.errorOf(answer, requestOf(call), now),
    async call(call, options) {
      const answer = await ask(call, options);
      if (answer.status >= 200 && answer.status < 300) return answer.fields;
      throw http.errorOf(answer, requestOf(call), options.now);
    },
  };
}
