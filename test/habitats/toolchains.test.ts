import { others } from './chosen';
import { lookAround } from './look';
import { desk } from './rows/desk';
import { toolchains } from './rows/toolchains';

lookAround('toolchains', others(toolchains), true);
lookAround('a desk', desk, true);
