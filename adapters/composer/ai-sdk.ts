// A composer on the AI SDK (`ai`): any of its providers. Composed by the embedding program.

import { generateText, jsonSchema, type LanguageModel, Output } from 'ai';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { ComposerAdapter } from '../../plugins/templates/port/index.ts';

/** Options of `aiSdkComposer`. */
export interface AiSdkComposerOptions {
  /** The model that writes, such as `anthropic('…')` of a provider's package. */
  readonly model: LanguageModel;
  /** Further models, by the names that callers may request. (Default: none) */
  readonly models?: Readonly<Record<string, LanguageModel>>;
  /** The maximum number of tokens in a response. (Default: 16,000) */
  readonly maxOutputTokens?: number;
}

/**
 * Writes with a model of the AI SDK, as a structured object. A failed call throws the SDK's error, and the caller retries.
 * @see https://ai-sdk.dev/docs/ai-sdk-core/generating-structured-data
 */
export function aiSdkComposer(options: AiSdkComposerOptions): ComposerAdapter {
  checkOptions<AiSdkComposerOptions>('aiSdkComposer', options, {
    model: 'required',
    models: 'optional',
    maxOutputTokens: 'optional',
  });
  const { model, models = {}, maxOutputTokens = 16_000 } = options;
  return {
    id: 'ai-sdk',
    models: Object.keys(models),
    async compose({ instructions, prompt, answer, model: requestedModel }, { signal }) {
      const { output } = await generateText({
        model: (requestedModel === undefined ? undefined : models[requestedModel]) ?? model,
        system: instructions,
        prompt,
        output: Output.object({ schema: jsonSchema(answer) }),
        maxOutputTokens,
        maxRetries: 0,
        abortSignal: signal,
      });
      return output;
    },
  };
}
