/** What each code means, and its remedy, in French. */
export const frenchCodes = {
  'code.account_not_active': 'Le compte n’est pas en service : il ne peut pas utiliser l’API. Demandez à {name}.',
  'code.address_not_allowed':
    'La clé d’API ne sert que depuis certains réseaux, et la requête vient d’ailleurs. Envoyez-la depuis l’un d’eux.',
  'code.already_done': 'Cela a déjà été fait, ou il ne reste rien à encaisser ni à rembourser. Lisez l’objet.',
  'code.amount_mismatch': 'La retenue a maintenant un autre montant. Lisez-la, et montrez la nouvelle offre.',
  'code.bad_request':
    'La requête ne peut pas être lue : son chemin, un en-tête ou son encodage est invalide. `detail` dit lequel.',
  'code.changed_meanwhile': 'D’autres requêtes ont changé l’objet en même temps. Répétez la requête.',
  'code.claim_ended': 'Aucune retenue ne peut plus être créée : `claimUntil` de la caution est passé.',
  'code.endpoint_disabled': 'Le webhook est désactivé. Activez-le d’abord.',
  'code.exceeds_authorised': 'Le montant garanti dépasserait le montant autorisé. Réduisez le montant.',
  'code.exceeds_cash_out': 'Le montant encaissé dépasserait celui de la retenue. Réduisez le montant.',
  'code.exceeds_collected': 'Le montant remboursé dépasserait le montant encaissé. Réduisez le montant.',
  'code.exceeds_deposit': 'Les retenues dépasseraient la caution. Réduisez le montant.',
  'code.exceeds_payment': 'Le montant remboursé dépasserait le montant payé. Réduisez le montant.',
  'code.exceeds_secured': 'Le montant pris ou libéré dépasserait le montant garanti. Réduisez le montant.',
  'code.idempotency_conflict':
    'Cette valeur de `Idempotency-Key` appartient à une autre requête : un autre chemin, ou une autre valeur JSON. Prenez une nouvelle clé pour une nouvelle requête.',
  'code.insufficient_scope':
    'Il manque à la clé d’API, ou au `scope` de son jeton d’accès, le droit que la réponse nomme. Utilisez une clé qui l’a.',
  'code.internal': '{name} a échoué. Répétez plus tard ; si cela dure, donnez `x-request-id` à {name}.',
  'code.invalid_client':
    'L’identifiant ou le secret est incorrect, ou la clé ne peut pas s’authentifier. Contrôlez la clé.',
  'code.invalid_cursor': '`after` n’est pas un `next` de cette liste. Recommencez sans `after`.',
  'code.invalid_event':
    'Cet événement ne peut pas être envoyé comme test : `errors` nomme chaque champ. Envoyez le `sample` du catalogue comme `data`, sans `id`.',
  'code.invalid_input': 'Des champs du corps sont invalides. `errors` nomme chacun avec sa règle.',
  'code.invalid_query': 'Des paramètres de l’adresse sont invalides. `errors` nomme chacun avec sa règle.',
  'code.invalid_request':
    'La requête est mal formée : un paramètre manque, est répété ou n’a pas la bonne forme ; ou le corps est trop grand ou d’un autre type.',
  'code.invalid_scope': '`scope` manque, est inconnu ou nomme un droit que la clé d’API n’a pas. Envoyez `USER`.',
  'code.invalid_token': 'Le jeton d’accès est invalide, expiré ou révoqué. Authentifiez-vous de nouveau.',
  'code.method_not_allowed': 'Ce chemin n’accepte pas cette méthode. L’en-tête `Allow` nomme celles qu’il accepte.',
  'code.missing_token': 'Il n’y a pas de jeton d’accès. Envoyez `Authorization: Bearer` et le jeton.',
  'code.money_booked':
    'De l’argent est comptabilisé : cela ne peut être ni annulé ni réduit. Il faut d’abord le libérer ou le rembourser.',
  'code.no_dispute': 'Un litige suppose une contestation d’une retenue. Enregistrez d’abord la contestation.',
  'code.not_checked_in': 'L’état des lieux d’entrée manque. Enregistrez-le d’abord.',
  'code.not_found':
    'Aucune ressource accessible à cette clé ne se trouve à cette adresse. Contrôlez le chemin et le compte.',
  'code.object_too_large': 'L’objet est trop grand pour être enregistré. Raccourcissez ses textes.',
  'code.open_cash_outs':
    'Une caution dont des retenues sont ouvertes ne peut pas se terminer. Terminez-les ou annulez-les.',
  'code.reference_taken':
    'Un autre objet a cette `reference`, et {name} veut chacune une seule fois. Prenez-en une autre, ou lisez cet objet.',
  'code.temporarily_unavailable': 'Rien n’a été décidé. Répétez après le temps que dit `Retry-After`.',
  'code.too_large': 'Le corps est plus grand que ce chemin ne l’accepte. Envoyez moins de données.',
  'code.too_many_attempts':
    'Trop d’authentifications échouées. Attendez le temps que dit `Retry-After`, et contrôlez le secret.',
  'code.too_many_cash_outs': 'La caution a autant de retenues qu’elle peut en avoir.',
  'code.too_many_requests': 'Une limite est dépassée. Attendez le temps que dit `Retry-After`.',
  'code.unavailable':
    'La requête n’a pas reçu de réponse à temps. `detail` dit si rien n’a été décidé, ou si elle a peut-être pris effet. Répétez-la après le temps que dit `Retry-After`, avec la même clé `Idempotency-Key` ; sans elle, lisez d’abord.',
  'code.unsupported_grant_type': '`grant_type` doit être `client_credentials`.',
  'code.unsupported_media_type': 'Le corps est d’un autre type. Envoyez `Content-Type: application/json`.',
  'code.version_mismatch':
    'L’objet a une autre version que celle que nomme `If-Match`. Lisez-le de nouveau, puis répétez.',
  'code.version_required': 'Nommez le montant que vous acceptez, ou envoyez l’`ETag` comme `If-Match`.',
  'code.wrong_state': 'L’état de l’objet ne le permet pas. Lisez l’objet : `status` dit où il en est.',
  'code.cursor_ahead':
    'Le curseur est en avance sur les événements, comme après une restauration. Continuez avec le `resumeAfter` de la réponse.',
  'code.cursor_expired':
    'Les événements après ce curseur ne sont plus conservés. Continuez avec le `resumeAfter` de la réponse.',
  'code.delivery_header_needed':
    'Un changement de `url` vers une autre origine redonne `deliveryHeader`, ou le supprime par `null`.',
  'code.endpoint_deleted': 'Le webhook de la livraison a été supprimé. Créez-en un autre.',
  'code.event_dropped': 'L’événement n’est plus conservé : il ne peut pas être renvoyé.',
  'code.held': 'La livraison attend un webhook désactivé. Activez le webhook.',
  'code.no_next_secret': 'Aucun nouveau secret n’est préparé. Préparez-en un d’abord.',
  'code.no_such_endpoint': 'Le compte n’a pas ce webhook. Contrôlez l’identifiant.',
  'code.no_such_event': 'Le compte n’a pas cet événement, ou il n’est plus conservé. Contrôlez l’identifiant.',
  'code.too_many_endpoints': 'Le compte a autant de webhooks qu’il peut en avoir. Supprimez-en un.',
  'code.unfinished': 'Une autre livraison de cet événement au webhook est inachevée. Attendez-la.',
  'code.wrong_kind':
    'L’opération ne convient pas au type du webhook : un webhook `pull` n’a ni livraisons ni secret, un webhook `push` ne se lit pas.',
} as const;
