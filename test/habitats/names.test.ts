import { lookAround } from './look';
import { names } from './rows/names';

lookAround('names', names);
