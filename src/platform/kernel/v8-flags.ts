import { setFlagsFromString } from 'node:v8';

/*
 * V8 allocates what comes from a place in the code directly among its old objects once objects from there have survived
 * its young collections. Those of a request end with it, but in the old space they stay until the next full collection,
 * and so does everything young that they refer to (docs/explanation/performance.md#objects-of-a-request-stay-young). The flag only says
 * where later objects are allocated, so it may be set while the process runs.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
