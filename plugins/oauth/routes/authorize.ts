// The endpoint to which a client sends the member's browser.
import { definePublicRoute, type PublicRoute } from '../../../core/index.ts';
import { paths } from '../addresses.ts';
import type { ConsentPage } from '../authorize/consent-request.ts';
import { parseConsentRequest } from '../authorize/parse-request.ts';
import type { ClientRules } from '../clients/find-client.ts';
import { hiddenWithoutUrl } from './responses.ts';

export const authorizeRoute = (rules: ClientRules, page: ConsentPage): PublicRoute =>
  definePublicRoute({
    http: `GET ${paths.authorize}`,
    description: 'Checks a client’s request for authorisation and shows the consent page.',
    hidden: hiddenWithoutUrl,
    limit: { perMinute: 60, burst: 60 },
    async handler(ctx, request) {
      const parsed = await parseConsentRequest(ctx, rules, request.query);
      if (parsed.kind === 'show_error') return page.showError(ctx, request, parsed.message);
      if (parsed.kind === 'redirect') return page.redirectToClient(ctx, request, parsed.redirectTo);
      return page.show(ctx, request, parsed.request);
    },
  });
