import { lookAround } from './look';
import { machines } from './rows/machines';

lookAround('machines', machines);
