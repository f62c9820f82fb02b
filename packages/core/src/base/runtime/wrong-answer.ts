/** The error of a port that answers with anything else than its interface says. @internal */
export const wrongAnswer = (call: string, expected: string): TypeError =>
  new TypeError(`partnerkit: ${call} must return ${expected}.`);
