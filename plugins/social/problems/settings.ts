// Problems of the settings and the account of a channel.
import type { ChannelRules } from '../port/index.ts';
import type { PostProblem, SocialPostContent } from '../schema.ts';
import type { AccountRow } from '../tables.ts';
import { forbiddenIn, tooLong } from './text.ts';

/** The problems of the settings on one channel. Without an account, values that must be options of the account are not checked. */
export function settingProblems(
  rules: ChannelRules,
  content: SocialPostContent,
  account: AccountRow | undefined,
): PostProblem[] {
  const { channelId, name, settings, title } = rules;
  const values = content.channelSettings[channelId] ?? {};
  const problems: PostProblem[] = [];
  const add = (code: PostProblem['code'], setting: string, message: string) =>
    problems.push({ channelId, path: `channelSettings.${channelId}.${setting}`, code, message });
  const required = new Set(settings.flatMap((rule) => (rule.required ? [rule.name as string] : [])));
  if (title?.required === true) required.add('title');
  for (const setting of required)
    if ((values[setting] ?? '').trim() === '') add('setting_missing', setting, `${name} needs the setting ${setting}.`);
  const titleFault = title === null ? undefined : tooLong(`The title for ${name}`, title, values['title'] ?? '');
  if (titleFault !== undefined) add('text_too_long', 'title', titleFault);
  const forbiddenText = forbiddenIn(rules, values['title'] ?? '');
  if (title !== null && forbiddenText !== undefined)
    add('text_invalid', 'title', `The title for ${name} ${forbiddenText}`);
  for (const { name: setting, fromAccountOptions, format } of settings) {
    const value = values[setting] ?? '';
    if (format !== undefined && value.trim() !== '' && !new RegExp(`^(?:${format.pattern})$`).test(value))
      add(
        'setting_invalid',
        setting,
        `${name} does not accept the ${setting} ${JSON.stringify(value)}. ${format.message}`,
      );
    if (!fromAccountOptions || value === '' || account === undefined) continue;
    const allowedValues = account.options[setting] ?? [];
    if (allowedValues.some((option) => option.value === value)) continue;
    const available =
      allowedValues.length === 0
        ? 'It has no settings.'
        : `It has: ${allowedValues.map((option) => option.value).join(', ')}.`;
    add('setting_invalid', setting, `The account on ${name} has no ${setting} ${value}. ${available}`);
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
        message: `No account is connected on ${name}. If the program has connected one, refresh the networks: POST /v1/social/networks/refresh finds its accounts.`,
      },
    ];
  if (account.status === 'connected') return [];
  const message = `The account ${account.display_name} on ${name} is ${account.status}. Connect it again.`;
  return [{ channelId, path, code: 'account_disconnected', message }];
}
