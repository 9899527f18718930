import { defineErrors } from '../../core/index.ts';

export const errors = defineErrors({
  template_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no template with this key.',
    message: (facts: { key: string }) => `There is no template ${facts.key}. GET /v1/templates lists those there are.`,
  },
  key_taken: {
    status: 409,
    type: 'conflict_error',
    description: 'Another template has this key; archived ones keep theirs. Choose another key.',
    message: (facts: { key: string }) =>
      `The key ${facts.key} is taken. Choose another, or leave it out to have one minted.`,
  },
  theme_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'The workspace has no theme with this id.',
    message: (facts: { id: string }) => `There is no theme ${facts.id}.`,
  },
  template_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'The source does not compile, or uses what its contract lacks; details name the lines.',
    message: (facts: { summary: string }) => facts.summary,
  },
  contract_breaking: {
    status: 409,
    type: 'conflict_error',
    description:
      'The new contract would refuse what callers send today. Publish with allowBreaking: true, or keep the contract wide.',
    message: (facts: { reasons: readonly string[]; keys: readonly string[] }) =>
      `Publishing would break callers: ${facts.reasons.join('; ')}. ${
        facts.keys.length === 0
          ? 'No key sent it in the last 30 days.'
          : `Keys that sent it in the last 30 days: ${facts.keys.join(', ')}.`
      } Say allowBreaking: true to publish all the same.`,
  },
  template_not_published: {
    status: 409,
    type: 'conflict_error',
    description: 'A live key sends published versions only, and there is none yet. Publish the template first.',
    message: (facts: { key: string }) =>
      `The template ${facts.key} is not published. POST /v1/templates/${facts.key}/publish first.`,
  },
  template_archived: {
    status: 409,
    type: 'conflict_error',
    description: 'The template is archived and does not send.',
    message: (facts: { key: string }) => `The template ${facts.key} is archived and does not send.`,
  },
  variables_invalid: {
    status: 422,
    type: 'validation_error',
    description: "The variables break the template's contract; one detail a fault, with its path.",
    message: (facts: { key: string; summary: string }) =>
      `The variables do not fit the contract of ${facts.key}: ${facts.summary}`,
  },
});
