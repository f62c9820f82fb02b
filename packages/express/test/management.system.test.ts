import { managementHttpSuite } from '@partnerkit/conformance/http-suite';
import { test } from 'vitest';
import { oneOfEachRule } from '../../../tools/tests/slice.ts';
import { serve } from './serve.ts';

managementHttpSuite({ test: oneOfEachRule(test), start: serve });
