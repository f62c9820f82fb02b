import type { AlertTexts } from './alert-texts.ts';

export const it: AlertTexts = {
  more: 'e altri {count}',
  soon: 'presto',
  lastFailure: 'Ultimo errore: {event} ({id}), {outcome}.',
  types: {
    'endpoint.disabled': [
      'Il webhook {name} è disattivato.',
      '{count} webhook sono disattivati.',
      'Gli invii sono trattenuti. Riparate il ricevitore, poi attivatelo.',
    ],
    'endpoint.disable_soon': [
      'Il webhook {name} sarà disattivato entro 24 ore se continua a fallire.',
      '{count} webhook saranno disattivati entro 24 ore se continuano a fallire.',
      'Riparate il ricevitore, o inviate un evento di prova.',
    ],
    'endpoint.failing': [
      'Il webhook {name} fallisce.',
      '{count} webhook falliscono.',
      'Gli invii attendono e vengono ritentati. Controllate il ricevitore.',
    ],
    'endpoint.silent': [
      'Il webhook {name} non riceve nulla da 24 ore.',
      '{count} webhook non ricevono nulla da 24 ore.',
      'Ci sono eventi in attesa. O l’invio è sospeso, o il programma che li chiede si è fermato.',
    ],
    'endpoint.recovered': ['Il webhook {name} riceve di nuovo.', '{count} webhook ricevono di nuovo.', ''],
    'endpoint.enabled': ['Il webhook {name} è attivato.', '{count} webhook sono attivati.', ''],
    'delivery.exhausted': [
      'Invii al webhook {name} sono stati abbandonati: {total}.',
      'Invii a {count} webhook sono stati abbandonati: {total}.',
      'Riparate il ricevitore, poi inviate di nuovo ciò che è fallito.',
    ],
    'delivery.expired': [
      'Invii al webhook {name} sono scaduti: {total}.',
      'Invii a {count} webhook sono scaduti: {total}.',
      'Se vi servono ancora gli eventi, inviate di nuovo il periodo.',
    ],
    'due_command.refused': [
      'Un passaggio previsto dell’oggetto {name} è stato rifiutato.',
      'Passaggi previsti di {count} oggetti sono stati rifiutati.',
      'Controllate l’oggetto.',
    ],
    'secret.expires_soon': [
      'L’accesso della chiave API {name} termina {when}.',
      'L’accesso di {count} chiavi API termina {when}.',
      'Rinnovate il segreto, o date alla chiave una fine successiva.',
    ],
    'secret.rotated': [
      'Il segreto del webhook {name} è stato sostituito.',
      'I segreti di {count} webhook sono stati sostituiti.',
      'Il vostro ricevitore deve verificare con quello nuovo. Se non è stato nessuno di voi, rinnovatelo ancora.',
    ],
    'key.added': [
      'La chiave API {name} è stata aggiunta.',
      '{count} chiavi API sono state aggiunte.',
      'Se non è stato nessuno di voi, disattivatela.',
    ],
    'key.changed': [
      'La chiave API {name} è stata modificata.',
      '{count} chiavi API sono state modificate.',
      'Se non è stato nessuno di voi, disattivatela.',
    ],
    'account.changed': [
      'L’indirizzo degli avvisi è stato modificato.',
      'L’indirizzo degli avvisi è stato modificato.',
      'Se non è stato nessuno di voi, impostatelo di nuovo.',
    ],
    'key.unused': [
      'La chiave API {name} non è usata da 90 giorni.',
      '{count} chiavi API non sono usate da 90 giorni.',
      'Eliminate ciò che non vi serve.',
    ],
    'sending.paused': [
      'La piattaforma sospende l’invio a {name}.',
      'La piattaforma sospende l’invio a {count} destinatari.',
      'Gli invii attendono e non consumano tentativi.',
    ],
    'sending.resumed': [
      'La piattaforma ha ripreso l’invio a {name}.',
      'La piattaforma ha ripreso l’invio a {count} destinatari.',
      '',
    ],
  },
};
