/** The kinds of requests, with their article. */
const kinds = {
  'a payment request': 'une demande de paiement',
  'a security deposit': 'une caution',
  'a cash-out': 'une retenue',
  'an account cash-out': 'une retenue du compte',
  'a payment template': 'un modèle de paiement',
  'a security deposit template': 'un modèle de caution',
} as const;

/** What is done with one of a kind; in French, the kind follows with its article or behind "d’". */
const commands: readonly (readonly [english: string, french: string])[] = [
  ['Creates', 'Crée'],
  ['Reads', 'Lit'],
  ['Changes', 'Change'],
  ['Deletes', 'Supprime'],
  ['Cancels', 'Annule'],
  ['Finishes', 'Termine'],
  ['Rejects the claim against', 'Rejette la contestation d’'],
  ['Sends', 'Envoie'],
  ['Refunds', 'Rembourse'],
  ['Extends', 'Prolonge'],
  ['Settles', 'Règle'],
  ['Completes', 'Mène à terme'],
  ['Makes a new offer for', 'Fait une nouvelle offre pour'],
  ['Lists the history of', 'Liste l’historique d’'],
  ['Lists the transactions of', 'Liste les transactions d’'],
  ['Gives evidence for a chargeback of', 'Donne des preuves pour un rejet de débit d’'],
  ['Sets the payment URL of', 'Fixe l’adresse de paiement d’'],
  ['Reminds the recipient of', 'Envoie un rappel au destinataire d’'],
  ['Reports the payment of', 'Signale le paiement d’'],
  ['Reports a transaction of', 'Signale une transaction d’'],
  ['Reports a failed transaction of', 'Signale une transaction échouée d’'],
  ['Reports a cancelled transaction of', 'Signale une transaction annulée d’'],
  ['Reports a returned debit of', 'Signale un débit retourné d’'],
  ['Reports what became of a chargeback of', 'Signale la suite d’un rejet de débit d’'],
  ['Reports the failure of', 'Signale l’échec d’'],
  ['Records personal information for', 'Enregistre des données personnelles pour '],
  ['Sets the term of', 'Fixe l’échéance d’'],
  ['Warns of the end of', 'Avertit de la fin d’'],
  ['Records the entry inspection of', 'Enregistre l’état des lieux d’entrée d’'],
  ['Records the exit inspection of', 'Enregistre l’état des lieux de sortie d’'],
  ['Opens the dispute of', 'Ouvre le litige d’'],
  ['Ends the dispute of', 'Met fin au litige d’'],
  ['Records the claim of the recipient of', 'Enregistre la contestation du destinataire d’'],
  ['Records the consent of the recipient of', 'Enregistre l’accord du destinataire d’'],
  ['Announces the consequence of silence on', 'Annonce la conséquence du silence sur'],
  ['Pauses the time to answer', 'Met en pause le délai de réponse à'],
  ['Resumes the time to answer', 'Reprend le délai de réponse à'],
  ['Records the escrow of', 'Enregistre la mise sous séquestre d’'],
  ['Records a later collection of', 'Enregistre un encaissement ultérieur d’'],
  ['Records the irrecoverable rest of', 'Enregistre le reste irrécouvrable d’'],
];

const join = (french: string, kind: string): string =>
  french.endsWith('’') ? `${french}${kind}` : `${french} ${kind}`;

const ofKinds = Object.entries(kinds).flatMap(([english, french]) =>
  commands.flatMap(([command, translated]) => [
    [`${command} ${english}`, join(translated, french)],
    [`${command} ${english}, in a test environment`, `${join(translated, french)}, dans un environnement de test`],
  ]),
);

/** The summaries of operations, and the names of their groups. */
export const frenchOperations: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ofKinds),
  'Lists payment requests': 'Liste les demandes de paiement',
  'Lists security deposits': 'Liste les cautions',
  'Lists cash-outs': 'Liste les retenues',
  'Lists account cash-outs': 'Liste les retenues du compte',
  'Lists payment templates': 'Liste les modèles de paiement',
  'Lists security deposit templates': 'Liste les modèles de caution',
  'Creates up to 100 payment requests': 'Crée jusqu’à 100 demandes de paiement',
  'Cancels up to 100 payment requests': 'Annule jusqu’à 100 demandes de paiement',
  'Creates up to 100 security deposits': 'Crée jusqu’à 100 cautions',
  'Cancels up to 100 security deposits': 'Annule jusqu’à 100 cautions',
  'Lists the transactions of the account': 'Liste les transactions du compte',
  'Sums up the transactions of the account': 'Fait la somme des transactions du compte',
  'Sends a test event to the webhook endpoints, in a test environment':
    'Envoie un événement de test aux webhooks, dans un environnement de test',
  'Payment requests': 'Demandes de paiement',
  'Payment templates': 'Modèles de paiement',
  'Security deposits': 'Cautions',
  'Security deposit templates': 'Modèles de caution',
  'Cash-outs': 'Retenues',
  'Account cash-outs': 'Retenues du compte',
  Transactions: 'Transactions',
  Webhooks: 'Webhooks',
};
