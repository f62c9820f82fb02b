/** With which what is sent to a herd is signed. */
export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
