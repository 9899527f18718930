// The three refusals of a page for the program's own people, as error declarations of its plugin and as the errors that
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
};

/** The names in the messages. */
interface NamedPage {
  /** In the middle of a sentence: `the page of notes`. */
  readonly page: string;
  /** How a program sets an option of the page: `notesPlugin({ console: { <option> } })`. */
  readonly setting: (option: string) => string;
}

/** The declarations of a page's refusals, for `defineErrors`. The codes begin with `prefix`. */
export function pageErrors<Prefix extends string>(prefix: Prefix, { page, setting }: NamedPage): PageErrors<Prefix> {
  const denied: DeclaredRefusal<[]> = {
    status: 401,
    type: 'authentication_error',
    description: `The program's own sign-in does not let this caller see ${page}. Sign in to the program, then reload.`,
    message: () => `You may not see ${page}. Sign in to the application that runs it, then reload.`,
  };
  const notLocal: DeclaredRefusal<[details: { readonly reason: string }]> = {
    status: 403,
    type: 'permission_error',
    description: `Without authorize, ${page} answers only requests from the machine it runs on. Open it under localhost, or set the option authorize.`,
    message: ({ reason }) =>
      `${reason} Without a sign-in, ${page} is for this machine only: open it under http://localhost, or configure access with ${setting('authorize')}. In a container, ${setting('privateNetworks: true')} admits private networks, and everyone on them.`,
  };
  const crossSite: DeclaredRefusal<[]> = {
    status: 403,
    type: 'permission_error',
    description:
      'A page of another site sent the request. Only this page itself and programs other than browsers may send requests.',
    message: () => 'A page of another site sent this request. Only this page itself may send it.',
  };
  return {
    [`${prefix}_access_denied`]: denied,
    [`${prefix}_not_local`]: notLocal,
    [`${prefix}_cross_site`]: crossSite,
  } as PageErrors<Prefix>;
}

/** The refusals that a gate throws, from a set of errors whose codes begin with `prefix`. */
export function pageRefusals<Prefix extends string>(
  errors: {
    readonly [Code in `${Prefix}_access_denied` | `${Prefix}_cross_site`]: () => PostriderError;
  } & {
    readonly [Code in `${Prefix}_not_local`]: (details: { readonly reason: string }) => PostriderError;
  },
  prefix: Prefix,
): PageRefusals {
  const make = (name: string, details?: object): PostriderError => {
    const factory: (details?: object) => PostriderError = Reflect.get(errors, `${prefix}_${name}`);
    return factory(details);
  };
  return {
    accessDenied: () => make('access_denied'),
    notLocal: (details) => make('not_local', details),
    crossSite: () => make('cross_site'),
  };
}
