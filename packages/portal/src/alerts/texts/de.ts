import type { AlertTexts } from './alert-texts.ts';

export const de: AlertTexts = {
  more: 'und {count} weitere',
  soon: 'bald',
  lastFailure: 'Letzter Fehlschlag: {event} ({id}), {outcome}.',
  types: {
    'endpoint.disabled': [
      'Der Webhook {name} ist deaktiviert.',
      '{count} Webhooks sind deaktiviert.',
      'Zustellungen werden zurückgehalten. Reparieren Sie den Empfänger, und aktivieren Sie ihn dann.',
    ],
    'endpoint.disable_soon': [
      'Der Webhook {name} wird innerhalb von 24 Stunden deaktiviert, wenn er weiter fehlschlägt.',
      '{count} Webhooks werden innerhalb von 24 Stunden deaktiviert, wenn sie weiter fehlschlagen.',
      'Reparieren Sie den Empfänger, oder senden Sie ein Testereignis.',
    ],
    'endpoint.failing': [
      'Der Webhook {name} schlägt fehl.',
      '{count} Webhooks schlagen fehl.',
      'Zustellungen warten und werden erneut versucht. Prüfen Sie den Empfänger.',
    ],
    'endpoint.silent': [
      'Der Webhook {name} hat seit 24 Stunden nichts erhalten.',
      '{count} Webhooks haben seit 24 Stunden nichts erhalten.',
      'Ereignisse warten. Entweder ist das Senden angehalten, oder das Programm, das sie abfragt, läuft nicht mehr.',
    ],
    'endpoint.recovered': ['Der Webhook {name} stellt wieder zu.', '{count} Webhooks stellen wieder zu.', ''],
    'endpoint.enabled': ['Der Webhook {name} ist aktiviert.', '{count} Webhooks sind aktiviert.', ''],
    'delivery.exhausted': [
      'Zustellungen an den Webhook {name} wurden aufgegeben: {total}.',
      'Zustellungen an {count} Webhooks wurden aufgegeben: {total}.',
      'Reparieren Sie den Empfänger, und senden Sie dann erneut, was fehlschlug.',
    ],
    'delivery.expired': [
      'Zustellungen an den Webhook {name} sind verfallen: {total}.',
      'Zustellungen an {count} Webhooks sind verfallen: {total}.',
      'Wenn Sie die Ereignisse noch brauchen, senden Sie den Zeitraum erneut.',
    ],
    'due_command.refused': [
      'Ein fälliger Schritt des Objekts {name} wurde abgelehnt.',
      'Fällige Schritte von {count} Objekten wurden abgelehnt.',
      'Prüfen Sie das Objekt.',
    ],
    'secret.expires_soon': [
      'Der Zugang des API-Schlüssels {name} endet {when}.',
      'Der Zugang von {count} API-Schlüsseln endet {when}.',
      'Wechseln Sie das Geheimnis, oder geben Sie dem Schlüssel ein späteres Ende.',
    ],
    'secret.rotated': [
      'Das Geheimnis des Webhooks {name} wurde ersetzt.',
      'Die Geheimnisse von {count} Webhooks wurden ersetzt.',
      'Ihr Empfänger muss mit dem neuen prüfen. Wenn das niemand von Ihnen war, wechseln Sie es erneut.',
    ],
    'key.added': [
      'Der API-Schlüssel {name} wurde angelegt.',
      '{count} API-Schlüssel wurden angelegt.',
      'Wenn das niemand von Ihnen war, deaktivieren Sie ihn.',
    ],
    'key.changed': [
      'Der API-Schlüssel {name} wurde geändert.',
      '{count} API-Schlüssel wurden geändert.',
      'Wenn das niemand von Ihnen war, deaktivieren Sie ihn.',
    ],
    'account.changed': [
      'Die Adresse für Meldungen wurde geändert.',
      'Die Adresse für Meldungen wurde geändert.',
      'Wenn das niemand von Ihnen war, setzen Sie sie neu.',
    ],
    'key.unused': [
      'Der API-Schlüssel {name} wurde seit 90 Tagen nicht benutzt.',
      '{count} API-Schlüssel wurden seit 90 Tagen nicht benutzt.',
      'Löschen Sie, was Sie nicht brauchen.',
    ],
    'sending.paused': [
      'Die Plattform hält das Senden an {name} an.',
      'Die Plattform hält das Senden an {count} Empfänger an.',
      'Zustellungen warten und verbrauchen keinen Versuch.',
    ],
    'sending.resumed': [
      'Die Plattform sendet wieder an {name}.',
      'Die Plattform sendet wieder an {count} Empfänger.',
      '',
    ],
  },
};
