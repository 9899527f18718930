// Briefs as people write them, in six languages, with the texts that the embedded writers must use and must not use
import type { BriefLanguage } from '../../plugins/kit/brief-language.ts';

interface SampleBrief {
  readonly language: BriefLanguage;
  readonly brief: string;
  /** Texts that each result contains */
  readonly facts: readonly string[];
  /** Texts that no result contains */
  readonly others: readonly string[];
}

const briefIn =
  (language: BriefLanguage) =>
  (brief: string, facts: readonly string[], others: readonly string[]): SampleBrief => ({
    ...{ language, brief, facts, others },
  });
const [en, de, fr, es, ja, ar] = [
  briefIn('en'),
  briefIn('de'),
  briefIn('fr'),
  briefIn('es'),
  briefIn('ja'),
  briefIn('ar'),
];

export const briefs: readonly SampleBrief[] = [
  en(
    'A landing page for our course “Bread from nothing”. The page should convince owners of shops.',
    ['Bread from nothing'],
    ['convince', 'owners of shops'],
  ),
  en(
    'Our workshop starts on 12 March 2027 at 7 pm. It costs €120. Keep it short.',
    ['12 March 2027 at 7 pm', '€120'],
    ['Keep it short', 'workshop starts'],
  ),
  en(
    'Tell our customers that the shop is closed on December 24. Write in a warm tone.',
    ['December 24'],
    ['Tell our', 'warm tone', 'is closed'],
  ),
  en(
    'Dr. B. Meier speaks about tea. Please write to hello@acme.example.',
    ['hello@acme.example'],
    ['"B"', '"Dr"', 'Meier', 'Please'],
  ),
  en(
    'We open at 12 Baker Street, London. Make the readers curious.',
    ['12 Baker Street, London'],
    ['curious', 'We open'],
  ),
  en(
    'The price is $1,250.50. Our budget is $9,000, and the draft is due on 2 May 2027.',
    ['$1,250.50'],
    ['9,000', '2 May', 'budget'],
  ),
  en(
    'Do not say “cheap”. The club is called Tea Friends. Invite people who like tea.',
    ['Tea Friends'],
    ['cheap', 'Invite', 'people who like'],
  ),
  en(
    'Book at https://acme.example/tea?from=page. The design can be like https://other.example.',
    ['https://acme.example/tea?from=page'],
    ['other.example', 'The design'],
  ),
  en(
    'A newsletter for our members. Explain why the rates go up and avoid the word “increase”.',
    [],
    ['increase', 'Explain', 'rates go up'],
  ),
  en(
    'Write about the fair from 2027-05-03 to 2027-05-05. Call +44 20 7946 0958 for a stand.',
    ['2027-05-03', '2027-05-05', '+44 20 7946 0958'],
    ['Write about', 'for a stand'],
  ),

  de(
    'Unser Kurs beginnt am 3. März 2027. Die Seite soll Ladenbesitzer überzeugen.',
    ['3. März 2027'],
    ['überzeugen', 'beginnt am', 'Ladenbesitzer'],
  ),
  de(
    'Eine Seite für unseren Kurs „Brot für alle“. Bitte kurz und freundlich.',
    ['Brot für alle'],
    ['freundlich', 'Bitte kurz'],
  ),
  de(
    'Der Abend kostet 1.200 € und findet in der Langen Straße 5, 20095 Hamburg statt.',
    ['1.200 €', 'Langen Straße 5, 20095 Hamburg'],
    ['Der Abend kostet'],
  ),
  de(
    'Dr. K. Maier leitet den Kurs, z. B. am 7. Mai. Schreib das für Eltern.',
    ['7. Mai'],
    ['"Dr"', 'Maier', 'Schreib das', 'Eltern'],
  ),
  de('Teile unseren Kunden mit, dass der Laden am 24.12.2026 zu ist.', ['24.12.2026'], ['Teile unseren', 'zu ist']),
  de('Die Karte kostet 45 Euro. Das Budget für die Werbung ist 500 Euro.', ['45 Euro'], ['500', 'Werbung', 'Budget']),
  de(
    'Vermeide das Wort „billig“. Die Reihe heißt Tee und Zeit und ist für alle.',
    ['Tee und Zeit'],
    ['billig', 'Vermeide', 'ist für alle'],
  ),
  de(
    'Anmelden unter https://acme.example/kurs oder bei kurs@acme.example. Sei nicht zu förmlich.',
    ['https://acme.example/kurs', 'kurs@acme.example'],
    ['förmlich', 'Anmelden unter'],
  ),
  de(
    'Ein Newsletter über die neuen Zeiten. Erkläre, warum wir später öffnen.',
    [],
    ['Erkläre', 'später öffnen', 'neuen Zeiten'],
  ),
  de(
    'Das Fest ist am 5. Juni 2027 um 19 Uhr. Mach die Leser neugierig auf das Fest.',
    ['5. Juni 2027 um 19 Uhr'],
    ['neugierig', 'Das Fest ist'],
  ),

  fr(
    'Une page pour notre atelier « Pain maison ». Elle doit convaincre les commerçants.',
    ['Pain maison'],
    ['convaincre', 'commerçants'],
  ),
  fr('Le cours commence le 3 mars 2027 à 19h30 et coûte 45 €.', ['3 mars 2027 à 19h30', '45 €'], ['Le cours commence']),
  fr(
    'Nous sommes au 12 rue de la Paix, 75002 Paris. Donne envie aux lecteurs de venir.',
    ['12 rue de la Paix, 75002 Paris'],
    ['Donne envie', 'Nous sommes'],
  ),
  fr('Dis à nos clients que la boutique est fermée le 24 décembre.', ['24 décembre'], ['Dis à nos', 'est fermée']),
  fr('N’écris pas « pas cher ». Le prix est de 30 euros pour les membres.', ['30 euros'], ['pas cher', 'écris']),
  fr('Le billet coûte 20 €. Notre budget est de 900 € pour la publicité.', ['20 €'], ['900', 'publicité']),
  fr('Une lettre pour les amis de la maison. Explique pourquoi nous fermons plus tôt.', [], ['Explique', 'fermons']),
  fr(
    'Écrivez à bonjour@acme.example ou voyez https://acme.example/pain. Un ton simple pour les débutants.',
    ['bonjour@acme.example', 'https://acme.example/pain'],
    ['Un ton', 'débutants'],
  ),
  fr(
    'Une page sur la soirée du 1er juin 2027. Il faut que les gens soient curieux.',
    ['1er juin 2027'],
    ['curieux', 'Il faut'],
  ),
  fr(
    'Le club est appelé Les Amis du Thé. Parle aux gens qui aiment le thé.',
    ['Les Amis du Thé'],
    ['Parle aux', 'aiment'],
  ),

  es(
    'Una página para nuestro taller «Pan en casa». Debe convencer a los dueños de tiendas.',
    ['Pan en casa'],
    ['convencer', 'dueños'],
  ),
  es(
    'El curso empieza el 3 de marzo de 2027 a las 19:00 y cuesta 45 euros.',
    ['3 de marzo de 2027 a las 19:00', '45 euros'],
    ['El curso empieza'],
  ),
  es(
    'Estamos en la Calle Mayor 5, 28013 Madrid. Haz que los lectores quieran venir.',
    ['Calle Mayor 5, 28013 Madrid'],
    ['Haz que', 'Estamos'],
  ),
  es('Di a los clientes que la tienda se cierra el 24 de diciembre.', ['24 de diciembre'], ['Di a los', 'se cierra']),
  es('No uses la palabra «barato». El precio es de 30 € para los socios.', ['30 €'], ['barato', 'No uses']),
  es('La entrada cuesta 20 €. El presupuesto para la publicidad es de 900 €.', ['20 €'], ['900', 'publicidad']),
  es('Un boletín para los amigos de la casa. Explica por qué cerramos antes.', [], ['Explica', 'cerramos']),
  es(
    'Escriba a hola@acme.example o mire https://acme.example/pan. Un tono sencillo para los nuevos.',
    ['hola@acme.example', 'https://acme.example/pan'],
    ['Un tono', 'los nuevos'],
  ),
  es(
    'Una página sobre la noche del 1 de junio de 2027. La gente debe sentir curiosidad por la noche.',
    ['1 de junio de 2027'],
    ['curiosidad', 'La gente'],
  ),
  es('El club se llama Amigos del Té. Habla a la gente que ama el té.', ['Amigos del Té'], ['Habla a', 'que ama']),

  ja(
    'パン教室「夜のパン」のページを作ってください。店主を説得するページにします。',
    ['夜のパン'],
    ['作ってください', '説得'],
  ),
  ja(
    '講座は2027年3月12日（金）19時に始まり、料金は12,000円です。',
    ['2027年3月12日（金）19時', '12,000円'],
    ['始まり'],
  ),
  ja(
    '場所は〒600-8216 京都府京都市下京区烏丸通1-2です。読みたくなる文章にしてください。',
    ['京都府京都市下京区烏丸通1-2'],
    ['読みたくなる', '"京…'],
  ),
  ja('お客様に12月24日は休みだと伝えてください。', ['12月24日'], ['伝えて', '休みだ']),
  ja('「安い」という言葉は使わないでください。料金は3,000円です。', ['3,000円'], ['安い', '使わない']),
  ja('券は2,000円です。広告の予算は90,000円です。', ['2,000円'], ['90,000', '広告']),
  ja('会員へのメルマガです。早く閉まる理由を説明してください。', [], ['説明して', '早く閉まる']),
  ja(
    '申し込みは https://acme.example/pan へ、質問は pan@acme.example へお願いします。',
    ['https://acme.example/pan', 'pan@acme.example'],
    ['お願いします'],
  ),
  ja('6月1日の夜についての記事を書いてください。やさしい文体で。', ['6月1日'], ['書いてください', 'やさしい']),
  ja('京都の『はじめての和食』を紹介するページ。若い人に向けて書く。', ['はじめての和食'], ['紹介する', '若い人']),

  ar('صفحة لدورتنا «خبز في البيت». يجب أن تقنع أصحاب المتاجر.', ['خبز في البيت'], ['تقنع', 'أصحاب المتاجر']),
  ar('تبدأ الدورة في ٣ مارس ٢٠٢٧ وتكلف ١٢٠ درهم.', ['٣ مارس ٢٠٢٧', '١٢٠ درهم'], ['تبدأ الدورة']),
  ar('العنوان هو شارع الملك فهد، ١٢. اجعل القراء متحمسين.', ['شارع الملك فهد، ١٢'], ['متحمسين', 'العنوان هو']),
  ar('أخبر عملاءنا أن المتجر مغلق في ٢٤ ديسمبر.', ['٢٤ ديسمبر'], ['أخبر', 'مغلق']),
  ar('تجنب كلمة «رخيص». السعر ٣٠ ريال للأعضاء.', ['٣٠ ريال'], ['رخيص', 'تجنب']),
  ar('التذكرة بسعر ٢٠ دولار. ميزانية الإعلان ٩٠٠ دولار.', ['٢٠ دولار'], ['٩٠٠', 'الإعلان']),
  ar('نشرة لأصدقاء البيت. اشرح لماذا نغلق مبكراً.', [], ['اشرح', 'مبكراً']),
  ar(
    'راسلونا على salam@acme.example أو زوروا https://acme.example/khubz للتسجيل.',
    ['salam@acme.example', 'https://acme.example/khubz'],
    ['راسلونا', 'للتسجيل'],
  ),
  ar('صفحة عن أمسية ١ يونيو ٢٠٢٧. نريد أسلوباً بسيطاً.', ['١ يونيو ٢٠٢٧'], ['نريد', 'بسيطاً']),
  ar('اكتب عن نادي "أصدقاء الشاي" لمن يحب الشاي.', ['أصدقاء الشاي'], ['نادي', 'لمن يحب']),
];
