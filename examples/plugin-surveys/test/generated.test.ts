import test from 'node:test';
import { operationSuite } from 'postrider/testing';
import { operations } from '../src/index.js';
import { open } from './support.js';

operationSuite('surveys', open, operations, (name, run) => void test(name, run));
