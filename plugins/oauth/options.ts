import type { ConsentPageOptions } from './consent/options.ts';
import type { TrustedIssuer } from './issuers/options.ts';

/** Options of `oauthPlugin`. */
export interface OAuthPluginOptions {
  /**
   * URL schemes of apps, such as `cursor` or `vscode`, that clients may use in redirect URIs beside https, loopback addresses and
   * schemes with a dot. Any program on a member's machine can claim such a scheme. (Default: none)
   */
  readonly redirectSchemes?: readonly string[];
  /** The page on which members decide. */
  readonly consent?: ConsentPageOptions;
  /**
   * The program's own authorisation servers, such as better-auth, Auth0 or Keycloak. Only their tokens are then accepted, and the
   * service's own server is off. (Default: the service's own server)
   */
  readonly issuers?: readonly TrustedIssuer[];
}
