// Texts of refusals. Some must not suppress an address, although the code is 5.1.1 or the text mentions a mailbox; others must suppress
// it. Each text is read twice: as the response to RCPT TO, and in a report.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { classifyRefusal } from '../../adapters/kit/bounce-class.ts';
import { codesOf, reportedBounce } from '../../adapters/kit/reported-bounce.ts';

const test = suite('words of refusals');

const otherRefusals: readonly string[] = [
  '550 5.7.1 Requested action not taken: mailbox unavailable',
  '550 5.7.1 Invalid mail',
  '550 5.7.1 Recipient not available',
  '550 5.7.1 Invalid recipient: blocked by policy',
  '550 5.7.1 User not local',
  '550 5.1.1 mailbox unavailable: sender not on the allow list',
  '550 5.1.1 Recipient not in the whitelist',
  '550 5.1.1 User unknown; access denied by policy',
  '550 Invalid email format',
  '550 Mail is invalid: too few headers',
  '550 Email is not valid HTML',
  '550 5.1.1 Try again later',
  '550 5.1.1 Please retry',
  '550 Account not yet activated, retry later',
  '550 5.1.1 Account not yet activated',
  '550 5.1.1 您的IP被列入黑名单',
  '550 5.1.1 邮箱已满',
  '550 5.1.1 拒收垃圾邮件',
  '550 5.1.1 メールボックスがいっぱいです',
  '550 5.1.1 ブロックされました',
  '550 5.1.1 메일함 용량 초과',
  '550 5.1.1 차단되었습니다',
  '550 5.1.1 Ваш IP-адрес заблокирован',
  '550 5.1.1 Почтовый ящик полон',
  '550 5.1.1 IP en lista negra',
  '550 5.1.1 Mensaje rechazado por politicas',
  '550 5.1.1 Buzón lleno',
  '550 5.1.1 IP gesperrt',
  '550 5.1.1 Speicherplatz überschritten',
  '550 5.1.1 Adresse IP en liste noire',
  '550 5.1.1 Boîte aux lettres pleine',
  '550 5.1.1 IP bloqueado',
  '550 5.1.1 Caixa postal cheia',
  '550 5.1.1 IP nella lista nera',
  '550 5.1.1 Casella di posta piena',
  // Unknown texts: the code alone does not prove that the mailbox is missing.
  '550 5.1.1 请联系管理员',
  '550 5.1.1 管理者に連絡してください',
];

const missingMailbox: readonly string[] = [
  '550 5.1.1 User unknown',
  '550 5.1.1 The account does not exist. Check the address and try again.',
  '550 5.1.1 User unknown in relay recipient table',
  '550 5.1.1 Mailbox disabled, no such user',
  '550 5.1.1',
  '550 5.1.1 Your email could not be delivered because the address does not exist',
  '550 5.7.1 No such user',
  '550 5.7.1 Unknown recipient',
  '550 5.7.1 Invalid recipient',
  '550 Invalid email address',
  '550 Email account does not exist',
  '550 Requested action not taken: mailbox unavailable',
  '550 5.1.1 收件人不存在',
  '550 5.1.1 ユーザーが見つかりません',
  '550 5.1.1 пользователь не найден',
  '550 5.1.1 Empfänger unbekannt',
  '550 5.1.1 Usuario desconocido',
  '550 5.1.1 Utilisateur inconnu',
];

const classesOf = (words: string): readonly string[] => [
  classifyRefusal({ ...codesOf(words), diagnostic: words }, 'recipient').class,
  reportedBounce(words).class,
];

for (const words of otherRefusals)
  test(`the classifier does not regard the mailbox as missing: ${words}`, () => {
    assert.not(classesOf(words).includes('hard'));
  });

for (const words of missingMailbox)
  test(`the classifier regards the mailbox as missing: ${words}`, () => {
    assert.equal(classesOf(words), ['hard', 'hard']);
  });

/** Subtypes that decide whether a soft bounce counts against the address. */
const subTypes: readonly (readonly [string, string])[] = [
  ['421 4.7.0 Your message rate exceeded the rate limit', 'policy'],
  ['421 Message exceeded the rate limit', 'policy'],
  ['421 Too many connections', 'policy'],
  ['452 4.2.2 Mailbox full', 'mailbox_full'],
  ['452 4.2.2 邮箱已满', 'mailbox_full'],
  ['450 4.1.1 User unknown, try again later', 'no_mailbox'],
  ['451 4.3.0 Try again later', 'general'],
];

for (const [words, subType] of subTypes)
  test(`the classifier reads ${words} as ${subType}`, () => {
    assert.is(reportedBounce(words).subType, subType);
  });

test.run();
