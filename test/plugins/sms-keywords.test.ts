// The replies to an SMS that count as STOP, in many languages and spellings, and replies that do not count.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keywordOf } from '../../plugins/sms/rules/keywords.ts';

const test = suite('keywords of SMS');

test('a message that contains only stop words and fillers is a stop, in any spelling', () => {
  for (const text of [
    'STOP',
    'stop',
    ' Stop. ',
    'Stop \u{1F64F}',
    '\u{1F6D1}STOP\u{1F6D1}',
    '\u00abSTOP\u00bb',
    '\u201cStop\u201d!!!',
    '\uff33\uff34\uff2f\uff30',
    '\u200bSTOP\u200b',
    'S\u0301TOP',
    'STOP\ufe0f',
    'STOP ALL',
    'STOPALL',
    'stop stop STOP',
    'Stop, please',
    'Please stop!',
    'STOP NOW',
    'No. Stop.',
    'opt-out',
    'Opt out',
    'UNSUBSCRIBE ME',
    'Quit\nEnd',
  ])
    assert.is(keywordOf(text), 'stop', JSON.stringify(text));
});

test('stop words of many languages are recognised', () => {
  const words = [
    ...['Stopp', 'STOPP!', 'Abmelden', 'Bitte stopp', 'ENDE'],
    ...['ARRET', 'Arrêt', 'ARRÊTER', 'désabonner', 'Arrêt SVP'],
    ...['BAJA', 'Alto', 'Parar', 'CANCELAR', 'Basta', 'Annulla', 'Sair', 'PARE'],
    ...['Afmelden', 'stoppen', 'Rezygnuję', 'Avsluta', 'Frameld', 'Lopeta'],
    ...['İPTAL', 'IPTAL', 'iptal', 'ıptal', 'Ret', 'DURDUR'],
    ...['СТОП', 'НЕТ СТОП', 'стоп!', 'Отписаться', 'Відписатися', 'ΣΤΟΠ', 'Διακοπή', 'ΔΙΑΚΟΠΗ'],
    ...['停止', 'ストップ', 'ｽﾄｯﾌﾟ', '配信停止。', '退订', 'TD', '取消', '중지', '수신거부'],
    ...['إيقاف', 'توقف', 'إلغاء', 'הסר', 'रोकें', 'หยุด', 'Dừng', 'berhenti'],
  ];
  for (const word of words) assert.is(keywordOf(word), 'stop', word);
});

test('a sentence that contains a stop word is not a stop', () => {
  for (const text of [
    "please don't stop",
    "Don't stop",
    'stop by tomorrow',
    'I will stop by at 5',
    'Please stop writing to Ada, write to me',
    'nonstop',
    'Where is the bus stop?',
    'Cancel my order',
    'The end of the month works',
    'Nicht abmelden',
    'bitte nicht stoppen',
    'не стоп машина',
    '停止しないでください',
    '不要取消',
    'Ich kann am Ende der Woche',
    'seis',
    'Peru',
    '1STOP',
    'STOP 2',
    'stopwatch',
    'no',
    'please',
    'all',
    '',
    ' ',
    '\u{1F64F}',
    '\ud83d',
    '\ufffd',
    '\u0000STO\u0000P',
    `stop ${'!'.repeat(300)}`,
  ])
    assert.is(keywordOf(text), undefined, JSON.stringify(text));
});

test('START and HELP are recognised alone, but not among other words', () => {
  for (const text of ['START', 'start.', 'Unstop', 'ＳＴＡＲＴ', '«Start»']) assert.is(keywordOf(text), 'start', text);
  for (const text of ['HELP', 'help?', 'Info', 'AIDE', 'Hilfe!']) assert.is(keywordOf(text), 'help', text);
  for (const text of ['start stop', 'help me stop', 'when do we start', 'please help', 'yes'])
    assert.is(keywordOf(text), undefined, text);
});

test.run();
