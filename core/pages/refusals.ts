// The refusals of a page for the program's own people: the error declarations for its plugin, and the errors that
// its gate throws.
import type { ErrorType, PostriderError } from '../contract/errors/errors.ts';
import type { PageRefusals } from './access.ts';

/** The declaration of one refusal. */
export interface DeclaredRefusal<Args extends readonly unknown[]> {
  readonly status: number;
  readonly type: ErrorType;
  readonly description: string;
  readonly message: (...args: Args) => string;
}

/** The declarations of the refusals of one page, by code. */
export type PageErrors<Prefix extends string> = {
  readonly [Code in `${Prefix}_access_denied` | `${Prefix}_cross_site`]: DeclaredRefusal<[]>;
} & {
  readonly [Code in `${Prefix}_not_local`]: DeclaredRefusal<[details: { readonly reason: string }]>;
} & {
  readonly [Code in `${Prefix}_scope_missing`]: DeclaredRefusal<[details: { readonly scopes: readonly string[] }]>;
};

/**
 * The declarations of a page's refusals, for `defineErrors`. The codes begin with `prefix`. `page` names the page as it is
 * written in the middle of a sentence: `the page of notes`.
 */
export function pageErrors<Prefix extends string>(prefix: Prefix, page: string): PageErrors<Prefix> {
  const denied: DeclaredRefusal<[]> = {
    status: 401,
    type: 'authentication_error',
    description: `The program's own sign-in does not let this caller see ${page}. Sign in to the program, then reload.`,
    message: () => `You may not see ${page}. Sign in to the application that runs it, then reload.`,
  };
  const notLocal: DeclaredRefusal<[details: { readonly reason: string }]> = {
    status: 403,
    type: 'permission_error',
    description: `Without the option access, ${page} answers only requests from the machine it runs on. Open it under localhost, or set the option access of createService.`,
    message: ({ reason }) =>
      `${reason} Without the option access, ${page} is for this machine only: open it under http://localhost, or say who is signed in with createService({ access }). In a container, createService({ privateNetworks: true }) admits private networks, and everyone on them.`,
  };
  const crossSite: DeclaredRefusal<[]> = {
    status: 403,
    type: 'permission_error',
    description:
      'A page of another site sent the request. Only this page itself and programs other than browsers may send requests.',
    message: () => 'A page of another site sent this request. Only this page itself may send it.',
  };
  const scopeMissing: DeclaredRefusal<[details: { readonly scopes: readonly string[] }]> = {
    status: 403,
    type: 'permission_error',
    description: `The person lacks a scope that ${page} needs. Add it to what access returns for them.`,
    message: ({ scopes }) =>
      `Your role does not include ${scopes.join(' and ')}. Ask the person who manages the roles of your team.`,
  };
  return {
    [`${prefix}_access_denied`]: denied,
    [`${prefix}_not_local`]: notLocal,
    [`${prefix}_cross_site`]: crossSite,
    [`${prefix}_scope_missing`]: scopeMissing,
  } as PageErrors<Prefix>;
}

/** The refusals that a gate throws, from a set of errors whose codes begin with `prefix`. */
export function pageRefusals<Prefix extends string>(
  errors: {
    readonly [Code in `${Prefix}_access_denied` | `${Prefix}_cross_site`]: () => PostriderError;
  } & {
    readonly [Code in `${Prefix}_not_local`]: (details: { readonly reason: string }) => PostriderError;
  } & {
    readonly [Code in `${Prefix}_scope_missing`]: (details: { readonly scopes: readonly string[] }) => PostriderError;
  },
  prefix: Prefix,
): PageRefusals {
  const createError = (name: string, details?: object): PostriderError => {
    const factory: (details?: object) => PostriderError = Reflect.get(errors, `${prefix}_${name}`);
    return factory(details);
  };
  return {
    accessDenied: () => createError('access_denied'),
    notLocal: (details) => createError('not_local', details),
    crossSite: () => createError('cross_site'),
    scopeMissing: (details) => createError('scope_missing', details),
  };
}
