// The checked request of a client for authorisation, and the member's decision about it. The consent page shows the request and
// asks the member for the decision. Values of ConsentRequest are plain JSON, so that the page can sign and store them.
import type { HttpResponse, Leash, PublicRequest, PublicRoute, PublicRouteContext } from '../../../core/index.ts';

/** The client that asks for authorisation. */
export interface ConsentClient {
  readonly id: string;
  /** The name that the client gives itself. Untrusted text. */
  readonly name: string;
  /**
   * The host of the client's metadata document; null for a registered client, because nobody has checked its origin.
   */
  readonly host: string | null;
  /** A logo, only if `host` serves it. */
  readonly logoUri?: string;
  /** Whether the client's metadata document was fetched from `host`. */
  readonly verified: boolean;
}

/**
 * The kind of program that receives the code: a web server, a program on the member's machine, or an app with its own URL scheme.
 */
export type RedirectKind = 'https' | 'loopback' | 'private';

/** A checked request for authorisation. */
export interface ConsentRequest {
  readonly client: ConsentClient;
  readonly redirectUri: string;
  /** The host that receives the code; for a private scheme, the scheme with its colon. */
  readonly redirectHost: string;
  readonly redirectKind: RedirectKind;
  /** At most 1,000 characters. */
  readonly state: string | undefined;
  /** The MCP endpoint. */
  readonly resource: string;
  /** The scopes that the client asks for, all of them declared. (Default: the scopes of the preset `read`) */
  readonly scopes: readonly string[];
  readonly codeChallenge: string;
}

/** The result of checking a request. */
export type ParsedConsentRequest =
  | { readonly kind: 'asked'; readonly request: ConsentRequest }
  /** The request is faulty, but its client and redirect URI are valid: the error is sent back to the client. */
  | { readonly kind: 'redirect'; readonly redirectTo: string }
  /** The client or the redirect URI is unknown or invalid: show the message, never redirect. */
  | { readonly kind: 'show_error'; readonly message: string };

/** The access that a member grants. */
export interface ConsentApproval {
  /** The member's uid. */
  readonly member: string;
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** At most the scopes that the client asked for. */
  readonly scopes: readonly string[];
  /** The limits of the agent. (Default: no limit) */
  readonly leash?: Leash;
}

/** The decision about a request. */
export type ConsentDecision = { readonly approve: ConsentApproval } | { readonly deny: true };

/** The page on which members decide. GET /oauth/authorize checks the client's request and calls it. */
export interface ConsentPage {
  /** Answers a checked request: shows the page, or redirects to the program's sign-in page. */
  show(ctx: PublicRouteContext, request: PublicRequest, consentRequest: ConsentRequest): Promise<HttpResponse>;
  /** Answers a request whose client or redirect URI is unknown or invalid. Must not redirect. */
  showError(ctx: PublicRouteContext, request: PublicRequest, message: string): Promise<HttpResponse>;
  /**
   * Redirects the browser of a signed-in member back to the client with an error. Other visitors sign in first. Otherwise, a link
   * to this service could send any reader to the URL of any client.
   */
  redirectToClient(ctx: PublicRouteContext, request: PublicRequest, redirectTo: string): Promise<HttpResponse>;
  /** The page's own routes: the decision, connected apps. */
  readonly routes: readonly PublicRoute[];
}
