export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** The body of a webhook with this many bytes. */
export const bodyOf = (bytes: number): string => {
  const frame = '{"timestamp":1795000000,"data":{"id":"pay_1","name":""},"objectName":"RequestPayment","type":"payed"}';
  return frame.replace('"name":""', `"name":"${'x'.repeat(bytes - frame.length)}"`);
};
