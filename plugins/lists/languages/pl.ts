// The texts of lists in Polish.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const polish: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.pl,
    email: 'E-mail',
    name: 'Imię i nazwisko',
    consent:
      'Zgoda na otrzymywanie „{list}” pocztą elektroniczną. Najpierw poprosimy e-mailem o potwierdzenie, a zrezygnować można w każdej chwili.',
    button: 'Zapisz się',
    sentTitle: 'Proszę sprawdzić skrzynkę',
    sent: 'Wysłaliśmy e-mail. Proszę kliknąć przycisk w nim, aby potwierdzić zapis.',
    sentHint:
      'Nic nie przyszło? Proszę zajrzeć do folderu ze spamem. Osoby już zapisane nie dostaną kolejnego e-maila.',
  },
  confirm: {
    title: 'Proszę potwierdzić',
    question: 'Proszę potwierdzić chęć otrzymywania tych e-maili.',
    about: 'Proszę potwierdzić zamówienie „{list}” na adres {email}.',
    button: 'Potwierdzam',
    doneTitle: 'Dziękujemy',
    done: 'Potwierdzono. Można zamknąć tę stronę.',
    doneAbout: 'Zamówienie „{list}” na adres {email} jest potwierdzone. Można zamknąć tę stronę.',
    doneHint: 'Linki są ważne 30 dni. Jeśli link był starszy, proszę zapisać się ponownie.',
  },
  leadMagnet: { text: 'Oto zamówiony materiał:', button: 'Otwórz', validity: 'Link jest ważny 7 dni.' },
  preferences: {
    title: 'Ustawienia e-maili',
    lists: 'Subskrypcje',
    topics: 'O czym są nasze e-maile',
    save: 'Zapisz',
    saved: 'Zapisano.',
    stopTitle: 'Rezygnacja z reklam',
    stopNote: 'Nie będziemy już wysyłać reklam. Inne e-maile, na przykład rachunki, będą nadal przychodzić.',
    stopNoteWithLists:
      'Nie będziemy już wysyłać reklam, niezależnie od wyboru powyżej. Inne e-maile, na przykład rachunki, będą nadal przychodzić.',
    stop: 'Żadnych reklam',
    stopped: 'Nie będziemy już wysyłać reklam.',
    stoppedWithLists:
      'Nie będziemy już wysyłać reklam. Wybór na tej stronie będzie ważny, jeśli reklamy znów będą mile widziane.',
    all: {
      stopTitle: 'Rezygnacja ze wszystkich e-maili',
      stopNote: 'Nie będziemy już wysyłać żadnych e-maili.',
      stopNoteWithLists: 'Nie będziemy już wysyłać żadnych e-maili, niezależnie od wyboru powyżej.',
      stop: 'Rezygnuję ze wszystkich e-maili',
      stopped: 'Nie będziemy już wysyłać e-maili.',
      stoppedWithLists:
        'Nie będziemy już wysyłać e-maili. Wybór na tej stronie będzie ważny, jeśli e-maile znów będą mile widziane.',
    },
    incomplete: { title: 'Niepełny link', text: 'Ten link jest niepełny. Proszę skopiować go w całości z e-maila.' },
  },
  invalidLink: {
    title: 'Tu nic nie ma',
    text: 'Link jest niepełny albo strona już nie istnieje. Proszę skopiować cały link lub zapytać nadawcę.',
  },
  mail: {
    subject: 'Proszę potwierdzić: {list}',
    preview: 'Wystarczy jedno kliknięcie.',
    title: 'Proszę potwierdzić',
    greeting: 'Dzień dobry, {name},',
    request: 'Ten adres został zapisany na {list}. Proszę potwierdzić, że tak ma być.',
    button: 'Potwierdzam',
    ignore: 'Jeśli to pomyłka, można zignorować ten e-mail: więcej nie napiszemy. Link jest ważny 30 dni.',
  },
};
