// Recognises replies that consist only of keywords, such as words that stop messages, in many languages. A whole sentence does not
// count, because it may mean something else. Pure.

/** The request in a reply. */
export type Keyword = 'stop' | 'start' | 'help';

/** Single words that stop messages. By language; Latin and Cyrillic letters without their accents. */
const stopWords = [
  'stop stopall unsubscribe cancel end quit revoke optout stopp ende abmelden abbestellen abmeldung',
  'arret arreter arretez desabonner desabonnement desinscrire desinscription alto parar baja detener cancelar',
  'ferma fermare basta disiscrivi disiscrivimi annulla pare sair descadastrar stoppen afmelden uitschrijven',
  'rezygnuje wypisz anuluj avsluta avregistrera afmeld frameld avmeld slutt lopeta iptal ret durdur',
  'стоп отписаться отписка отмена відписатися відписка zrusit odhlasit leiratkozas dezabonare στοπ διακοπη',
  'ストップ 停止 配信停止 解除 配信解除 中止 停止してください 配信停止してください 退订 退訂 取消 取消订阅 td 중지 정지 수신거부 거부 스톱 그만',
  'توقف قف ستوب إيقاف ايقاف إلغاء الغاء הסר הסרה עצור סטופ रोकें बंद स्टॉप berhenti dung huy หยุด ยกเลิก',
];

const stopPhrases = [
  'opt out',
  'opt me out',
  'remove me',
  'un subscribe',
  'tu choi',
  'stop it',
  'no more texts',
  'no more messages',
];

/** Words that may accompany a stop word, any number of times. */
const companionWords = [
  'all me now please pls thanks thank you texts messages sms no bitte danke nein jetzt alle svp merci non tout por favor gracias todo',
  'todos per favore grazie tutto obrigado nao alstublieft nee prosze dzieki nie tack tak nej takk nei kiitos ei lutfen hayir',
  'пожалуйста спасибо нет все всё будь ласка дякую ні お願いします 请 谢谢',
];

const startWords = ['start', 'unstop'];
const helpWords = ['help', 'info', 'hilfe', 'aide', 'ayuda', 'aiuto', 'ajuda'];

/** A longer reply is not just a keyword. */
const longestReply = 200;

/**
 * The words of a text, without accents, invisible marks, punctuation and emoji, and in lower case. İ, I, ı and i count as one
 * letter, so that İPTAL and iptal are the same word in every language of the phone.
 */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|\p{Cf}|[\ufe00-\ufe0f]/gu, '')
    .toLowerCase()
    .replaceAll('\u0131', 'i')
    .replaceAll('\u03c2', '\u03c3')
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');

const wordSet = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap(wordsOf));

const stop = wordSet(stopWords);
const companionSet = wordSet(companionWords);
const phrases: ReadonlySet<string> = new Set(stopPhrases);
const start = wordSet(startWords);
const help = wordSet(helpWords);

/** The request of the whole reply; undefined for any other text. */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > longestReply) return undefined;
  const words = wordsOf(text);
  const isAll = (set: ReadonlySet<string>): boolean => words.length > 0 && words.every((word) => set.has(word));
  if (phrases.has(words.join(' '))) return 'stop';
  if (words.some((word) => stop.has(word)) && words.every((word) => stop.has(word) || companionSet.has(word)))
    return 'stop';
  if (isAll(start)) return 'start';
  return isAll(help) ? 'help' : undefined;
}
