// The texts of lists in English.
import { type CompleteTexts, formTexts } from '../../../core/unstable.ts';
import type { ListTexts } from '../texts.ts';

export const english: CompleteTexts<ListTexts> = {
  subscribe: {
    ...formTexts.en,
    email: 'Email',
    name: 'Name',
    consent:
      'You agree to receive “{list}” by email. We will first email you to confirm, and you can unsubscribe at any time.',
    button: 'Subscribe',
    sentTitle: 'Check your inbox',
    sent: 'We have sent you an email. Click its button to confirm your subscription.',
    sentHint: 'Nothing there? Check your spam folder. If you are already subscribed, you will not get another email.',
  },
  confirm: {
    title: 'Please confirm',
    question: 'Please confirm that you want to receive these emails.',
    about: 'Please confirm that you asked for “{list}” with the address {email}.',
    button: 'Confirm',
    doneTitle: 'Thank you',
    done: 'This is confirmed. You can close this page.',
    doneAbout: '“{list}” is confirmed for {email}. You can close this page.',
    doneHint: 'Links are valid for 30 days. If yours was older, please sign up again.',
  },
  leadMagnet: { text: 'Here is what you asked for:', button: 'Open', validity: 'The link is valid for 7 days.' },
  preferences: {
    title: 'Email preferences',
    lists: 'Your subscriptions',
    topics: 'What our emails are about',
    save: 'Save',
    saved: 'Saved.',
    stopTitle: 'Stop marketing mail',
    stopNote: 'You will get no more marketing emails from us. Others, such as receipts, still come.',
    stopNoteWithLists:
      'You will get no more marketing emails from us, whatever you chose above. Others, such as receipts, still come.',
    stop: 'No more marketing mail',
    stopped: 'You will get no more marketing emails from us.',
    stoppedWithLists:
      'You will get no more marketing emails from us. Your choices here apply if you want them again later.',
    all: {
      stopTitle: 'No more mail',
      stopNote: 'You will get no more emails from us, of any kind.',
      stopNoteWithLists: 'You will get no more emails from us, of any kind, whatever you chose above.',
      stop: 'Unsubscribe from all emails',
      stopped: 'You will get no more emails from us.',
      stoppedWithLists: 'You will get no more emails from us. Your choices here apply if you want emails again later.',
    },
    incomplete: { title: 'Incomplete link', text: 'This link is incomplete. Copy the whole link from the mail.' },
  },
  invalidLink: {
    title: 'There is nothing here',
    text: 'The link is incomplete, or the page no longer exists. Copy the whole link, or ask the sender.',
  },
  mail: {
    subject: 'Please confirm: {list}',
    preview: 'One click, and it is confirmed.',
    title: 'Please confirm',
    greeting: 'Hello {name},',
    request: 'You, or someone using your address, signed up for {list}. Please confirm that you want this.',
    button: 'Confirm',
    ignore:
      'If this was not you, you can ignore this email: you will not hear from us again. The link is valid for 30 days.',
  },
};
