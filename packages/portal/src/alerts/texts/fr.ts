import type { AlertTexts } from './alert-texts.ts';

export const fr: AlertTexts = {
  more: 'et {count} de plus',
  soon: 'bientôt',
  lastFailure: 'Dernier échec : {event} ({id}), {outcome}.',
  types: {
    'endpoint.disabled': [
      'Le webhook {name} est désactivé.',
      '{count} webhooks sont désactivés.',
      'Les envois sont retenus. Réparez le récepteur, puis activez-le.',
    ],
    'endpoint.disable_soon': [
      'Le webhook {name} sera désactivé sous 24 heures s’il échoue encore.',
      '{count} webhooks seront désactivés sous 24 heures s’ils échouent encore.',
      'Réparez le récepteur, ou envoyez un événement de test.',
    ],
    'endpoint.failing': [
      'Le webhook {name} échoue.',
      '{count} webhooks échouent.',
      'Les envois attendent et sont tentés à nouveau. Vérifiez le récepteur.',
    ],
    'endpoint.silent': [
      'Le webhook {name} n’a rien reçu depuis 24 heures.',
      '{count} webhooks n’ont rien reçu depuis 24 heures.',
      'Des événements attendent. Soit l’envoi est suspendu, soit le programme qui les demande s’est arrêté.',
    ],
    'endpoint.recovered': ['Le webhook {name} reçoit à nouveau.', '{count} webhooks reçoivent à nouveau.', ''],
    'endpoint.enabled': ['Le webhook {name} est activé.', '{count} webhooks sont activés.', ''],
    'delivery.exhausted': [
      'Des envois vers le webhook {name} ont été abandonnés : {total}.',
      'Des envois vers {count} webhooks ont été abandonnés : {total}.',
      'Réparez le récepteur, puis renvoyez ce qui a échoué.',
    ],
    'delivery.expired': [
      'Des envois vers le webhook {name} ont expiré : {total}.',
      'Des envois vers {count} webhooks ont expiré : {total}.',
      'Si vous avez encore besoin des événements, renvoyez leur période.',
    ],
    'due_command.refused': [
      'Une étape échue de l’objet {name} a été refusée.',
      'Des étapes échues de {count} objets ont été refusées.',
      'Vérifiez l’objet.',
    ],
    'secret.expires_soon': [
      'L’accès de la clé d’API {name} prend fin {when}.',
      'L’accès de {count} clés d’API prend fin {when}.',
      'Renouvelez le secret, ou donnez à la clé une fin plus tardive.',
    ],
    'secret.rotated': [
      'Le secret du webhook {name} a été remplacé.',
      'Les secrets de {count} webhooks ont été remplacés.',
      'Votre récepteur doit vérifier avec le nouveau. Si personne chez vous ne l’a fait, renouvelez-le encore.',
    ],
    'key.added': [
      'La clé d’API {name} a été ajoutée.',
      '{count} clés d’API ont été ajoutées.',
      'Si personne chez vous ne l’a fait, désactivez-la.',
    ],
    'key.changed': [
      'La clé d’API {name} a été modifiée.',
      '{count} clés d’API ont été modifiées.',
      'Si personne chez vous ne l’a fait, désactivez-la.',
    ],
    'account.changed': [
      'L’adresse des alertes a été modifiée.',
      'L’adresse des alertes a été modifiée.',
      'Si personne chez vous ne l’a fait, définissez-la de nouveau.',
    ],
    'key.unused': [
      'La clé d’API {name} n’a pas servi depuis 90 jours.',
      '{count} clés d’API n’ont pas servi depuis 90 jours.',
      'Supprimez ce dont vous n’avez pas besoin.',
    ],
    'sending.paused': [
      'La plateforme suspend l’envoi vers {name}.',
      'La plateforme suspend l’envoi vers {count} destinataires.',
      'Les envois attendent, sans consommer d’essai.',
    ],
    'sending.resumed': [
      'La plateforme a repris l’envoi vers {name}.',
      'La plateforme a repris l’envoi vers {count} destinataires.',
      '',
    ],
  },
};
