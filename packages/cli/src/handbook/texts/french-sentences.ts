import { frenchOperations } from './french-operations.ts';
import { frenchRules, frenchValues } from './french-values.ts';
import { frenchWebhooks } from './french-webhooks.ts';

/** The sentences that the library writes about fields, parameters, headers and events, in French. */
export const frenchSentences: Readonly<Record<string, string>> = {
  ...frenchOperations,
  ...frenchWebhooks,
  ...frenchValues,
  ...frenchRules,
  // Amounts, times and identifiers.
  'Seconds since 1970-01-01T00:00:00Z.': 'Secondes depuis 1970-01-01T00:00:00Z.',
  'ISO 4217.': 'ISO 4217.',
  "ISO 4217: the deposit's currency.": 'ISO 4217 : la monnaie de la caution.',
  'Goes together with the amount.': 'Va avec le montant.',
  'A decimal number above 0, with no more decimals than its currency.':
    'Un nombre décimal supérieur à 0, sans plus de décimales que sa monnaie.',
  "A decimal number above 0, in the deposit's currency.":
    'Un nombre décimal supérieur à 0, dans la monnaie de la caution.',
  'The amount: above 0, no finer than its currency.': 'Le montant : supérieur à 0, pas plus fin que sa monnaie.',
  'Default: `amount`, or the rest.': 'Par défaut : `amount`, ou le reste.',
  'Default: that of the template.': 'Par défaut : celui du modèle.',
  'Default: that of its object.': 'Par défaut : celle de son objet.',
  'Default: never.': 'Par défaut : jamais.',
  'Default: any.': 'Par défaut : n’importe laquelle.',
  'Default: the time of the command.': 'Par défaut : le moment de la commande.',
  'Default: the end of the guarantee, or unknown.': 'Par défaut : la fin de la garantie, ou inconnu.',
  'Default: `capture`.': 'Par défaut : `capture`.',
  'Default: `refund`.': 'Par défaut : `refund`.',
  'Default: `return`.': 'Par défaut : `return`.',
  'Default: `charge`.': 'Par défaut : `charge`.',
  'Default: `authorisation`.': 'Par défaut : `authorisation`.',
  'Default: what is not deposited yet.': 'Par défaut : ce qui n’est pas encore déposé.',
  'Default: what is not paid yet.': 'Par défaut : ce qui n’est pas encore payé.',
  '`null` removes it.': '`null` le supprime.',
  '0 or more.': '0 ou plus.',
  'In bytes.': 'En octets.',
  'An absent sum is 0.': 'Une somme absente vaut 0.',
  'Absent: none.': 'Absent : aucune.',
  // What every object has.
  'The id of the object.': 'L’identifiant de l’objet.',
  'The account that it belongs to: by its path, the object is read and changed.':
    'Le compte auquel il appartient : c’est par son chemin que l’objet est lu et changé.',
  'The account that it belongs to.': 'Le compte auquel il appartient.',
  "The partner's own number or name for the object.": 'Le numéro ou le nom que le partenaire donne à l’objet.',
  "The partner's own data: at most 20 pairs, keys of 1 to 40 characters, values of 1 to 500.":
    'Les données du partenaire : au plus 20 paires, des clés de 1 à 40 caractères, des valeurs de 1 à 500.',
  'Your own data: at most 20 pairs, at most 4,096 bytes as JSON.':
    'Vos propres données : au plus 20 paires, au plus 4 096 octets en JSON.',
  'Its name.': 'Son nom.',
  'Its name: 1 to 256 bytes.': 'Son nom : de 1 à 256 octets.',
  'Its name, and the default name of requests created from it: 1 to 256 bytes.':
    'Son nom, et le nom par défaut des demandes qui en sont créées : de 1 à 256 octets.',
  'What it is for: 1 to 500 characters.': 'À quoi il sert : de 1 à 500 caractères.',
  'The default description: 1 to 500 characters.': 'La description par défaut : de 1 à 500 caractères.',
  '`{{guest}}` stands for the variable `guest` of a request.': '`{{guest}}` désigne la variable `guest` d’une demande.',
  'The variables of `name` and `description`.': 'Les variables de `name` et de `description`.',
  'The values of the variables of the template, such as `{ "guest": "Ann" }`: at most 40.':
    'Les valeurs des variables du modèle, telles que `{ "guest": "Ann" }` : au plus 40.',
  'After how many days requests created from it are due, where they have no `dueDate`, in UTC.':
    'Après combien de jours les demandes qui en sont créées sont dues, si elles n’ont pas de `dueDate`, en UTC.',
  'A template of the same account and environment; its values fill in the absent fields.':
    'Un modèle du même compte et du même environnement ; ses valeurs remplissent les champs absents.',
  'The calendar date by which it is due, such as `2027-03-31`.':
    'La date à laquelle il est dû au plus tard, telle que `2027-03-31`.',
  'Why the command is given; stored with the object and in its history.':
    'Pourquoi la commande est donnée ; conservé avec l’objet et dans son historique.',
  'The version that the command is meant for, as `If-Match` names it for one object.':
    'La version que vise la commande, comme `If-Match` la nomme pour un seul objet.',
  'For people: 1 to 500 characters.': 'Pour les personnes : de 1 à 500 caractères.',
  'For programs: 1 to 64 characters of `A-Z a-z 0-9 _ . -`, such as `insufficient_funds`.':
    'Pour les programmes : de 1 à 64 caractères parmi `A-Z a-z 0-9 _ . -`, tels que `insufficient_funds`.',
  // People.
  'The person who pays or deposits.': 'La personne qui paie ou qui dépose.',
  'One line: 1 to 256 bytes.': 'Une ligne : de 1 à 256 octets.',
  'E.164, such as `+41441234567`.': 'E.164, tel que `+41441234567`.',
  'BCP 47, such as `de-CH`: the language in which to address the recipient.':
    'BCP 47, telle que `de-CH` : la langue dans laquelle s’adresser au destinataire.',
  'When the recipient last entered personal information.':
    'Quand le destinataire a saisi ses données personnelles pour la dernière fois.',
  // Payment pages and reminders.
  'The HTTPS address where the recipient pays: at most 2,048 visible ASCII characters.':
    'L’adresse HTTPS où le destinataire paie : au plus 2 048 caractères ASCII visibles.',
  'When `paymentUrl` expires.': 'Quand `paymentUrl` expire.',
  'Where the recipient returns to after paying.': 'Où le destinataire revient après avoir payé.',
  'Where the recipient returns to without paying.': 'Où le destinataire revient sans avoir payé.',
  'HTTPS, of an origin that the platform allows: ask it which.':
    'HTTPS, d’une origine que la plateforme permet : demandez-lui lesquelles.',
  'When it is to be sent to the recipient.': 'Quand il doit être envoyé au destinataire.',
  'Absent: it was, or at once.': 'Absent : c’est fait, ou tout de suite.',
  'When it was sent by `sendAt`.': 'Quand il a été envoyé d’après `sendAt`.',
  'When the recipient was last reminded.': 'Quand le destinataire a reçu le dernier rappel.',
  // Money.
  'The sums of its transactions that succeeded, and what is `missing`.':
    'Les sommes de ses transactions réussies, et ce qui manque encore (`missing`).',
  'The sum of its refunds.': 'La somme de ses remboursements.',
  'Absent: no refund.': 'Absent : aucun remboursement.',
  'Its latest transactions, newest last; at most 20.':
    'Ses dernières transactions, la plus récente à la fin ; au plus 20.',
  'The number of all its transactions.': 'Le nombre de toutes ses transactions.',
  'Its latest chargebacks, as the processor told them, newest last; at most 5.':
    'Ses derniers rejets de débit, tels que le prestataire de paiement les a signalés, le plus récent à la fin ; au plus 5.',
  'Until when the processor lets it be captured.': 'Jusqu’à quand le prestataire de paiement permet de le capturer.',
  'Until when the processor takes evidence.': 'Jusqu’à quand le prestataire de paiement accepte des preuves.',
  'Absent: it asks for none.': 'Absent : il n’en demande pas.',
  '`null`: it asks for none any more.': '`null` : il n’en demande plus.',
  'A transaction of the payment processor.': 'Une transaction du prestataire de paiement.',
  'The transactions of one kind in one currency that succeeded.':
    'Les transactions réussies d’un même type dans une même monnaie.',
  'What the processor answered.': 'Ce que le prestataire de paiement a répondu.',
  'What the processor took for it.': 'Ce que le prestataire de paiement a pris pour cela.',
  'How it was paid, such as `card` or `sepa_debit`.': 'Comment le paiement a été fait, tel que `card` ou `sepa_debit`.',
  'The cash-out whose money it is about.': 'La retenue dont l’argent est en jeu.',
  'The cash-out whose money it took or gave back.': 'La retenue dont elle a pris ou rendu l’argent.',
  'A command with another one is refused; a report is flagged, and in no sum.':
    'Une commande dans une autre monnaie est refusée ; un rapport est signalé, et n’entre dans aucune somme.',
  'When the processor carried it out: seconds since 1970-01-01T00:00:00Z.':
    'Quand le prestataire de paiement l’a exécutée : secondes depuis 1970-01-01T00:00:00Z.',
  'Name it where one reference may have several equal movements.':
    'Nommez-le si une référence peut avoir plusieurs mouvements égaux.',
  'Authorisations only: until when the processor lets it be captured.':
    'Autorisations seulement : jusqu’à quand le prestataire de paiement permet de la capturer.',
  "The processor's name for the payment that it belongs to.":
    'Le nom que le prestataire de paiement donne au paiement auquel elle appartient.',
  "The processor's name for the chargeback: that of its transactions.":
    'Le nom que le prestataire de paiement donne au rejet de débit : celui de ses transactions.',
  'How far it is, in a word of the processor, such as `inquiry`, `chargeback` or `arbitration`.':
    'Où il en est, dans un mot du prestataire de paiement, tel que `inquiry`, `chargeback` ou `arbitration`.',
  'Why the bank of the payer opened it.': 'Pourquoi la banque du payeur l’a ouvert.',
  'When the processor said so, at most a day ahead.':
    'Quand le prestataire de paiement l’a dit, au plus un jour à l’avance.',
  'When the processor said so, where the report names it.':
    'Quand le prestataire de paiement l’a dit, si le rapport le nomme.',
  'Of each field, the newest report that names it counts.':
    'Pour chaque champ, le dernier rapport qui le nomme compte.',
  'The same report of it again is answered like the first.': 'Le même rapport, envoyé encore, a la même réponse.',
  'Only of a chargeback, of its reversal and of a return: a cash-out has commands for the rest.':
    'Seulement pour un rejet de débit, son annulation et un retour : une retenue a des commandes pour le reste.',
  // Deposits and cash-outs.
  'The period that it covers: the first and the last calendar date.':
    'La période qu’elle couvre : la première et la dernière date.',
  'Until when the deposited money is guaranteed.': 'Jusqu’à quand l’argent déposé est garanti.',
  'Until when cash-outs may be created.': 'Jusqu’à quand des retenues peuvent être créées.',
  'For how many days its template proposes the guarantee.': 'Pour combien de jours son modèle propose la garantie.',
  'For how many days its template proposes cash-outs.': 'Pour combien de jours son modèle propose des retenues.',
  'Counts from `deposit_success`; the platform may give another end.':
    'Compte à partir de `deposit_success` ; la plateforme peut donner une autre fin.',
  'For how many days the money of deposits created from it is to be guaranteed.':
    'Pour combien de jours l’argent des cautions qui en sont créées doit être garanti.',
  'For how many days cash-outs of deposits created from it may be created.':
    'Pendant combien de jours des retenues peuvent être créées sur les cautions qui en sont issues.',
  'When the entry inspection was recorded.': 'Quand l’état des lieux d’entrée a été enregistré.',
  'When the exit inspection was recorded.': 'Quand l’état des lieux de sortie a été enregistré.',
  'All of its cash-outs, oldest first; at most 50.': 'Toutes ses retenues, la plus ancienne au début ; au plus 50.',
  'The deposit that it withdraws from.': 'La caution dont elle retire de l’argent.',
  'The deposit is `in_progress` or `litigation`.': 'La caution est `in_progress` ou `litigation`.',
  "The deposit's recipient when the cash-out was created.":
    'Le destinataire de la caution quand la retenue a été créée.',
  'What the cash-out is for: 1 to 500 characters.': 'À quoi sert la retenue : de 1 à 500 caractères.',
  "The recipient's statement in the last claim: 1 to 500 characters.":
    'La déclaration du destinataire dans sa dernière contestation : de 1 à 500 caractères.',
  'When the recipient last claimed against it.': 'Quand le destinataire l’a contestée pour la dernière fois.',
  'What was collected of `amount`.': 'Ce qui a été encaissé de `amount`.',
  'The rest cannot be collected: its amount, the document that says so, and since when.':
    'Le reste ne peut pas être encaissé : son montant, le document qui le dit, et depuis quand.',
  'Until when the recipient answers it (`requested`), or the partner the claim (`claimed`).':
    'Jusqu’à quand le destinataire y répond (`requested`), ou le partenaire à la contestation (`claimed`).',
  'Absent: no deadline, or paused.': 'Absent : pas d’échéance, ou en pause.',
  'Since when the time for the answer is paused.': 'Depuis quand le délai de réponse est en pause.',
  'The new amount, in the same currency; `transaction` says how it changes.':
    'Le nouveau montant, dans la même monnaie ; `transaction` dit comment il change.',
  'The new stay.': 'Le nouveau séjour.',
  // Files.
  'References to files that prove it: at most 20.': 'Des références à des fichiers qui le prouvent : au plus 20.',
  'References to files that prove it: 1 to 20.': 'Des références à des fichiers qui le prouvent : de 1 à 20.',
  'References to files: the latest 20 of the partner and of the recipient, oldest first.':
    'Des références à des fichiers : les 20 derniers du partenaire et du destinataire, le plus ancien au début.',
  "The file's id where it is kept.": 'L’identifiant du fichier là où il est conservé.',
  'What it is, such as `photo`, `invoice` or `report`.': 'Ce que c’est, tel que `photo`, `invoice` ou `report`.',
  'Its media type.': 'Son type de média.',
  'The SHA-256 of its bytes, in lower-case hexadecimal.': 'Le SHA-256 de ses octets, en hexadécimal minuscule.',
  // Lists.
  'Maximum number of items.': 'Nombre maximal d’éléments.',
  'The `next` of the previous page.': 'Le `next` de la page précédente.',
  'Which items come first.': 'Quels éléments viennent en premier.',
  'The whole reference.': 'La référence entière.',
  'Created at this second or later.': 'Créé à cette seconde ou plus tard.',
  'Created before this second.': 'Créé avant cette seconde.',
  'Changed at this second or later.': 'Changé à cette seconde ou plus tard.',
  'Changed before this second.': 'Changé avant cette seconde.',
  'The list is in the order of changes.': 'La liste suit l’ordre des changements.',
  'Settled at this second or later.': 'Réglé à cette seconde ou plus tard.',
  'Settled before this second.': 'Réglé avant cette seconde.',
  'The address of the recipient, whatever the case of its letters.':
    'L’adresse du destinataire, en majuscules ou en minuscules.',
  'Made with this template.': 'Créé avec ce modèle.',
  'Of this security deposit.': 'De cette caution.',
  'Whether to include the transactions of the child accounts, too: of at most 200.':
    'S’il faut inclure aussi les transactions des comptes enfants : de 200 au plus.',
  'Whether to list the objects of the child accounts, too: of at most 200.':
    'S’il faut lister aussi les objets des comptes enfants : de 200 au plus.',
  // Signatures.
  'HMAC-SHA-1 of the exact body, keyed with the webhook secret, in lower-case hex.':
    'HMAC-SHA-1 du corps exact, avec le secret du webhook pour clé, en hexadécimal minuscule.',
  'Standard Webhooks: the id of the event, `_` and the id of the endpoint; the same on every attempt.':
    'Standard Webhooks : l’identifiant de l’événement, `_` et l’identifiant du webhook ; le même à chaque tentative.',
  'Standard Webhooks: seconds since 1970.': 'Standard Webhooks : secondes depuis 1970.',
  'Standard Webhooks: `v1,` and HMAC-SHA-256 in Base64.': 'Standard Webhooks : `v1,` et un HMAC-SHA-256 en Base64.',
  'Standard Webhooks: `v1a,` and Ed25519 in Base64; public keys at `/.well-known/webhook-keys.json`.':
    'Standard Webhooks : `v1a,` et Ed25519 en Base64 ; clés publiques à `/.well-known/webhook-keys.json`.',
  // Events.
  'A payment template was created.': 'Un modèle de paiement a été créé.',
  'A payment template was updated.': 'Un modèle de paiement a été changé.',
  'A payment template was deleted.': 'Un modèle de paiement a été supprimé.',
  'A security-deposit template was created.': 'Un modèle de caution a été créé.',
  'A security-deposit template was updated.': 'Un modèle de caution a été changé.',
  'A security-deposit template was deleted.': 'Un modèle de caution a été supprimé.',
  'A payment request was created.': 'Une demande de paiement a été créée.',
  'A payment request was updated.': 'Une demande de paiement a été changée.',
  'The payment of a payment request succeeded.': 'Le paiement d’une demande de paiement a réussi.',
  'A payment request was cancelled.': 'Une demande de paiement a été annulée.',
  'A transaction of a payment request failed.': 'Une transaction d’une demande de paiement a échoué.',
  'A security-deposit request was created.': 'Une demande de caution a été créée.',
  'A security-deposit request was updated.': 'Une demande de caution a été changée.',
  'A security-deposit request was cancelled.': 'Une demande de caution a été annulée.',
  'A security-deposit request finished.': 'Une demande de caution s’est terminée.',
  'A security-deposit request has a global error.': 'Une demande de caution est en erreur.',
  'A security-deposit request moved to dispute after a claim on a cash-out.':
    'Une demande de caution est passée en litige après la contestation d’une retenue.',
  'A transaction of a security-deposit request failed.': 'Une transaction d’une demande de caution a échoué.',
  'A transaction of a security-deposit request succeeded.': 'Une transaction d’une demande de caution a réussi.',
  'A transaction of a security-deposit request was cancelled manually.':
    'Une transaction d’une demande de caution a été annulée à la main.',
  'The security deposit was made.': 'La caution a été déposée.',
  'The entry inspection is done.': 'L’état des lieux d’entrée est fait.',
  'The exit inspection is done.': 'L’état des lieux de sortie est fait.',
  'A cash-out request failed while the amount was escrowed.':
    'Une demande de retenue a échoué alors que le montant était mis sous séquestre.',
  // Rules and answers of operations.
  'The transaction that the payment processor carried out.':
    'La transaction que le prestataire de paiement a exécutée.',
  'The transaction that the payment processor reported.': 'La transaction que le prestataire de paiement a signalée.',
  'The transaction by which the amount changes: an `authorisation` or `charge` of more, a `release` or `refund`.':
    'La transaction par laquelle le montant change : une `authorisation` ou un `charge` de plus, un `release` ou un `refund`.',
  'Changes fields (RFC 7396).': 'Change des champs (RFC 7396).',
  'Cancels the request; also given by rule when it expires.':
    'Annule la demande ; une règle le fait aussi quand elle expire.',
  'Gives evidence for a chargeback: references to files, which the history has.':
    'Donne des preuves pour un rejet de débit : des références à des fichiers, que l’historique garde.',
  'Each item has its own transaction and its own result, in the order of the items.':
    'Chaque élément a sa propre transaction et son propre résultat, dans l’ordre des éléments.',
  'Each counts as a call, and the access token must still be accepted.':
    'Chacun compte comme une requête, et le jeton d’accès doit encore être accepté.',
  'After a 401, 429 or 503, the same request with the same `Idempotency-Key` continues where it stopped.':
    'Après une réponse 401, 429 ou 503, la même requête avec la même clé `Idempotency-Key` reprend là où elle s’est arrêtée.',
  'Creates a request for a security deposit.': 'Crée une demande de caution.',
  'Records the entry inspection.': 'Enregistre l’état des lieux d’entrée.',
  'Records the exit inspection.': 'Enregistre l’état des lieux de sortie.',
  'Ends the deposit; also given by rule at `guaranteedUntil`.':
    'Termine la caution ; une règle le fait aussi à `guaranteedUntil`.',
  'Requests a part of the deposit.': 'Demande une partie de la caution.',
  'Cancels the cash-out.': 'Annule la retenue.',
  'Makes a new offer.': 'Fait une nouvelle offre.',
  'Without `description`, the description stays.': 'Sans `description`, la description reste.',
  'Creates a template.': 'Crée un modèle.',
  'Requests created before keep their values.': 'Les demandes créées avant gardent leurs valeurs.',
  'Deletes the template with its history.': 'Supprime le modèle avec son historique.',
  'The sums of those that succeeded, by kind and currency.':
    'Les sommes de celles qui ont réussi, par type et par monnaie.',
  'Reads every transaction of the period.': 'Lit toutes les transactions de la période.',
  'The status that the request for this item alone would have.':
    'Le statut qu’aurait une requête pour cet élément seul.',
  'The version of the object, if the command was given.': 'La version de l’objet, si la commande a été donnée.',
  'Why an item was refused (RFC 9457).': 'Pourquoi un élément a été refusé (RFC 9457).',
};
