// A composer on Anthropic's own SDK (`@anthropic-ai/sdk`). Composed by the embedding program.

import Anthropic from '@anthropic-ai/sdk';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { ComposerAdapter } from '../../plugins/templates/port/index.ts';

/** Options of `anthropicComposer`. */
export interface AnthropicComposerOptions {
  readonly apiKey: string;
  /** The model that writes, by the vendor's name. */
  readonly model: string;
  /** Further models: the vendor's models by the names that callers may request. (Default: none) */
  readonly models?: Readonly<Record<string, string>>;
  /** The URL of the API. (Default: the vendor's) */
  readonly baseUrl?: string;
  /** The maximum number of tokens in a response. (Default: 16,000) */
  readonly maxTokens?: number;
}

/** The only tool of the call. Its input is the answer. */
const tool = 'answer';

/**
 * Writes with the Messages API. The model is forced to answer by calling a tool whose input has the requested schema. A failed
 * call throws the SDK's error, and the caller retries.
 * @see https://docs.anthropic.com/en/api/messages
 */
export function anthropicComposer(options: AnthropicComposerOptions): ComposerAdapter {
  checkOptions<AnthropicComposerOptions>('anthropicComposer', options, {
    apiKey: 'required',
    model: 'required',
    models: 'optional',
    baseUrl: 'optional',
    maxTokens: 'optional',
  });
  const { apiKey, model, models = {}, baseUrl, maxTokens = 16_000 } = options;
  let client: Anthropic | undefined;
  return {
    id: 'anthropic',
    models: Object.keys(models),
    async compose({ instructions, prompt, answer, model: requestedModel }, { signal }) {
      client ??= new Anthropic({ apiKey, maxRetries: 0, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) });
      const message = await client.messages.create(
        {
          model: (requestedModel === undefined ? undefined : models[requestedModel]) ?? model,
          max_tokens: maxTokens,
          system: instructions,
          messages: [{ role: 'user', content: prompt }],
          tools: [{ name: tool, description: 'Answers.', input_schema: { ...answer, type: 'object' } }],
          tool_choice: { type: 'tool', name: tool },
        },
        { signal },
      );
      const toolUse = message.content.find((block) => block.type === 'tool_use');
      if (toolUse === undefined) throw new Error(`The model answered without the tool: ${message.stop_reason}.`);
      return toolUse.input;
    },
  };
}
