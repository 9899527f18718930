// Checks the topic of a template: only marketing mail may have a topic, and the topic must exist. Called when a template is created
// or its settings change.
import type { ErrorDetail, OperationContext, ReadContext } from '../../../core/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import type { TemplateRow } from '../tables.ts';

type TopicSettings = Pick<TemplateRow, 'topic_key' | 'category' | 'kind'>;

async function faultsOf({ services, trx }: ReadContext, { topic_key: key, category, kind }: TopicSettings) {
  const faults: ErrorDetail[] = [];
  if (key === null) return faults;
  const refuse = (code: string, message: string) => faults.push({ path: 'topicKey', code, message });
  const topics: TopicsService | undefined = services.topics;
  if (topics === undefined)
    refuse('not_composed', 'This needs the plugin topics, and the service is composed without it.');
  // The lock prevents the deletion of the topic until the template is stored.
  else if ((await topics.find(trx, key, 'share')) === undefined) refuse('unknown', `There is no topic ${key}.`);
  if (kind === 'layout') refuse('not_for_layouts', 'A layout has no topic: the templates that use it do.');
  else if (category !== 'marketing')
    refuse('not_marketing', 'Only a template of category marketing has a topic. Leave topicKey out, or give null.');
  return faults;
}

/** @throws validation_failed if the topic is unknown, or if the template is not marketing mail */
export async function requireTopic(
  ctx: ReadContext & Pick<OperationContext, 'refuse'>,
  template: TopicSettings,
): Promise<void> {
  ctx.refuse(await faultsOf(ctx, template));
}
