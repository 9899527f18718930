// The oauth plugin.
import { type CallsOf, checkOptions } from '../../core/index.ts';
import { composeOAuth } from './compose.ts';
import { createConsentPage } from './consent/index.ts';
import type { operations } from './operations/index.ts';
import type { OAuthPluginOptions } from './options.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    oauth: CallsOf<typeof operations>;
  }
}

/** Sign-in for agents: an authorisation server for the MCP endpoint, and the grants that members give. */
export const oauthPlugin = (options: OAuthPluginOptions = {}) => {
  checkOptions<OAuthPluginOptions>('oauthPlugin', options, {
    redirectSchemes: 'optional',
    consent: 'optional',
    issuers: 'optional',
  });
  return composeOAuth(options, createConsentPage(options.consent));
};
