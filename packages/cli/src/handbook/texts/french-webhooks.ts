/** What the library says of operations on webhooks, in French. */
export const frenchWebhooks: Readonly<Record<string, string>> = {
  Webhooks: 'Webhooks',
  Deliveries: 'Livraisons',
  'Lists the events that an endpoint can select, by object':
    'Liste les événements qu’un webhook peut choisir, par objet',
  'Lists the webhook endpoints of the account, with their health': 'Liste les webhooks du compte, avec leur santé',
  'Creates a webhook endpoint; its secret is shown once':
    'Crée un webhook ; son secret n’est montré qu’une seule fois',
  'Checks fields of a webhook endpoint by the rules of its creation; stores nothing':
    'Vérifie les champs d’un webhook selon les règles de sa création ; n’enregistre rien',
  'Reads a webhook endpoint, with its health': 'Lit un webhook, avec sa santé',
  'Changes a webhook endpoint (RFC 7396)': 'Change un webhook (RFC 7396)',
  'Deletes a webhook endpoint; its unfinished deliveries expire':
    'Supprime un webhook ; ses livraisons inachevées expirent',
  'Enables a webhook endpoint; held deliveries continue': 'Active un webhook ; les livraisons retenues continuent',
  'Ends a pause of a webhook endpoint; deliveries continue':
    'Met fin à la pause d’un webhook ; les livraisons continuent',
  'Disables a webhook endpoint; its deliveries are held': 'Désactive un webhook ; ses livraisons sont retenues',
  'Makes the next webhook secret, shown once: first step of a rotation':
    'Fait le prochain secret, montré une seule fois : première étape d’une rotation',
  'Signs with the next webhook secret: second step of a rotation':
    'Signe avec le prochain secret : seconde étape d’une rotation',
  'Drops the next webhook secret': 'Abandonne le prochain secret',
  'Sends a test event to one webhook endpoint, whatever it selects':
    'Envoie un événement d’essai à un seul webhook, quel que soit son choix',
  'Reads the events of a pull endpoint': 'Lit les événements d’un webhook de type `pull`',
  'Reads the figures of all webhook endpoints of the account': 'Lit les chiffres de tous les webhooks du compte',
  'Reads the figures of a webhook endpoint: outcomes, durations, what waits':
    'Lit les chiffres d’un webhook : résultats, durées, ce qui attend',
  'Sends the events of a period to a webhook endpoint again':
    'Envoie de nouveau à un webhook les événements d’une période',
  'Sends the events of a period that failed to a webhook endpoint again':
    'Envoie de nouveau à un webhook les événements d’une période qui ont échoué',
  'Lists the events of the account, without their bodies': 'Liste les événements du compte, sans leur corps',
  'Reads an event, with the body that is signed and sent': 'Lit un événement, avec le corps qui est signé et envoyé',
  'Explains what became of an event for a webhook endpoint': 'Explique ce qu’un événement est devenu pour un webhook',
  'Lists the deliveries of the account': 'Liste les livraisons du compte',
  'Lists the attempts of a delivery; none for an unknown one':
    'Liste les tentatives d’une livraison ; aucune pour une livraison inconnue',
  'Sends a delivery again, with the same bytes': 'Envoie de nouveau une livraison, avec les mêmes octets',
  'Counts the unfinished work of the account': 'Compte le travail inachevé du compte',
  'The `next` of the page before.': 'Le `next` de la page précédente.',
  'Absent: the oldest event.': 'Absent : l’événement le plus ancien.',
  'The last 24 hours by hour (default), or the last 7 or 30 days by day.':
    'Les 24 dernières heures par heure (par défaut), ou les 7 ou 30 derniers jours par jour.',
  'Of objects with this name.': 'Des objets de ce nom.',
  'Of the object with this id.': 'De l’objet de cet identifiant.',
  'Of this event type.': 'De ce type d’événement.',
  'Published at this second or later.': 'Publiés à cette seconde ou plus tard.',
  'Published before this second.': 'Publiés avant cette seconde.',
  'To this webhook endpoint.': 'Vers ce webhook.',
  'Of this event.': 'De cet événement.',
  'In this state.': 'Dans cet état.',
  'Seconds to wait for an event when there is none.': 'Secondes d’attente d’un événement s’il n’y en a pas.',
  '`push`: events are sent to `url`.': '`push` : les événements sont envoyés à `url`.',
  '`pull`: a program of yours asks for them.': '`pull` : un de vos programmes les demande.',
  'It never changes.': 'Il ne change jamais.',
  'The HTTPS URL that deliveries are sent to.': 'L’URL HTTPS à laquelle les livraisons sont envoyées.',
  'Required unless `kind` is `pull`.': 'Obligatoire sauf si `kind` est `pull`.',
  'The events that it receives: by type, or by object and type.':
    'Les événements qu’il reçoit : par type, ou par objet et type.',
  "Free text, such as the partner's environment: 1 to 256 bytes.":
    'Texte libre, comme l’environnement du partenaire : 1 à 256 octets.',
  'Static header of every delivery, such as an API key.': 'En-tête fixe de chaque livraison, comme une clé d’API.',
  'Whether deliveries carry the headers of Standard Webhooks beside `X-WEBHOOK-SIGNATURE`.':
    'Si les livraisons portent les en-têtes de Standard Webhooks à côté de `X-WEBHOOK-SIGNATURE`.',
  "Whether it also receives the events of the account's direct children.":
    'S’il reçoit aussi les événements des comptes enfants directs.',
};
