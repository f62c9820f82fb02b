import { requestsHttpSuite } from '@partnerkit/conformance/http-suite';
import { test } from 'vitest';
import { oneOfEachRule } from '../../../tools/tests/slice.ts';
import { serve } from './support/serve.ts';

requestsHttpSuite({ test: oneOfEachRule(test), start: serve });
