// Problems of the settings and the account of a channel.
import type { ChannelRules } from '../port/index.ts';
import type { PostContent, PostProblem } from '../schema.ts';
import type { AccountRow } from '../tables.ts';
import { forbiddenIn, tooLong } from './text.ts';

/** The problems of the settings on one channel. Without an account, values that must be options of the account are not checked. */
export function settingProblems(
  rules: ChannelRules,
  content: PostContent,
  account: AccountRow | undefined,
): PostProblem[] {
  const { channelId, name, settings, title } = rules;
  const given = content.channelSettings[channelId] ?? {};
  const problems: PostProblem[] = [];
  const add = (code: PostProblem['code'], setting: string, message: string) =>
    problems.push({ channelId, path: `channelSettings.${channelId}.${setting}`, code, message });
  const required = new Set(settings.flatMap((rule) => (rule.required ? [rule.name as string] : [])));
  if (title?.required === true) required.add('title');
  for (const setting of required)
    if ((given[setting] ?? '').trim() === '') add('setting_missing', setting, `${name} needs the setting ${setting}.`);
  const titleFault = title === null ? undefined : tooLong(`The title for ${name}`, title, given['title'] ?? '');
  if (titleFault !== undefined) add('text_too_long', 'title', titleFault);
  const signs = forbiddenIn(rules, given['title'] ?? '');
  if (title !== null && signs !== undefined) add('text_invalid', 'title', `The title for ${name} ${signs}`);
  for (const { name: setting, ofAccount, form } of settings) {
    const value = given[setting] ?? '';
    if (form !== undefined && value.trim() !== '' && !new RegExp(`^(?:${form.pattern})$`).test(value))
      add('setting_invalid', setting, `${name} takes no ${setting} ${JSON.stringify(value)}. ${form.says}`);
    if (!ofAccount || value === '' || account === undefined) continue;
    const allowed = account.options[setting] ?? [];
    if (allowed.some((option) => option.value === value)) continue;
    const there =
      allowed.length === 0 ? 'It has none.' : `It has: ${allowed.map((option) => option.value).join(', ')}.`;
    add('setting_invalid', setting, `The account on ${name} has no ${setting} ${value}. ${there}`);
  }
  return problems;
}

/** The problem of the account on one channel. */
export function accountProblems({ channelId, name }: ChannelRules, account: AccountRow | undefined): PostProblem[] {
  const path = `targetAccountRefs.${channelId}`;
  if (account === undefined)
    return [
      {
        channelId,
        path,
        code: 'account_missing',
        message: `No account is connected on ${name}. Where the program has connected it, refresh the networks once: POST /v1/social/networks/refresh finds its accounts.`,
      },
    ];
  if (account.status === 'connected') return [];
  const message = `The account ${account.display_name} on ${name} is ${account.status}. Connect it again.`;
  return [{ channelId, path, code: 'account_disconnected', message }];
}
