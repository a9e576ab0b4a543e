import { lookAround } from './look';
import { desk } from './rows/desk';
import { toolchains } from './rows/toolchains';

lookAround('toolchains', toolchains, true);
lookAround('a desk', desk, true);
