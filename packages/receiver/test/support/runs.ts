import { propertyRuns } from '../../../../tools/tests/effort.ts';

/** For most properties. */
export const runs = propertyRuns(200);

/** For properties of which one run is a whole history. */
export const historyRuns = propertyRuns(100);
