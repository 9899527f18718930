// The person who is signed in to the program, and their rights in each workspace. The program passes a function as the option
// `access` of createService; pages that act for a member ask `ctx.ports.access`, which checks the function's answer.
import type { Preset } from '../declaration/scopes.ts';

/** The request that the program's own sign-in gets. */
export interface PageRequest {
  readonly method: string;
  /** Path and query below the service's mount point. */
  readonly url: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** The client's address, according to the proxy settings of the host's framework. */
  readonly address: string | undefined;
}

/** The live side of a workspace, or its sandbox. */
export type WorkspaceSide = 'live' | 'sandbox';

/** The rights of a signed-in person in one workspace. */
export interface WorkspaceAccess {
  readonly id: string;
  /** The scopes of the person, or the name of a preset. Scopes that no composed plugin declares are left out. */
  readonly scopes: readonly string[] | Preset;
  /** (Default: both) */
  readonly sides?: readonly WorkspaceSide[];
}

/** A person who is signed in. */
export interface MemberAccess {
  /** The uid that `members` also uses. */
  readonly member: string;
  readonly name: string;
  readonly workspaces: readonly WorkspaceAccess[];
  /** Where the person can sign out or choose another account. (Default: pages show no such link) */
  readonly signOutUrl?: string;
}

/** The program's sign-in page, for a visitor who is not signed in. */
export interface SignInNeeded {
  /**
   * An `http` or `https` address, or a path that begins with one slash. `{return}` is replaced by the encoded address to return
   * to. If it is missing, the query parameter `return_to` is added.
   */
  readonly signInUrl: string;
}

/** The option `access` of createService. Null: the visitor is not signed in, and the program has no sign-in page to lead to. */
export type AccessFunction = (
  request: PageRequest,
) => MemberAccess | SignInNeeded | null | PromiseLike<MemberAccess | SignInNeeded | null>;

/** One workspace of a visitor. */
export interface VisitorWorkspace {
  readonly id: string;
  /** Every scope that the visitor has, including all implied scopes. */
  readonly scopes: ReadonlySet<string>;
  /** At least one. */
  readonly sides: readonly WorkspaceSide[];
}

/** A visitor of a page, after the answer of the program was checked. */
export type Visitor =
  | {
      readonly kind: 'member';
      readonly member: string;
      readonly name: string;
      readonly workspaces: readonly VisitorWorkspace[];
      readonly signOutUrl: string | undefined;
    }
  | { readonly kind: 'signed_out'; readonly signInUrl: string | undefined };

/** `ctx.ports.access` */
export interface AccessPort {
  /** Whether the program has the option `access`. Without it every visitor is signed out. */
  readonly configured: boolean;
  /** Whether a request from a private network counts as one from this machine, if the program has no `access`. */
  readonly privateNetworks: boolean;
  /** The visitor of a page. If the program's answer has the wrong format, it is logged, and the visitor counts as signed out. */
  visitor(request: PageRequest): Promise<Visitor>;
}
