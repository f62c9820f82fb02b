/** What each command leads to, written out: state, command, next state, event types. Nothing else may be given. */
const table = (text: string) =>
  new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [state, command, next = '', ...events] = line.trim().split(/ +/);
        return [`${state} ${command}`, { next, events }] as const;
      }),
  );

export const tables = {
  // Refunds of all that is left lead to refunded.
  payments: table(`
    pending    change              pending         update
    pending    setPaymentUrl       pending         update
    pending    cancel              cancelled       cancel
    pending    succeed             payed           payed
    pending    succeedTransaction  pending         update
    pending    failTransaction     pending         transaction_failed
    pending    returnTransaction   pending         transaction_failed
    pending    cancelTransaction   pending         update
    pending    updateChargeback    pending         update
    pending    giveEvidence        pending         update
    pending    send                pending         update
    pending    remind              pending         update
    payed      change              payed           update
    payed      refund              payed,refunded  update
    payed      succeedTransaction  payed           update
    payed      failTransaction     payed           transaction_failed
    payed      returnTransaction   payed           transaction_failed
    payed      cancelTransaction   payed           update
    payed      updateChargeback    payed           update
    payed      giveEvidence        payed           update
    refunded   change              refunded        update
    refunded   succeedTransaction  refunded        update
    refunded   failTransaction     refunded        transaction_failed
    refunded   returnTransaction   refunded        transaction_failed
    refunded   cancelTransaction   refunded        update
    refunded   updateChargeback    refunded        update
    refunded   giveEvidence        refunded        update
    cancelled  change              cancelled       update
    cancelled  succeedTransaction  cancelled       update
    cancelled  failTransaction     cancelled       transaction_failed
    cancelled  returnTransaction   cancelled       transaction_failed
    cancelled  cancelTransaction   cancelled       update
    cancelled  updateChargeback    cancelled       update
    cancelled  giveEvidence        cancelled       update
  `),
  paymentTemplates: table(`
    active  change  active   update
    active  delete  deleted  deletion
  `),
  depositTemplates: table(`
    active  change  active   update
    active  delete  deleted  deletion
  `),
  /** `litigate` in litigation changes nothing: no event. */
  deposits: table(`
    pending      change              pending      update
    pending      setPaymentUrl       pending      update
    pending      send                pending      update
    pending      remind              pending      update
    pending      cancel              cancelled    cancel
    pending      registerUser        pending      user_register
    pending      succeedTransaction  pending      new_transaction_success
    pending      failTransaction     pending      transaction_failed
    pending      returnTransaction   pending      transaction_failed
    pending      cancelTransaction   pending      new_transaction_manual_cancel
    pending      updateChargeback    pending      update
    pending      giveEvidence        pending      update
    pending      succeedDeposit      in_progress  deposit_success
    pending      fail                error        global_error
    in_progress  change              in_progress  update
    in_progress  succeedTransaction  in_progress  new_transaction_success
    in_progress  failTransaction     in_progress  transaction_failed
    in_progress  returnTransaction   in_progress  transaction_failed
    in_progress  cancelTransaction   in_progress  new_transaction_manual_cancel
    in_progress  updateChargeback    in_progress  update
    in_progress  giveEvidence        in_progress  update
    in_progress  setTerm             in_progress  update
    in_progress  warnOfEnd           in_progress  update
    in_progress  extend              in_progress  update
    in_progress  checkIn             in_progress  check_in
    in_progress  checkOut            in_progress  check_out
    in_progress  litigate            litigation   litigation
    in_progress  finish              finished     finish
    in_progress  fail                error        global_error
    litigation   change              litigation   update
    litigation   succeedTransaction  litigation   new_transaction_success
    litigation   failTransaction     litigation   transaction_failed
    litigation   returnTransaction   litigation   transaction_failed
    litigation   cancelTransaction   litigation   new_transaction_manual_cancel
    litigation   updateChargeback    litigation   update
    litigation   giveEvidence        litigation   update
    litigation   setTerm             litigation   update
    litigation   warnOfEnd           litigation   update
    litigation   extend              litigation   update
    litigation   checkIn             litigation   check_in
    litigation   checkOut            litigation   check_out
    litigation   litigate            litigation   litigation
    litigation   resume              in_progress  update
    litigation   fail                error        global_error
    finished     change              finished     update
    finished     succeedTransaction  finished     new_transaction_success
    finished     failTransaction     finished     transaction_failed
    finished     returnTransaction   finished     transaction_failed
    finished     cancelTransaction   finished     new_transaction_manual_cancel
    finished     updateChargeback    finished     update
    finished     giveEvidence        finished     update
    cancelled    change              cancelled    update
    cancelled    succeedTransaction  cancelled    new_transaction_success
    cancelled    failTransaction     cancelled    transaction_failed
    cancelled    returnTransaction   cancelled    transaction_failed
    cancelled    cancelTransaction   cancelled    new_transaction_manual_cancel
    cancelled    updateChargeback    cancelled    update
    cancelled    giveEvidence        cancelled    update
    error        change              error        update
    error        succeedTransaction  error        new_transaction_success
    error        failTransaction     error        transaction_failed
    error        returnTransaction   error        transaction_failed
    error        cancelTransaction   error        new_transaction_manual_cancel
    error        updateChargeback    error        update
    error        giveEvidence        error        update
  `),
  /** While the deposit is in progress or in litigation; settle in litigation alone; what changes a done one, later. */
  cashOuts: table(`
    requested  change             requested  update
    requested  cancel             cancelled  cashout_cancel
    requested  claim              claimed    cashout_reclamation
    requested  offer              requested  cashout_new_offer
    requested  accept             accepted   cashout_recipient_accept
    requested  settle             settled    update
    requested  fail               failed     cashout_failed
    requested  warnOfSilence      requested  update
    requested  pauseDeadline      requested  update
    requested  resumeDeadline     requested  update
    claimed    change             claimed    update
    claimed    cancel             cancelled  cashout_cancel
    claimed    offer              requested  cashout_new_offer
    claimed    deny               denied     cashout_owner_deny_reclamation
    claimed    accept             accepted   cashout_recipient_accept
    claimed    settle             settled    update
    claimed    fail               failed     cashout_failed
    claimed    warnOfSilence      claimed    update
    claimed    pauseDeadline      claimed    update
    claimed    resumeDeadline     claimed    update
    denied     change             denied     update
    denied     cancel             cancelled  cashout_cancel
    denied     offer              requested  cashout_new_offer
    denied     accept             accepted   cashout_recipient_accept
    denied     settle             settled    update
    denied     complete           done       cashout_done
    denied     fail               failed     cashout_failed
    denied     pauseDeadline      denied     update
    denied     resumeDeadline     denied     update
    accepted   change             accepted   update
    accepted   escrow             escrowed   update
    accepted   complete           done       cashout_done
    accepted   fail               failed     cashout_failed
    settled    change             settled    update
    settled    escrow             escrowed   update
    settled    complete           done       cashout_done
    settled    fail               failed     cashout_failed
    escrowed   change             escrowed   update
    escrowed   complete           done       cashout_done
    escrowed   fail               failed     cashout_failed
    done       collect            done       update
    done       refund             done       update
    done       markIrrecoverable  done       update
    done       change             done       update
    cancelled  change             cancelled  update
    failed     change             failed     update
  `),
} as const;
