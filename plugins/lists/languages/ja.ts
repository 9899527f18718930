// The texts of lists in Japanese.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const japanese: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.ja,
    email: 'メールアドレス',
    name: 'お名前',
    consent:
      '「{list}」をメールで受け取ることに同意します。まず確認のメールをお送りします。配信はいつでも停止できます。',
    button: '登録する',
    sentTitle: 'メールをご確認ください',
    sent: 'メールをお送りしました。メール内のボタンを押して登録を確定してください。',
    sentHint:
      '届いていない場合は、迷惑メールフォルダをご確認ください。すでに登録済みの方には、新しいメールは届きません。',
  },
  confirm: {
    title: 'ご確認ください',
    question: 'これらのメールの受け取りを希望することをご確認ください。',
    about: '「{list}」を{email}宛てに申し込まれたことをご確認ください。',
    button: '確認する',
    doneTitle: 'ありがとうございます',
    done: '確認しました。このページは閉じてかまいません。',
    doneAbout: '「{list}」の{email}宛ての申し込みを確認しました。このページは閉じてかまいません。',
    doneHint: 'リンクの有効期間は30日です。期限が過ぎている場合は、もう一度お申し込みください。',
  },
  leadMagnet: {
    text: 'お申し込みいただいたものはこちらです：',
    button: '開く',
    validity: 'リンクの有効期間は7日です。',
  },
  preferences: {
    title: 'メールの設定',
    lists: '登録中のメール',
    topics: 'メールの内容',
    save: '保存する',
    saved: '保存しました。',
    stopTitle: '広告メールを停止する',
    stopNote: '今後、広告メールは届きません。領収書などのメールは引き続き届きます。',
    stopNoteWithLists: '上の選択にかかわらず、今後、広告メールは届きません。領収書などのメールは引き続き届きます。',
    stop: '広告メールを停止する',
    stopped: '今後、広告メールは届きません。',
    stoppedWithLists: '今後、広告メールは届きません。ここでの選択は、後で再開するときに使われます。',
    all: {
      stopTitle: 'すべてのメールを停止する',
      stopNote: '今後、どのようなメールも届きません。',
      stopNoteWithLists: '上の選択にかかわらず、今後、どのようなメールも届きません。',
      stop: 'すべてのメールを停止する',
      stopped: '今後、メールは届きません。',
      stoppedWithLists: '今後、メールは届きません。ここでの選択は、後で再開するときに使われます。',
    },
    incomplete: {
      title: 'リンクが不完全です',
      text: 'このリンクは不完全です。メールからリンク全体をコピーしてください。',
    },
  },
  invalidLink: {
    title: 'ページがありません',
    text: 'リンクが不完全か、ページがすでにありません。リンク全体をコピーするか、送信者にお問い合わせください。',
  },
  mail: {
    subject: 'ご確認ください：{list}',
    preview: 'クリックするだけで確認できます。',
    title: 'ご確認ください',
    greeting: '{name} 様',
    request:
      'ご本人、またはこのアドレスを使ったどなたかが、{list}に申し込まれました。ご希望であることをご確認ください。',
    button: '確認する',
    ignore:
      'お心当たりがない場合は、このメールを無視してください。今後ご連絡することはありません。リンクの有効期間は30日です。',
  },
};
