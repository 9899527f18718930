// The topic of a template: only marketing mail has one, and the plugin of topics must know it. Called when a template is created or
// its settings change.
import type { ErrorDetail, OperationContext, ReadContext } from '../../../core/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import type { TemplateRow } from '../tables.ts';

type Named = Pick<TemplateRow, 'topic_key' | 'category' | 'kind'>;

async function faultsOf({ services, trx }: ReadContext, { topic_key: key, category, kind }: Named) {
  const faults: ErrorDetail[] = [];
  if (key === null) return faults;
  const refuse = (code: string, message: string) => faults.push({ path: 'topicKey', code, message });
  const topics: TopicsService | undefined = services.topics;
  if (topics === undefined)
    refuse('not_composed', 'This needs the plugin topics, and the service is composed without it.');
  // Locked: a topic that a template names is not deleted.
  else if ((await topics.find(trx, key, 'share')) === undefined) refuse('unknown', `There is no topic ${key}.`);
  if (kind === 'layout') refuse('not_for_layouts', 'A layout has no topic: the templates that use it do.');
  else if (category !== 'marketing')
    refuse('not_marketing', 'Only a template of category marketing has a topic. Leave topicKey out, or give null.');
  return faults;
}

/** @throws validation_failed if the topic is unknown, or if the template is not marketing mail */
export async function requireTopic(
  ctx: ReadContext & Pick<OperationContext, 'refuse'>,
  template: Named,
): Promise<void> {
  ctx.refuse(await faultsOf(ctx, template));
}
