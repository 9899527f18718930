// Requests that provoke the errors of operations that build a message from a template, for the generated tests.
import type { ErrorCases, FixtureKit } from '../../../core/index.ts';
import { publishedTemplate } from './fixture-rows.ts';

type Body = Readonly<Record<string, unknown>>;
/** Builds the request with this template and this body. */
type Request = (template: string, body: Body) => { readonly params?: Record<string, string>; readonly body: unknown };

const inLayouts = 'unreachable here: shown in test/plugins/templates-layouts.test.ts';

/** The errors of resolving a template. `body` is a valid body without the template's key. */
export function templateErrorCases(kit: FixtureKit, body: Body, request: Request): ErrorCases {
  const newKey = (prefix: string): string => kit.unique(prefix).toLowerCase();
  return {
    template_archived: async () => {
      const key = await publishedTemplate(kit, kit.workspaceId);
      await kit.call('templates.archive', { key });
      return request(key, body);
    },
    template_is_layout: async () => {
      const key = newKey('layout');
      await kit.call('templates.create', { key, kind: 'layout', mode: 'html', body: '<div>{% content %}</div>' });
      return request(key, body);
    },
    template_not_published: async () => {
      const key = newKey('draft');
      await kit.call('templates.create', { key, subject: 'Hello {{name}}' });
      return request(key, body);
    },
    variables_invalid: async () => request(await publishedTemplate(kit, kit.workspaceId), { ...body, variables: {} }),
    layout_not_found: inLayouts,
    layout_not_published: inLayouts,
  };
}

const attachment = { filename: 'invoice.pdf', content_type: 'application/pdf', data_base64: 'no base64!' };

/** The errors of accepting a message. */
export function messageErrorCases(kit: FixtureKit, body: Body, request: Request): ErrorCases {
  const withField = (field: Body) => async () =>
    request(await publishedTemplate(kit, kit.workspaceId), { ...body, ...field });
  return {
    ...templateErrorCases(kit, body, request),
    from_not_allowed: withField({ from: { email: 'hello@elsewhere.example' } }),
    header_invalid: withField({ headers: { 'X Note': 'a space in the name' } }),
    attachment_invalid: withField({ attachments: [attachment] }),
    attachment_too_large: 'unreachable here: shown in test/plugins/email-attachments.test.ts',
  };
}

/** The errors of a send to real recipients. */
export function sendErrorCases(kit: FixtureKit, body: Body, request: Request): ErrorCases {
  const withField = (field: Body) => async () =>
    request(await publishedTemplate(kit, kit.workspaceId), { ...body, ...field });
  return {
    ...messageErrorCases(kit, body, request),
    send_at_invalid: withField({ send_at: '2020-01-01T00:00:00Z' }),
    sandbox_only: withField({ simulationScenario: 'delivered' }),
    send_budget_exhausted: 'unreachable here: shown in test/plugins/email-budgets.test.ts',
  };
}
