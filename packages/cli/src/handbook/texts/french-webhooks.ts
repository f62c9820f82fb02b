/** What the library says of webhooks, their events, deliveries and statistics, in French. */
export const frenchWebhooks: Readonly<Record<string, string>> = {
  Webhooks: 'Webhooks',
  Deliveries: 'Livraisons',
  'Lists the events that an endpoint can select, by object':
    'Liste les événements qu’un webhook peut choisir, par objet',
  'Lists the webhook endpoints of the account, with their health': 'Liste les webhooks du compte, avec leur santé',
  'Creates a webhook endpoint; its secret is shown once':
    'Crée un webhook ; son secret n’est affiché qu’une seule fois',
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
  'Drops the next webhook secret': 'Abandonne le nouveau secret',
  'Sends a test event to one webhook endpoint, whatever it selects':
    'Envoie un événement de test à un seul webhook, quel que soit son choix',
  'Reads the events of a pull endpoint': 'Lit les événements d’un webhook de type `pull`',
  'Reads the figures of all webhook endpoints of the account': 'Lit les statistiques de tous les webhooks du compte',
  'Reads the figures of a webhook endpoint: outcomes, durations, what waits':
    'Lit les statistiques d’un webhook : résultats, durées, ce qui attend',
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
  'Counts the unfinished work of the account': 'Donne le nombre d’événements et de livraisons en cours du compte',
  'The `next` of the page before.': 'Le `next` de la page précédente.',
  'Absent: the oldest event.': 'Absent : l’événement le plus ancien.',
  'Of objects with this name.': 'Des objets de ce nom.',
  'Of the object with this id.': 'De l’objet de cet identifiant.',
  'Of this event type.': 'De ce type d’événement.',
  'Published at this second or later.': 'Publiés à cette seconde ou plus tard.',
  'Published before this second.': 'Publiés avant cette seconde.',
  'To this webhook endpoint.': 'Vers ce webhook.',
  'Of this event.': 'De cet événement.',
  'In this state.': 'Dans cet état.',
  'Seconds to wait for an event when there is none.': 'Secondes d’attente d’un événement s’il n’y en a pas.',
  'It never changes.': 'Il ne change jamais.',
  'The HTTPS URL that deliveries are sent to.': 'L’URL HTTPS à laquelle les livraisons sont envoyées.',
  'The events that it receives: by type, or by object and type.':
    'Les événements qu’il reçoit : par type, ou par objet et type.',
  "Free text, such as the partner's environment: 1 to 256 bytes.":
    'Texte libre, comme l’environnement du partenaire : 1 à 256 octets.',
  'Static header of every delivery, such as an API key.': 'En-tête fixe de chaque livraison, comme une clé d’API.',
  'Whether deliveries carry the headers of Standard Webhooks beside `X-WEBHOOK-SIGNATURE`.':
    'Si les livraisons portent les en-têtes de Standard Webhooks à côté de `X-WEBHOOK-SIGNATURE`.',
  "Whether it also receives the events of the account's direct children.":
    'S’il reçoit aussi les événements des comptes enfants directs.',
  // Webhooks and their secrets.
  'A webhook endpoint.': 'Un webhook.',
  'How its requests look.': 'La forme de ses requêtes.',
  'Absent: as usual.': 'Absent : la forme habituelle.',
  'When it was made.': 'Quand il a été créé.',
  'The webhook secret.': 'Le secret du webhook.',
  'It is shown once: only its ciphertext is stored.':
    'Il n’est affiché qu’une seule fois : seule sa forme chiffrée est enregistrée.',
  'Absent: of a pull endpoint, and of a repeated request.':
    'Absent pour un webhook de type `pull`, et dans la réponse à une requête répétée.',
  'A repeated request with the same `Idempotency-Key` returns the endpoint as it was made, for 24 hours, without the secret.':
    'Une requête répétée avec la même clé `Idempotency-Key` rend le webhook tel qu’il a été créé, pendant 24 heures, sans le secret.',
  'If the first answer was lost, prepare and activate another secret.':
    'Si la première réponse s’est perdue, préparez et activez un autre secret.',
  'A next secret is prepared and not active yet.': 'Un nouveau secret est préparé, mais pas encore actif.',
  'When the next secret begins to sign.': 'Quand le nouveau secret commence à signer.',
  'Whether deliveries of an endpoint succeed.': 'Si les livraisons d’un webhook réussissent.',
  'Failed attempts since the last success.': 'Les tentatives échouées depuis la dernière réussite.',
  'When the first of these attempts ended.': 'Quand la première de ces tentatives s’est terminée.',
  'Until then, nothing but test events and deliveries sent again is sent.':
    'Jusque-là, rien n’est envoyé, sauf les événements de test et les livraisons envoyées de nouveau.',
  'Since when it is disabled.': 'Depuis quand il est désactivé.',
  'Since when the platform pauses sending: nothing is sent until it resumes.':
    'Depuis quand la plateforme suspend l’envoi : rien n’est envoyé avant la reprise.',
  'Since when the platform pauses sending.': 'Depuis quand la plateforme suspend l’envoi.',
  // Events that can be selected.
  'That endpoints should no longer select it, and when it may be gone.':
    'Dit que les webhooks ne devraient plus le choisir, et quand il peut disparaître.',
  'Absent: they may.': 'Absent : ils peuvent le choisir.',
  'What to select in its place.': 'Ce qu’il faut choisir à sa place.',
  'Data of a test event, with the fields that the type sends.':
    'Les données d’un événement de test, avec les champs que le type envoie.',
  'Absent: none is known.': 'Absent : aucune n’est connue.',
  'Signatures that are sent until a time, and not from then on.':
    'Les signatures qui ne sont envoyées que jusqu’à un certain moment.',
  'Absent: endpoints without a profile.': 'Absent : les webhooks sans profil.',
  // Events and deliveries.
  'When it happened.': 'Quand il s’est produit.',
  'The child account of the event.': 'Le compte enfant de l’événement.',
  'The timestamp of the envelope.': 'L’horodatage de l’enveloppe.',
  'The body that is signed and sent.': 'Le corps qui est signé et envoyé.',
  'Absent: not dispatched yet.': 'Absent : l’événement n’est pas encore distribué.',
  'What the event is about.': 'Ce sur quoi porte l’événement.',
  'Absent: it was pruned.': 'Absent : il n’est plus conservé.',
  'A page of a filtered list may be short or empty and still have a `next`.':
    'Une page d’une liste filtrée peut être courte ou vide et avoir quand même un `next`.',
  'Attempts that count towards exhaustion.': 'Les tentatives qui comptent pour l’épuisement.',
  'When the attempt is due.': 'Quand la tentative est prévue.',
  'When the last attempt ended.': 'Quand la dernière tentative s’est terminée.',
  'When the pause ends.': 'Quand la pause se termine.',
  'Since when the delivery is held.': 'Depuis quand la livraison est retenue.',
  'The first 4 KiB of the answer.': 'Les 4 premiers Kio de la réponse.',
  'Time until the response headers or the failure.': 'Le temps jusqu’aux en-têtes de la réponse, ou jusqu’à l’échec.',
  'When the outcome was stored.': 'Quand le résultat a été enregistré.',
  'Age of the oldest due delivery in milliseconds.': 'L’âge de la plus ancienne livraison à envoyer, en millisecondes.',
  // Events that are sent again.
  'Each call handles one batch: repeat it with `next` as `after` until `next` is absent.':
    'Chaque requête traite un lot : répétez-la avec `next` comme `after` jusqu’à ce que `next` soit absent.',
  'A repeated call is safe: events with an unfinished delivery are skipped.':
    'Une requête répétée est sans danger : les événements dont une livraison est inachevée sont ignorés.',
  'A repeated call is safe: an event with an unfinished or a successful delivery is skipped.':
    'Une requête répétée est sans danger : un événement dont une livraison est inachevée ou réussie est ignoré.',
  'With `isDryRun`, it only counts what it would send.': 'Avec `isDryRun`, elle compte seulement ce qu’elle enverrait.',
  'A waiting delivery becomes due at once.': 'Une livraison en attente est envoyée tout de suite.',
  'For a finished one, the answer names a new delivery.':
    'Pour une livraison terminée, la réponse nomme une nouvelle livraison.',
  // Events of a pull endpoint.
  '`cursor_expired` and `cursor_ahead` have `resumeAfter`: the cursor with which to continue.':
    '`cursor_expired` et `cursor_ahead` ont `resumeAfter` : le curseur avec lequel continuer.',
  'Its id for this endpoint.': 'Son identifiant pour ce webhook.',
  'Deduplicate by it.': 'Il sert à reconnaître les doublons.',
  'Its `timestamp`, as in the body.': 'Son `timestamp`, comme dans le corps.',
  'The further headers of a request, in lower case.': 'Les autres en-têtes d’une requête, en minuscules.',
  'Nothing is signed.': 'Rien n’est signé.',
  'The body of a request, as text.': 'Le corps d’une requête, en texte.',
  // Statistics.
  'Every hour or day of UTC of the period, oldest first; the last is the current one.':
    'Chaque heure ou chaque jour UTC de la période, le plus ancien au début ; le dernier est en cours.',
  'When the hour or day begins.': 'Quand l’heure ou le jour commence.',
  'Attempts that were answered with a 2xx status.': 'Les tentatives qui ont reçu un statut 2xx.',
  'Failed attempts by kind.': 'Les tentatives échouées, par type.',
  'Answered with 400 to 499.': 'Avec une réponse de 400 à 499.',
  'Answered with 500 to 599.': 'Avec une réponse de 500 à 599.',
  'Answered with another status, such as a redirect.': 'Avec un autre statut, comme une redirection.',
  'Not answered in time.': 'Sans réponse à temps.',
  'No connection, or one that closed.': 'Sans connexion, ou avec une connexion qui s’est fermée.',
  'The TLS handshake failed.': 'La négociation TLS a échoué.',
  'Not sent, or the outcome was lost.': 'Pas envoyées, ou dont le résultat a été perdu.',
  'The part of the attempts that were delivered.': 'La part des tentatives qui ont réussi.',
  'Absent: there were none.': 'Absent : il n’y en a pas eu.',
  'How long answers took.': 'Le temps que les réponses ont pris.',
  'Half of the answers took this long or less.': 'La moitié des réponses ont pris ce temps ou moins.',
  'The last attempt of a webhook endpoint.': 'La dernière tentative vers un webhook.',
  'When the next attempt is due.': 'Quand la prochaine tentative est prévue.',
  'Absent: nothing waits.': 'Absent : rien n’attend.',
  'Of a pull endpoint: when its events were asked for, stored once a minute at most.':
    'D’un webhook de type `pull` : quand ses événements ont été demandés, enregistré une fois par minute au plus.',
  'Whether all attempts were counted.': 'Si toutes les tentatives ont été comptées.',
  '`false`: only those of the newest events of the account.':
    '`false` : seulement celles des événements les plus récents du compte.',
};

/** The comments of the code that verifies signatures, in French. */
export const frenchComments: Readonly<Record<string, string>> = {
  'isGenuine verifies the bytes of the body as they arrived, before any JSON parser.':
    'isGenuine vérifie les octets du corps tels qu’ils sont arrivés, avant tout analyseur JSON.',
  'body: request.raw_post, before any JSON parser.': 'body : request.raw_post, avant tout analyseur JSON.',
  'For a trial at your desk: while it runs, other users of the machine see the secret.':
    'Pour un essai à votre bureau : pendant ce temps, les autres utilisateurs de la machine voient le secret.',
  'file of the body, signature, secret': 'fichier du corps, signature, secret',
  'with an empty key anyone could sign': 'avec une clé vide, n’importe qui pourrait signer',
  'With an empty key anyone could sign.': 'Avec une clé vide, n’importe qui pourrait signer.',
  'isGenuine takes the three headers, the bytes of the body as they arrived, and the time in seconds since 1970.':
    'isGenuine prend les trois en-têtes, les octets du corps tels qu’ils sont arrivés, et l’heure en secondes depuis 1970.',
  'The three headers, body: request.raw_post, and the time in seconds since 1970.':
    'Les trois en-têtes, body : request.raw_post, et l’heure en secondes depuis 1970.',
  'id, time, signatures, file of the body, secret, time of the clock':
    'id, heure, signatures, fichier du corps, secret, heure de l’horloge',
  'The bytes of the body as they arrived, before any JSON parser.':
    'Les octets du corps tels qu’ils sont arrivés, avant tout analyseur JSON.',
  '`body`: the bytes as they arrived, before any JSON parser.':
    '`body` : les octets tels qu’ils sont arrivés, avant tout analyseur JSON.',
  "$body: file_get_contents('php://input'), before any JSON parser.":
    "$body : file_get_contents('php://input'), avant tout analyseur JSON.",
  'The three headers, the bytes of the body as they arrived, and the time in seconds since 1970.':
    'Les trois en-têtes, les octets du corps tels qu’ils sont arrivés, et l’heure en secondes depuis 1970.',
  'The three headers, the bytes of the body as they arrived, the time in seconds since 1970.':
    'Les trois en-têtes, les octets du corps tels qu’ils sont arrivés, et l’heure en secondes depuis 1970.',
  "The three headers, $body: file_get_contents('php://input'), and the time in seconds since 1970.":
    "Les trois en-têtes, $body : file_get_contents('php://input'), et l’heure en secondes depuis 1970.",
};
